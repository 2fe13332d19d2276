import { access, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { identifyProcess, isAlive } from "../../sandbox/process-identity.ts";
import type { HarnessStore, InstalledHarness, InstallProgress } from "./harness-store.ts";
import { holdInstallLock } from "./install-lock.ts";
import { type HarnessPin, listPins, readPin } from "./read-pin.ts";
import { type NpmProgram, runNpm } from "./run-npm.ts";
import { removeSealed, sealFolder } from "./sealed-folder.ts";

export interface HarnessStoreOptions {
  /** Host folder with a folder for each harness: its package.json and package-lock.json. */
  readonly pinsDir: string;
  /** Host folder of the store; made when it is first needed. */
  readonly storeDir: string;
  readonly npm: NpmProgram;
  readonly clock: Clock;
  /** The process that installs, for its locks. */
  readonly ownerPid: number;
}

/** What an entry says of itself, in `harness.json`. */
type Entry = Omit<InstalledHarness, "dir"> & { readonly bytes: number };

const partialSuffix = ".partial";

/**
 * A store in a folder: one entry `<name>-<version>-<digest>` for each lock, installed beside it and renamed into place whole
 * and read-only. Killed at any instant it leaves at most a partial folder, which the next installation removes.
 */
export function createHarnessStore(options: HarnessStoreOptions): HarnessStore {
  const { pinsDir, storeDir } = options;
  const dirOf = (pin: HarnessPin): string => join(storeDir, entryName(pin));

  async function find(pin: HarnessPin): Promise<InstalledHarness | undefined> {
    const dir = dirOf(pin);
    if (!(await isThere(join(dir, "harness.json")))) return undefined;
    return { name: pin.name, version: pin.version, digest: pin.digest, dir };
  }

  async function list(): Promise<readonly (InstalledHarness & { readonly bytes: number })[]> {
    const found = [];
    for (const name of await namesIn(storeDir)) {
      const dir = join(storeDir, name);
      if (name.endsWith(partialSuffix) || !(await isThere(join(dir, "harness.json")))) continue;
      const entry = JSON.parse(await readFile(join(dir, "harness.json"), "utf8")) as Entry;
      found.push({ ...entry, dir });
    }
    return found;
  }

  return {
    async pinned(name) {
      const pin = await readPin(pinsDir, name);
      if (pin === undefined) return undefined;
      return { name, package: pin.package, version: pin.version, digest: pin.digest };
    },

    async find(name) {
      const pin = await readPin(pinsDir, name);
      return pin === undefined ? undefined : find(pin);
    },

    async install(name, onProgress = () => undefined) {
      const pin = await readPin(pinsDir, name);
      if (pin === undefined) throw unknownHarness(name, await listPins(pinsDir));
      const told = (state: InstallProgress["state"]): void =>
        onProgress({ name, version: pin.version, state });
      const before = await find(pin);
      if (before !== undefined) return before;
      await mkdir(storeDir, { recursive: true });
      await using _lock = await holdInstallLock({
        ...options,
        path: join(storeDir, `.${entryName(pin)}.lock`),
        onWait: () => told("waiting"),
      });
      const meanwhile = await find(pin);
      if (meanwhile !== undefined) return meanwhile;
      told("installing");
      await removeDeadPartials(storeDir);
      await installInto(options, pin, dirOf(pin));
      told("installed");
      return { name, version: pin.version, digest: pin.digest, dir: dirOf(pin) };
    },

    list,

    async prune() {
      await removeDeadPartials(storeDir);
      const pins = await Promise.all((await listPins(pinsDir)).map((name) => readPin(pinsDir, name)));
      const wanted = new Set(pins.map((pin) => pin?.digest));
      const stale = (await list()).filter((entry) => !wanted.has(entry.digest));
      for (const { dir } of stale) {
        // Renamed first: nobody finds half an entry.
        const aside = partialPath(dir, options.ownerPid);
        await removeSealed(aside);
        await rename(dir, aside);
        await removeSealed(aside);
      }
      return stale.map(({ bytes: _, ...entry }) => entry);
    },
  };
}

async function installInto(options: HarnessStoreOptions, pin: HarnessPin, dir: string): Promise<void> {
  const partial = partialPath(dir, options.ownerPid);
  await removeSealed(partial);
  await mkdir(partial);
  try {
    await writeFile(join(partial, "package.json"), pin.manifest);
    await writeFile(join(partial, "package-lock.json"), pin.lock);
    await npm(options, pin, partial, ["ci", "--ignore-scripts", "--omit=dev"]);
    if (pin.scripts.length > 0) {
      await npm(options, pin, partial, ["rebuild", ...pin.scripts, "--ignore-scripts=false"]);
    }
    const entry: Entry = {
      name: pin.name,
      version: pin.version,
      digest: pin.digest,
      bytes: await sealFolder(join(partial, "node_modules")),
    };
    await writeFile(join(partial, "harness.json"), `${JSON.stringify(entry, null, 2)}\n`);
    await sealFolder(partial);
    await moveInto(partial, dir);
  } catch (error) {
    await removeSealed(partial);
    throw error;
  }
}

async function npm(
  options: HarnessStoreOptions,
  pin: HarnessPin,
  cwd: string,
  args: readonly string[],
): Promise<void> {
  const end = await runNpm(options.npm, args, cwd);
  if (end.kind === "done") return;
  throw new AleError({
    code: "harness-install",
    message: `${pin.name} (${pin.package} ${pin.version}) could not be installed; npm ${args[0]} says:\n${end.words}`,
    remedy: remedyFor(end.words),
    fields: { harness: pin.name, package: pin.package, version: pin.version },
  });
}

function remedyFor(words: string): string {
  if (/could not be started/.test(words)) return "install npm: it comes with Node";
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(words)) {
    return "this host must reach the npm registry once: check the network and npm's proxy settings (npm config ls), and run it again";
  }
  if (/ENOSPC/.test(words)) return "free some disk space, or set ALE_CACHE_DIR to a larger disk";
  return "mend what npm says, and run it again: what is already downloaded is kept";
}

/** An entry that another process put there meanwhile is as good as ours. */
async function moveInto(partial: string, dir: string): Promise<void> {
  try {
    await rename(partial, dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    await removeSealed(partial);
  }
}

function entryName(pin: HarnessPin): string {
  return `${pin.name}-${pin.version}-${pin.digest.slice(0, 12)}`;
}

/** Names its maker, so that one left by a dead process can be told from one in the making. */
function partialPath(dir: string, pid: number): string {
  return `${dir}.${pid}-${identifyProcess(pid)?.startTime ?? ""}${partialSuffix}`;
}

async function removeDeadPartials(storeDir: string): Promise<void> {
  for (const name of await namesIn(storeDir)) {
    const [, pid, startTime] = /\.(\d+)-(\d*)\.partial$/.exec(name) ?? [];
    if (pid === undefined) continue;
    const maker = { pid: Number(pid), ...(startTime ? { startTime } : {}) };
    if (!isAlive(maker)) await removeSealed(join(storeDir, name));
  }
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
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
