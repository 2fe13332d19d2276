import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { AleError } from "../../../contract/ale-error.ts";
import { hostEnvironment, runHostProgram } from "../../local/run-host-program.ts";
import { flushFile } from "../flush-file.ts";
import { hostProgram, runTool } from "../qemu/host-programs.ts";
import { imageFolder, sizesOf, type VmImageFacts } from "./vm-image.ts";

export interface BuildLinuxImageOptions {
  /** Holds `vm-linux/`, the recipe. */
  readonly imagesDir: string;
  readonly cacheDir: string;
  /** Default `vm-linux`. */
  readonly name?: string;
  /** Debian packages on top of the recipe's. */
  readonly extraPackages?: readonly string[];
  /** Default bookworm. */
  readonly suite?: string;
  /** Told each line the builder prints. */
  readonly onLine: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Room on the guest's disk beside what is installed, in MiB; a sparse file holds it. */
const roomMb = 2048;

/**
 * Builds the Linux guest from Debian packages, as root, without a registry or an installer: a folder becomes a file system,
 * which becomes a disk; kernel and initial disk stay beside it. The image of that name is replaced at the end, or left as
 * it was. Rejects with an `AleError` coded `image-build`.
 */
export async function buildLinuxImage(options: BuildLinuxImageOptions): Promise<VmImageFacts> {
  const { imagesDir, cacheDir, name = "vm-linux", extraPackages = [], suite = "bookworm" } = options;
  if (process.getuid?.() !== 0) {
    throw new AleError({
      code: "image-build",
      message: "The Linux guest is built as root, so that its files are root's.",
      remedy: "sudo npx ale sandboxes build vm-linux",
    });
  }
  const recipe = join(imagesDir, "vm-linux");
  const packages = [...(await readPackages(join(recipe, "packages.txt"))), ...extraPackages];
  const folder = imageFolder(cacheDir, name);
  await mkdir(join(folder, ".."), { recursive: true });
  const work = await mkdtemp(`${folder}.new-`);
  try {
    const root = join(work, "root");
    const hook = `sh '${join(recipe, "customize.sh")}' "$1" '${recipe}' '${work}'`;
    await follow(
      [
        hostProgram("mmdebstrap"),
        ...["--mode=root", "--variant=minbase", `--include=${packages.join(",")}`],
        ...['--aptopt=Apt::Install-Recommends "false"', "--dpkgopt=path-exclude=/usr/share/doc/*"],
        ...[`--customize-hook=${hook}`, suite, root],
      ],
      options,
    );
    const installed = await installedPackages(root);
    await makeDisk(root, work);
    await flushFile(join(work, "base.qcow2"));
    const facts: VmImageFacts = {
      schema: "ale/vm-image@1",
      name,
      os: "linux",
      digest: digestOf([...installed, ...(await readRecipe(recipe))]),
      packages: installed,
      boot: "kernel",
      files: await sizesOf(work, ["base.qcow2", "vmlinuz", "initrd"]),
    };
    await writeFile(join(work, "image.json"), `${JSON.stringify(facts, null, 2)}\n`);
    await rm(folder, { recursive: true, force: true });
    await rename(work, folder);
    return facts;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function readPackages(path: string): Promise<readonly string[]> {
  const lines = (await readFile(path, "utf8")).split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

/** What else decides over the image. */
function readRecipe(recipe: string): Promise<string[]> {
  return Promise.all(
    ["customize.sh", "init", "xorg.conf"].map((name) => readFile(join(recipe, name), "utf8")),
  );
}

async function installedPackages(root: string): Promise<readonly string[]> {
  const text = await readFile(join(root, "var/lib/dpkg/status"), "utf8");
  return [...text.matchAll(/^Package: (.*)$[\s\S]*?^Version: (.*)$/gm)]
    .map(([, name, version]) => `${name}=${version}`)
    .sort();
}

async function makeDisk(root: string, work: string): Promise<void> {
  const raw = join(work, "root.img");
  const { stdout } = await runHostProgram(["/usr/bin/du", "-sm", root]);
  const usedMb = Number.parseInt(stdout, 10);
  await writeFile(raw, "");
  await truncate(raw, (Math.ceil(usedMb * 1.15) + roomMb) * 1024 * 1024);
  await runTool("mke2fs", ["-q", "-t", "ext4", "-L", "ale", "-d", root, raw], "image-build");
  await runTool(
    "qemu-img",
    ["convert", "-f", "raw", "-O", "qcow2", raw, join(work, "base.qcow2")],
    "image-build",
  );
  await rm(raw);
  await rm(root, { recursive: true });
}

function digestOf(lines: readonly string[]): string {
  return `sha256:${createHash("sha256").update(lines.join("\n")).digest("hex")}`;
}

async function follow(argv: readonly string[], options: BuildLinuxImageOptions): Promise<void> {
  const [program = "", ...rest] = argv;
  const { signal } = options;
  const child = spawn(program, rest, {
    cwd: "/",
    env: { ...hostEnvironment, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal === undefined ? {} : { signal }),
  });
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      options.onLine(line);
      last.push(line);
      if (last.length > 10) last.shift();
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code === 0) return;
  throw new AleError({
    code: "image-build",
    message: `The packages of the guest could not be installed:\n${last.join("\n")}`,
    remedy: "Check that this host reaches a Debian mirror: apt-get update",
  });
}
