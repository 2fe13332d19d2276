import { posix } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { FileEntry, MachineFiles, SearchHit } from "./machine-files.ts";

const searchedBytes = 4 * 1024 * 1024;

/**
 * Files through the sandbox's interface, for machines without POSIX programs. That interface may have an administrator's
 * rights, so nothing outside the agent's home is touched; links in it are the machine's to mind, which in Windows reads
 * and writes there with the agent's rights.
 */
export function plainFiles(sandbox: Sandbox): MachineFiles {
  async function list(path: string, depth: number, limit: number): Promise<readonly FileEntry[]> {
    const found: FileEntry[] = [];
    async function visit(folder: string, prefix: string, left: number): Promise<void> {
      for (const name of await sandbox.list(folder)) {
        if (found.length >= limit) return;
        const facts = await sandbox.stat(posix.join(folder, name));
        if (facts === undefined) continue;
        found.push({ path: prefix + name, type: facts.type, bytes: facts.bytes });
        if (facts.type === "folder" && left > 1) {
          await visit(posix.join(folder, name), `${prefix}${name}/`, left - 1);
        }
      }
    }
    await visit(inHome(path), "", depth);
    return found.sort((first, second) => (first.path < second.path ? -1 : 1));
  }

  return {
    list,
    async read(path, maxBytes) {
      const facts = await sandbox.stat(inHome(path));
      if (facts === undefined) throw unusable(path, "does not exist");
      const bytes = await sandbox.readFile(path, { maxBytes: Math.max(facts.bytes, maxBytes) });
      return { bytes: bytes.subarray(0, maxBytes), isWhole: bytes.byteLength <= maxBytes };
    },
    async write(path, content) {
      await sandbox.writeFile(inHome(path), content);
    },
    async search({ pattern, path, glob, limit }) {
      const expression = toExpression(path, pattern);
      const name = glob === undefined ? undefined : globExpression(glob);
      const facts = await sandbox.stat(inHome(path));
      const files =
        facts?.type === "file"
          ? [path]
          : (await list(path, 32, 100_000))
              .filter((entry) => entry.type === "file" && entry.bytes <= searchedBytes)
              .map((entry) => posix.join(path, entry.path));
      const hits: SearchHit[] = [];
      for (const file of files) {
        if (name !== undefined && !name.test(posix.basename(file))) continue;
        const bytes = await sandbox.readFile(file, { maxBytes: searchedBytes });
        if (bytes.includes(0)) continue;
        for (const [index, text] of Buffer.from(bytes).toString("utf8").split("\n").entries()) {
          if (expression.test(text)) hits.push({ path: file, line: index + 1, text });
          if (hits.length >= limit) return hits;
        }
      }
      return hits;
    },
  };
}

function inHome(path: string): string {
  const { home } = sandboxLayout;
  if (path === home || path.startsWith(`${home}/`)) return path;
  throw unusable(path, `is outside ${home}; use a command for it`);
}

function toExpression(path: string, pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (error) {
    throw unusable(path, `cannot be searched: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function globExpression(glob: string): RegExp {
  const escaped = glob.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`);
}

function unusable(path: string, why: string): AleError {
  return new AleError({ code: "sandbox-path", message: `${path} ${why}`, fields: { path } });
}
