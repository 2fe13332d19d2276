import { posix } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { type CommandOptions, type CommandResult, describeEnd, succeeded } from "../../sandbox/command.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { FileEntry, MachineFiles, SearchHit } from "./machine-files.ts";

const commandMs = 60_000;
const listBytes = 4 * 1024 * 1024;
const kinds: Readonly<Record<string, FileEntry["type"]>> = { f: "file", d: "folder", l: "link" };

/**
 * Files through the machine's own programs, run as the agent: the sandbox's interface has the rights of its
 * administrator, and an agent must not read or replace through us what it may not itself.
 */
export function posixFiles(sandbox: Sandbox): MachineFiles {
  const run = (argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> =>
    sandbox.exec(argv, { timeoutMs: commandMs, ...options });

  return {
    async read(path, maxBytes) {
      const result = await run(["head", "-c", String(maxBytes + 1), "--", path], {
        maxOutputBytes: maxBytes + 1024,
      });
      if (!succeeded(result)) throw refused(path, result);
      const isWhole = result.stdout.byteLength <= maxBytes;
      return { bytes: result.stdout.subarray(0, maxBytes), isWhole };
    },
    async write(path, content) {
      const folder = await run(["mkdir", "-p", "--", posix.dirname(path)]);
      if (!succeeded(folder)) throw refused(path, folder);
      const result = await run(["tee", "--", path], { stdin: content, maxOutputBytes: 1024 });
      if (!succeeded(result)) throw refused(path, result);
    },
    async list(path, depth, limit) {
      const format = "%y\\t%s\\t%P\\0";
      const argv = ["find", path, "-mindepth", "1", "-maxdepth", String(depth), "-printf", format];
      const result = await run(argv, { maxOutputBytes: listBytes });
      // Folders that may not be looked into are no reason to tell nothing of the others.
      if (!succeeded(result) && result.stdoutBytes === 0) throw refused(path, result);
      const entries = decode(result.stdout)
        .split("\0")
        .flatMap((line): readonly FileEntry[] => {
          const [, kind = "", bytes = "", name] = /^(.)\t(\d+)\t([\s\S]+)$/.exec(line) ?? [];
          return name === undefined
            ? []
            : [{ path: name, type: kinds[kind] ?? "other", bytes: Number(bytes) }];
        });
      return entries.sort((first, second) => (first.path < second.path ? -1 : 1)).slice(0, limit);
    },
    async search({ pattern, path, glob, limit }) {
      const only = glob === undefined ? [] : [`--include=${glob}`];
      const argv = ["grep", "-rnIHZP", "-m", String(limit), ...only, "-e", pattern, "--", path];
      const result = await run(argv, { maxOutputBytes: listBytes });
      const isNone = result.end.kind === "exited" && result.end.code === 1;
      if (!succeeded(result) && !isNone && result.stdoutBytes === 0) throw refused(path, result);
      return decode(result.stdout)
        .split("\n")
        .flatMap((line): readonly SearchHit[] => {
          const [, file, number, text = ""] = /^([^\0]+)\0(\d+):(.*)$/.exec(line) ?? [];
          return file === undefined ? [] : [{ path: file, line: Number(number), text }];
        })
        .slice(0, limit);
    },
  };
}

function refused(path: string, result: CommandResult): AleError {
  const said = decode(result.stderr).trim().split("\n")[0] ?? "";
  const why = said.replace(/^\w+: /, "") || describeEnd(result.end);
  return new AleError({ code: "sandbox-path", message: `${path}: ${why}`, fields: { path } });
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
