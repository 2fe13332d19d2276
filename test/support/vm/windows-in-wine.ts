import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { imageFolder, sizesOf, type VmImageFacts } from "../../../src/sandbox/vm/image/vm-image.ts";
import { buildWindowsProgram } from "../../../src/sandbox/vm/windows/build-windows-program.ts";
import { repositoryRoot } from "../../source-imports.ts";
import { vmCache } from "./vm-image.ts";
import { wineEnvironment } from "./wine-guest.ts";

const run = promisify(execFile);
const support = join(repositoryRoot, "test", "support", "vm");

/** A double of a host on which the image `windows` is built. */
export interface WindowsInWine {
  readonly cacheDir: string;
  /** The double of QEMU. */
  readonly qemu: string;
}

/**
 * Lays out below an empty folder what a Windows guest is in Wine: the folders of the image, our real program, and doubles
 * of what Wine has not, or what does not run in it: PowerShell, and Node, which is the host's own.
 */
export async function windowsInWine(dir: string): Promise<WindowsInWine> {
  const cacheDir = join(dir, "cache");
  const prefix = join(dir, "installed");
  await run("/bin/cp", ["-al", "--", await freshPrefix(), prefix]);
  const drive = join(prefix, "drive_c");
  for (const folder of ["users/agent", "ale/run", "ale/root", "ale/node/bin", "run", "tmp"]) {
    await mkdir(join(drive, folder), { recursive: true });
  }
  await symlink("users", join(drive, "home"));
  await symlink("../ale/run", join(drive, "run", "ale"));
  await cp((await buildWindowsProgram({ cacheDir: vmCache })).path, join(drive, "ale", "ale-serve.exe"));
  const node = join(drive, "ale", "node", "bin", "node.exe");
  await compile(join(support, "wine-node"), node);
  await writeScript(join(node, "..", "host-node.sh"), hostNode);
  const powershell = join(drive, "windows/system32/WindowsPowerShell/v1.0/powershell.exe");
  await mkdir(join(powershell, ".."), { recursive: true });
  await compile(join(support, "wine-powershell"), powershell);
  await layImage(cacheDir);
  const qemu = join(dir, "qemu");
  const double = [process.execPath, join(support, "qemu-in-wine.ts"), prefix];
  await writeScript(qemu, `#!/bin/sh\nexec ${double.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  return { cacheDir, qemu };
}

/** Runs the host's Node for that of Wine: paths of the layout become those of the drive, which is the folder this lies in. */
const hostNode = `#!/bin/sh
drive=$(CDPATH= cd -- "$(dirname -- "$0")/../../.." && pwd)
told="$drive/windows/temp/$1"
export told
sed -z "s#/home/agent#$drive/users/agent#g; s#/ale/#$drive/ale/#g" "$told/words" |
  xargs -0 sh -c '"$0" "$@" > "$told/stdout" 2> "$told/stderr"; echo $? > "$told/exit.new"' '${process.execPath}'
mv "$told/exit.new" "$told/exit"
`;

async function writeScript(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}

/** A prefix of this Wine that nobody has worked in; made once, as it takes a minute. */
async function freshPrefix(): Promise<string> {
  const { stdout } = await run("/usr/bin/wine", ["--version"], { env: wineEnvironment("/none") });
  const prefix = join(vmCache, "vm", "wine", stdout.trim().replaceAll(/[^\w.-]+/g, "-"));
  if (existsSync(prefix)) return prefix;
  await mkdir(join(prefix, ".."), { recursive: true });
  const draft = await mkdtemp(`${prefix}.new-`);
  await run("/usr/bin/wine", ["wineboot", "-i"], { env: wineEnvironment(draft) });
  await run("/usr/bin/wineserver", ["-w"], { env: wineEnvironment(draft) }).catch(() => undefined);
  await rename(draft, prefix);
  return prefix;
}

const compilers = ["/usr/lib/go-1.19/bin/go", "/usr/lib/go/bin/go", "/usr/bin/go"];

async function compile(source: string, program: string): Promise<void> {
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: join(vmCache, "vm", "wine"),
    GOOS: "windows",
    GOARCH: "amd64",
    CGO_ENABLED: "0",
  };
  const go = compilers.find((path) => existsSync(path)) ?? "go";
  await run(go, ["build", "-o", program, "."], { cwd: source, env: { ...env, GOFLAGS: "-mod=mod" } });
}

async function layImage(cacheDir: string): Promise<void> {
  const folder = imageFolder(cacheDir, "windows");
  await mkdir(folder, { recursive: true });
  await run("/usr/bin/qemu-img", ["create", "-q", "-f", "qcow2", join(folder, "base.qcow2"), "1M"]);
  const facts: VmImageFacts = {
    ...{ schema: "ale/vm-image@1", name: "windows", os: "windows", digest: "sha256:wine", packages: [] },
    ...{ boot: "disk", files: await sizesOf(folder, ["base.qcow2"]) },
  };
  await writeFile(join(folder, "image.json"), JSON.stringify(facts));
}
