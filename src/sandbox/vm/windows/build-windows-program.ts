import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { AleError } from "../../../contract/ale-error.ts";

export interface WindowsProgram {
  /** The program on this host. */
  readonly path: string;
  /** `sha256:` of its bytes; equal sources and equal Go make equal bytes. */
  readonly digest: string;
}

/** The sources of the program that serves a Windows machine. */
const sources: string = fileURLToPath(new URL("../../../../data/machine/windows/", import.meta.url));

/** Debian's places, oldest first: programs of newer Go need a newer Windows. */
const compilers = ["/usr/lib/go-1.19/bin/go", "/usr/lib/go/bin/go", "/usr/bin/go"];

const run = promisify(execFile);

/**
 * Compiles the program that serves a Windows machine, by the host's Go and without its network. The file is kept below
 * `cacheDir` for as long as neither the sources nor the compiler changes. Rejects with an `AleError` coded
 * `missing-program` or `windows-program`.
 */
export async function buildWindowsProgram(options: { readonly cacheDir: string }): Promise<WindowsProgram> {
  const root = join(options.cacheDir, "vm", "windows-program");
  const go = compiler();
  const environment = goEnvironment(root);
  const { stdout: version } = await run(go, ["version"], { env: environment });
  const folder = join(root, await keyOf(version));
  const path = join(folder, "ale-serve.exe");
  if (!existsSync(path)) await compile(go, environment, root, folder);
  const digest = createHash("sha256").update(await readFile(path));
  return { path, digest: `sha256:${digest.digest("hex")}` };
}

function compiler(): string {
  const found = compilers.find(isExecutable);
  if (found !== undefined) return found;
  throw new AleError({
    code: "missing-program",
    message: "The program that serves Windows guests needs the compiler go, which is not installed.",
    remedy: "apt-get install golang-go",
    fields: { program: "go" },
  });
}

/** Nothing of the caller's: no proxy, no other compiler, no flags. */
function goEnvironment(root: string): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: root,
    GOOS: "windows",
    GOARCH: "amd64",
    CGO_ENABLED: "0",
    GOENV: "off",
    GOTOOLCHAIN: "local",
    GOFLAGS: "-mod=mod",
    GOPROXY: "off",
    GOCACHE: join(root, "go-cache"),
    GOPATH: join(root, "go-path"),
  };
}

/** Compiled beside its place and put there whole: two at once make the same. */
async function compile(
  go: string,
  env: Readonly<Record<string, string>>,
  root: string,
  folder: string,
): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(root, ".new-"));
  try {
    const target = join(work, "ale-serve.exe");
    const flags = ["-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid="];
    await run(go, ["build", ...flags, "-o", target, "."], { cwd: sources, env });
    await mkdir(folder, { recursive: true });
    await rename(target, join(folder, "ale-serve.exe"));
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: string };
    throw new AleError({
      code: "windows-program",
      message: `The program that serves Windows guests could not be compiled: ${(stderr || message).trim().slice(-800)}`,
      remedy: "Is the disk full? df -h",
      cause: error,
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Of the compiler and all sources, tests and words aside. */
async function keyOf(version: string): Promise<string> {
  const hash = createHash("sha256").update(version);
  const names = (await readdir(sources)).filter((name) => name === "go.mod" || /(?<!_test)\.go$/.test(name));
  for (const name of names.sort()) {
    hash.update(`\0${name}\0`).update(await readFile(join(sources, name)));
  }
  return hash.digest("hex").slice(0, 16);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
