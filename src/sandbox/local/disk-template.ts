import { existsSync } from "node:fs";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { HostTools } from "./host-tools.ts";
import { runHostProgram } from "./run-host-program.ts";
import { spareDisk } from "./spare-disk.ts";

/** Folders every disk starts with: an upper and a work folder for each overlay. */
export function layerFolders(overlays: readonly string[]): readonly string[] {
  return ["/", ...overlays].flatMap((path) => [`${layerName(path)}-upper`, `${layerName(path)}-work`]);
}

/** `root` for `/`, `usr` for `/usr`. */
export function layerName(path: string): string {
  return path === "/" ? "root" : path.slice(1).replaceAll("/", "-");
}

/**
 * The path of an empty ext4 image of the size, made once and then copied per machine (a sparse copy of some
 * 300 KiB), with the {@link spareDisk} beyond it. Without a journal: a machine's disk never outlives it.
 */
export async function diskTemplate(
  disksFolder: string,
  diskMb: number,
  overlays: readonly string[],
  tools: HostTools,
  draftName: string,
): Promise<string> {
  const layers = layerFolders(overlays);
  const path = join(disksFolder, `${diskMb}+${spareDisk.imageMb}-${overlays.map(layerName).join("-")}.ext4`);
  if (existsSync(path)) return path;
  const draft = join(disksFolder, draftName);
  const seed = `${draft}.seed`;
  await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
  try {
    for (const folder of layers) await mkdir(join(seed, folder), { recursive: true, mode: 0o755 });
    await makeSpareFiles(join(seed, spareDisk.folder));
    const file = await open(draft, "wx", 0o600);
    await file.truncate((diskMb + spareDisk.imageMb) * 1024 * 1024);
    await file.close();
    const result = await runHostProgram([
      tools.path("mkfs.ext4"),
      ...["-q", "-F", "-m", "0", "-O", "^has_journal,^resize_inode"],
      ...["-E", "lazy_itable_init=1,nodiscard,root_owner=0:0", "-d", seed, draft],
    ]);
    if (result.code !== 0) {
      throw new AleError({
        code: "sandbox-create",
        message: `A disk image of ${diskMb} MiB could not be made: ${result.stderr.trim()}`,
        remedy: "Give the sandbox a disk of at least 4 MiB, and the state folder free space.",
        fields: { diskMb },
      });
    }
    await rename(draft, path);
    return path;
  } finally {
    await rm(seed, { recursive: true, force: true });
    await rm(draft, { force: true });
  }
}

/** Empty files that hold an inode each; their bytes are set aside when a machine starts. */
async function makeSpareFiles(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (let file = 0; file < spareDisk.files; file++) await writeFile(join(folder, String(file)), "");
}
