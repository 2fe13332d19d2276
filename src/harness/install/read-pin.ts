import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { orAbsent } from "../../files/or-absent.ts";
import type { PinnedHarness } from "./harness-store.ts";

/** A pin with what its installation needs. */
export interface HarnessPin extends PinnedHarness {
  readonly digest: string;
  /** Text of its package.json and package-lock.json. */
  readonly manifest: string;
  readonly lock: string;
  /** Packages whose install scripts may run, by `allowScripts` in its package.json. */
  readonly scripts: readonly string[];
  /** Of the program's package, as it is locked. */
  readonly integrity: string | undefined;
}

/** Folder names of pins: a harness's name, also safe as a part of a path. */
const namePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Reads `<pinsDir>/<name>/`. Its package.json has one dependency beside `node`: the program. `undefined` when there is no
 * such folder; throws `bad-harness-pin` for one that does not say what it pins.
 */
export async function readPin(pinsDir: string, name: string): Promise<HarnessPin | undefined> {
  return namePattern.test(name) ? readPinAt(join(pinsDir, name), name) : undefined;
}

/** As {@link readPin}, for a folder of any name. */
export async function readPinAt(dir: string, name: string): Promise<HarnessPin | undefined> {
  const manifest = await orAbsent(readFile(join(dir, "package.json"), "utf8"));
  if (manifest === undefined) return undefined;
  const lock = await orAbsent(readFile(join(dir, "package-lock.json"), "utf8"));
  const bad = (problem: string, remedy: string): AleError =>
    new AleError({ code: "bad-harness-pin", message: `${dir}: ${problem}`, remedy, fields: { dir } });
  if (lock === undefined)
    throw bad("there is no package-lock.json", "make it with: npm install --package-lock-only");

  const { dependencies = {}, allowScripts = {} } = parseJson<Manifest>(manifest, join(dir, "package.json"));
  const programs = Object.keys(dependencies).filter((dependency) => dependency !== "node");
  const [program] = programs;
  if (program === undefined || programs.length > 1) {
    throw bad(
      `package.json depends on ${programs.length} packages beside node`,
      "depend on the program alone, in an exact version",
    );
  }
  const locked = parseJson<Lock>(lock, join(dir, "package-lock.json")).packages;
  const { version, integrity } = locked?.[`node_modules/${program}`] ?? {};
  if (version === undefined)
    throw bad(
      `package-lock.json does not lock ${program}`,
      "make it anew with: npm install --package-lock-only",
    );
  const digest = createHash("sha256").update(manifest).update("\0").update(lock).digest("hex");
  const scripts = Object.keys(allowScripts).filter((dependency) => allowScripts[dependency] === true);
  return { name, package: program, version, digest, manifest, lock, scripts, integrity };
}

/** Names of all pins, sorted. */
export async function listPins(pinsDir: string): Promise<readonly string[]> {
  const entries = (await orAbsent(readdir(pinsDir, { withFileTypes: true }))) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && namePattern.test(entry.name))
    .map((entry) => entry.name)
    .sort();
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
}

function parseJson<T>(text: string, path: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new AleError({
      code: "bad-harness-pin",
      message: `${path} is not JSON: ${(error as Error).message}`,
      remedy: "bring the file back from version control",
      cause: error,
    });
  }
}
