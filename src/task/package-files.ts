import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** A file of a package. */
export interface PackageFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly executable: boolean;
}

export interface FileListing {
  /** By path, in code-unit order. */
  readonly files: readonly PackageFile[];
  /** Links, devices, sockets: nothing a package may hold. */
  readonly strange: readonly string[];
}

/** Every file below a folder for which `keep` holds; a folder that is not kept is not entered. */
export async function listFiles(
  dir: string,
  keep: (path: string, kind: "file" | "folder") => boolean = () => true,
): Promise<FileListing> {
  const files: PackageFile[] = [];
  const strange: string[] = [];

  async function visit(folder: string): Promise<void> {
    for (const entry of await readdir(join(dir, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!keep(path, entry.isDirectory() ? "folder" : "file")) continue;
      if (entry.isDirectory()) await visit(path);
      else if (!entry.isFile()) strange.push(path);
      else {
        const { size, mode } = await lstat(join(dir, path));
        files.push({ path, bytes: size, executable: (mode & 0o100) !== 0 });
      }
    }
  }

  await visit("");
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), strange: strange.sort() };
}

const ignoredFolders = /(^|\/)(\.[^/]*|node_modules|__pycache__)$/;
const ignoredFiles =
  /(^|\/)(\.[^/]*|[^/]*~|#[^/]*#|[^/]*\.(swp|swo|pyc|tsbuildinfo)|Thumbs\.db|desktop\.ini|[^/]*\.test\.ts)$/;

/**
 * The files of a package that count. In `input/` and `reference/`, every file there is: all of it is staged.
 * Elsewhere not what is hidden (`.git`, receipts in `.ale`), `node_modules`, caches, tests, editors' droppings.
 */
export function listPackage(dir: string): Promise<FileListing> {
  return listFiles(dir, (path, kind) => {
    if (/^(input|reference)\//.test(path)) return true;
    return !(kind === "folder" ? ignoredFolders : ignoredFiles).test(path);
  });
}

/** True for what an agent may see of a package: its instruction, its input and the image it works in. */
export function isPublicFile(path: string): boolean {
  return path === "task.yaml" || path === "instruction.md" || /^(input|image)\//.test(path);
}
