import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What a machine's first process and the cases of a test run. */
const programs = ["perl", "env", "sh", "cat", "id", "true"];

/**
 * The smallest system that makes a machine, as an archive (tar) of some 20 MB: a shell, Perl and their libraries, from this
 * host, which is Debian.
 */
export async function tinySystem(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "ale-tiny-"));
  const root = join(folder, "root");
  try {
    for (const name of [
      "usr/bin",
      "usr/lib",
      "usr/lib64",
      "etc",
      "tmp",
      "var/tmp",
      "run/lock",
      "root",
      "proc",
    ]) {
      await mkdir(join(root, name), { recursive: true });
    }
    for (const name of ["bin", "lib", "lib64"]) await symlink(`usr/${name}`, join(root, name));
    const paths = programs.map((name) => `/usr/bin/${name}`);
    const modules = await perlModules();
    for (const path of [...paths, ...(await librariesOf(paths)), ...modules]) {
      const target = join(root, path.replace(/^\/(bin|lib|lib64)\//, "/usr/$1/"));
      await mkdir(dirname(target), { recursive: true });
      await cp(path, target, { recursive: true, dereference: true });
    }
    await writeFile(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
    await writeFile(join(root, "etc/group"), "root:x:0:\n");
    await writeFile(join(root, "etc/os-release"), 'PRETTY_NAME="Tiny system of a test"\n');
    return archive(root);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An archive (tar) with one file of that content. */
export async function oneFile(name: string, content: string | Buffer): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "ale-layer-"));
  try {
    await writeFile(join(folder, name), content);
    return archive(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function archive(folder: string): Buffer {
  const args = ["--create", "--owner=0", "--group=0", "--numeric-owner", "--directory", folder, "."];
  return execFileSync("tar", args, { maxBuffer: 1 << 30 });
}

async function perlModules(): Promise<readonly string[]> {
  const lib = "/usr/lib";
  const folders = (await readdir(lib)).filter((name) => name.endsWith("-linux-gnu"));
  return folders.map((name) => join(lib, name, "perl-base")).filter((path) => existsSync(path));
}

async function librariesOf(paths: readonly string[]): Promise<readonly string[]> {
  const found = paths.flatMap((path) => {
    const told = execFileSync("ldd", [path], { encoding: "utf8" });
    return [...told.matchAll(/(\/\S+) \(0x/g)].map((match) => match[1] ?? "");
  });
  return [...new Set(found)];
}
