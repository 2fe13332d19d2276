import { access, readdir, readFile, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import type { HarnessInstall } from "../../contract/harness-file.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { orAbsent } from "../../files/or-absent.ts";
import { isAlive } from "../../sandbox/process-identity.ts";
import { noteUse, usersOf } from "./entry-uses.ts";
import type { HarnessStore, HarnessUser, InstalledHarness, InstallProgress } from "./harness-store.ts";
import { type Entry, installEntry, isPartial, makerOf, partialPath } from "./install-entry.ts";
import { holdInstallLock } from "./install-lock.ts";
import { declaredPinDir, lockDeclared } from "./lock-declared.ts";
import { type HarnessPin, listPins, readPin, readPinAt } from "./read-pin.ts";
import type { NpmProgram } from "./run-npm.ts";
import { removeSealed } from "./sealed-folder.ts";

export interface HarnessStoreOptions {
  /** Host folder with a folder for each harness: its package.json and package-lock.json. */
  readonly pinsDir: string;
  /** Host folder of the store; made when it is first needed. */
  readonly storeDir: string;
  /** Programs that declared harnesses name, by the harness's name. */
  readonly declared?: ReadonlyMap<string, HarnessInstall>;
  readonly npm: NpmProgram;
  readonly clock: Clock;
  /** The process that installs, for its locks. */
  readonly ownerPid: number;
}

/**
 * A store in a folder: one entry `<name>-<version>-<digest>` for each lock, installed beside it and renamed into place whole
 * and read-only. Killed at any instant it leaves at most a partial folder, which the next installation removes.
 */
export function createHarnessStore(options: HarnessStoreOptions): HarnessStore {
  const { pinsDir, storeDir } = options;
  const dirOf = (pin: HarnessPin): string => join(storeDir, entryName(pin));

  /** A declared program goes before a pin of the same name, unless it is the same. */
  async function pinOf(name: string): Promise<HarnessPin | undefined> {
    const pin = await readPin(pinsDir, name);
    const install = options.declared?.get(name);
    if (install === undefined || (pin?.package === install.npm && pin.version === install.version))
      return pin;
    return readPinAt(declaredPinDir(storeDir, name, install), name);
  }

  async function find(pin: HarnessPin): Promise<InstalledHarness | undefined> {
    const dir = dirOf(pin);
    if (!(await isThere(join(dir, "harness.json")))) return undefined;
    return { name: pin.name, version: pin.version, digest: pin.digest, dir };
  }

  async function list(): Promise<readonly (InstalledHarness & { readonly bytes: number })[]> {
    const found = [];
    for (const name of await namesIn(storeDir)) {
      const dir = join(storeDir, name);
      if (isPartial(name) || !(await isThere(join(dir, "harness.json")))) continue;
      const entry = JSON.parse(await readFile(join(dir, "harness.json"), "utf8")) as Entry;
      found.push({ ...entry, dir });
    }
    return found;
  }

  function lockEntry(entry: string, onWait: () => void = () => undefined): Promise<AsyncDisposable> {
    return holdInstallLock({ ...options, path: join(storeDir, `.${entry}.lock`), onWait });
  }

  async function note(pin: HarnessPin): Promise<AsyncDisposable | undefined> {
    if ((await find(pin)) === undefined) return undefined;
    await using _lock = await lockEntry(entryName(pin));
    // It may have been pruned meanwhile: then it is missing, and whoever needs it is told so.
    return (await find(pin)) && noteUse(storeDir, entryName(pin), options.ownerPid);
  }

  return {
    async pinned(name) {
      const pin = await pinOf(name);
      if (pin !== undefined) {
        return { name, package: pin.package, version: pin.version, digest: pin.digest };
      }
      const install = options.declared?.get(name);
      return install === undefined ? undefined : { name, package: install.npm, version: install.version };
    },

    async find(name) {
      const pin = await pinOf(name);
      return pin === undefined ? undefined : find(pin);
    },

    async install(name, onProgress = () => undefined) {
      const install = options.declared?.get(name);
      const pin =
        (await pinOf(name)) ??
        (install === undefined ? undefined : await lockDeclared(options.npm, storeDir, name, install));
      if (pin === undefined) throw unknownHarness(name, await listPins(pinsDir));
      const told = (state: InstallProgress["state"]): void =>
        onProgress({ name, version: pin.version, state });
      const before = await find(pin);
      if (before !== undefined) return before;
      await makeFolder(storeDir);
      await using _lock = await lockEntry(entryName(pin), () => told("waiting"));
      const meanwhile = await find(pin);
      if (meanwhile !== undefined) return meanwhile;
      told("installing");
      await removeDeadPartials(storeDir);
      await installEntry({ ...options, pin, dir: dirOf(pin) });
      told("installed");
      return { name, version: pin.version, digest: pin.digest, dir: dirOf(pin) };
    },

    list,

    async hold(names) {
      await using notes = new AsyncDisposableStack();
      for (const name of new Set(names)) {
        const pin = await pinOf(name);
        if (pin !== undefined) notes.use(await note(pin).catch(ignoreReadOnly));
      }
      return notes.move();
    },

    async prune() {
      await removeDeadPartials(storeDir);
      const pins = [
        ...(await listPins(pinsDir)).map((name) => readPin(pinsDir, name)),
        ...(await namesIn(join(storeDir, "pins"))).map((name) =>
          readPinAt(join(storeDir, "pins", name), name),
        ),
      ];
      const wanted = new Set((await Promise.all(pins)).map((pin) => pin?.digest));
      const stale = (await list()).filter((entry) => !wanted.has(entry.digest));
      const removed: InstalledHarness[] = [];
      const kept: (InstalledHarness & { readonly users: readonly HarnessUser[] })[] = [];
      for (const { bytes: _, ...entry } of stale) {
        await using _lock = await lockEntry(basename(entry.dir));
        // Another has pruned it meanwhile.
        if (!(await isThere(entry.dir))) continue;
        const users = await usersOf(storeDir, basename(entry.dir));
        if (users.length > 0) {
          kept.push({ ...entry, users });
          continue;
        }
        // Renamed first: nobody finds half an entry.
        const aside = partialPath(entry.dir, options.ownerPid);
        await removeSealed(aside);
        await rename(entry.dir, aside);
        await removeSealed(aside);
        removed.push(entry);
      }
      return { removed, kept };
    },
  };
}

function entryName(pin: HarnessPin): string {
  return `${pin.name}-${pin.version}-${pin.digest.slice(0, 12)}`;
}

/** Whose store cannot be written to cannot prune it either. */
function ignoreReadOnly(error: NodeJS.ErrnoException): undefined {
  const refusal = AleError.isInstance(error) ? (error.cause as NodeJS.ErrnoException) : error;
  if (!["EACCES", "EROFS", "EPERM"].includes(refusal?.code ?? "")) throw error;
  return undefined;
}

async function removeDeadPartials(storeDir: string): Promise<void> {
  for (const name of await namesIn(storeDir)) {
    const maker = makerOf(name);
    if (maker !== undefined && !isAlive(maker)) await removeSealed(join(storeDir, name));
  }
}

async function namesIn(dir: string): Promise<readonly string[]> {
  return ((await orAbsent(readdir(dir))) ?? []).sort();
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function unknownHarness(name: string, pins: readonly string[]): AleError {
  return new AleError({
    code: "unknown-harness",
    message: `there is no program to install for a harness called ${name}`,
    remedy: `take one of: ${pins.join(", ")}`,
    fields: { harness: name },
  });
}
