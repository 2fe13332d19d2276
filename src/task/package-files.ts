import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** A file of a package. */
export interface PackageFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly executable: boolean;
}

export interface PackageListing {
  /** By path, in code-unit order. */
  readonly files: readonly PackageFile[];
  /** Links, devices, sockets: nothing a package may hold. */
  readonly strange: readonly string[];
}

const ignoredFolders: ReadonlySet<string> = new Set(["node_modules", "__pycache__"]);
const ignoredFiles = /^(\..*|.*~|#.*#|.*\.(swp|swo|pyc|tsbuildinfo)|Thumbs\.db|desktop\.ini|.*\.test\.ts)$/;

/**
 * The files of a package that count. In `input/` and `reference/`, every file there is: all of it is staged.
 * Elsewhere not what is hidden (`.git`, receipts in `.ale`), `node_modules`, caches, tests, editors' droppings.
 */
export async function listPackage(dir: string): Promise<PackageListing> {
  const files: PackageFile[] = [];
  const strange: string[] = [];

  async function visit(folder: string): Promise<void> {
    for (const entry of await readdir(join(dir, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const isData = /^(input|reference)\//.test(path);
      if (entry.isDirectory()) {
        const ignored = entry.name.startsWith(".") || ignoredFolders.has(entry.name);
        if (isData || !ignored) await visit(path);
      } else if (isData || !ignoredFiles.test(entry.name)) {
        if (!entry.isFile()) {
          strange.push(path);
          continue;
        }
        const { size, mode } = await lstat(join(dir, path));
        files.push({ path, bytes: size, executable: (mode & 0o100) !== 0 });
      }
    }
  }

  await visit("");
  const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
    a.path < b.path ? -1 : 1;
  return { files: files.sort(byPath), strange: strange.sort() };
}

/** True for what an agent may see of a package: its instruction, its input and the image it works in. */
export function isPublicFile(path: string): boolean {
  return path === "task.yaml" || path === "instruction.md" || /^(input|image)\//.test(path);
}
