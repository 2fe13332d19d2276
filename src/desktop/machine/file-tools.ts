import { posix } from "node:path";
import { z } from "zod";
import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { layoutPath } from "../../contract/windows-layout.ts";
import { type AgentTool, defineTool, failure, success } from "../tools/agent-tool.ts";
import { imageType } from "./image-type.ts";
import type { MachineFiles } from "./machine-files.ts";

const readBytes = 16 * 1024 * 1024;
/** Largest image given to a model, in bytes: about what providers take. */
const imageBytes = 5 * 1024 * 1024;
const listedEntries = 1000;

const path = z.string().min(1).describe("Absolute, or relative to your home folder.");

/** Tools to read, write, edit, list and search files. @param maxText characters of an answer. */
export function fileTools(
  files: () => Promise<MachineFiles>,
  maxText: number,
  os?: "windows",
): readonly AgentTool[] {
  const absolute = (given: string): string => (os === "windows" ? windowsPath(given) : absolutePath(given));
  return [
    defineTool({
      name: "read",
      description:
        "Reads a file: text with line numbers left out, or a PNG, JPEG, GIF or WebP image to look at.",
      input: z.strictObject({
        path,
        from_line: z.int().positive().exactOptional().describe("First line wanted; 1 is the first."),
        lines: z.int().positive().exactOptional().describe("How many lines."),
      }),
      async run(input) {
        const at = absolute(input.path);
        const { bytes, isWhole } = await (await files()).read(at, readBytes);
        const mediaType = imageType(bytes);
        if (mediaType !== undefined) {
          if (!isWhole || bytes.byteLength > imageBytes) {
            return failure(`${at} is an image of over ${imageBytes} bytes: scale it down first`);
          }
          const data = Buffer.from(bytes).toString("base64");
          return { content: [{ type: "image", mediaType, data }], failed: false };
        }
        if (bytes.subarray(0, 8192).includes(0))
          return failure(`${at} is not text: use a program to read it`);
        return readText(Buffer.from(bytes).toString("utf8"), isWhole, input, maxText);
      },
    }),
    defineTool({
      name: "write",
      description: "Writes a text file, in place of what is there, and makes its folders.",
      input: z.strictObject({ path, content: z.string() }),
      async run(input) {
        const at = absolute(input.path);
        await (await files()).write(at, input.content);
        return success(`wrote ${Buffer.byteLength(input.content)} bytes to ${at}`);
      },
    }),
    defineTool({
      name: "edit",
      description:
        "Replaces an exact piece of a text file. The piece must be there once, unless all is true.",
      input: z.strictObject({
        path,
        old: z.string().min(1),
        new: z.string(),
        all: z.boolean().exactOptional(),
      }),
      async run(input) {
        const at = absolute(input.path);
        const { bytes, isWhole } = await (await files()).read(at, readBytes);
        if (!isWhole) return failure(`${at} is larger than ${readBytes} bytes: use a program to edit it`);
        const text = Buffer.from(bytes).toString("utf8");
        const times = text.split(input.old).length - 1;
        if (times === 0) return failure(`${at} does not hold that piece`);
        if (times > 1 && input.all !== true) return failure(`${at} holds that piece ${times} times`);
        await (await files()).write(at, text.split(input.old).join(input.new));
        return success(`replaced it ${times === 1 ? "once" : `${times} times`} in ${at}`);
      },
    }),
    defineTool({
      name: "list",
      description: "Lists a folder: kind, bytes and path of each entry.",
      input: z.strictObject({
        path: path.default("."),
        depth: z.int().min(1).max(20).default(1).describe("How many levels of folders."),
      }),
      async run(input) {
        const at = absolute(input.path);
        const entries = await (await files()).list(at, input.depth, listedEntries);
        if (entries.length === 0) return success(`${at} is empty`);
        const lines = entries.map((entry) => `${entry.type.padEnd(6)} ${entry.bytes} ${entry.path}`);
        const rest = entries.length === listedEntries ? [`[only the first ${listedEntries} are listed]`] : [];
        return success(clip([...lines, ...rest].join("\n"), maxText));
      },
    }),
    defineTool({
      name: "search",
      description: "Searches text files for a regular expression (Perl's kind); gives path, line and text.",
      input: z.strictObject({
        pattern: z.string().min(1),
        path: path.default("."),
        glob: z.string().min(1).exactOptional().describe("Only files so named, such as *.csv"),
        limit: z.int().min(1).max(1000).default(100),
      }),
      async run({ glob, ...input }) {
        const query = { ...input, path: absolute(input.path), ...(glob === undefined ? {} : { glob }) };
        const hits = await (await files()).search(query);
        if (hits.length === 0) return success("nothing matches");
        const lines = hits.map((hit) => `${hit.path}:${hit.line}: ${hit.text.slice(0, 500)}`);
        return success(clip(lines.join("\n"), maxText));
      },
    }),
  ];
}

interface LineRange {
  readonly from_line?: number;
  readonly lines?: number;
}

function readText(
  text: string,
  isWhole: boolean,
  range: LineRange,
  maxText: number,
): ReturnType<typeof success> {
  const all = text.split("\n");
  const from = (range.from_line ?? 1) - 1;
  if (from >= all.length) return failure(`the file has ${all.length} lines`);
  const wanted = all.slice(from, range.lines === undefined ? undefined : from + range.lines);
  const note = isWhole ? "" : `\n[only the first ${readBytes} bytes were read]`;
  return success(clip(wanted.join("\n"), maxText) + note);
}

/** The head of a long text, with a word on what is left out. */
function clip(text: string, maxText: number): string {
  if (text.length <= maxText) return text;
  return `${text.slice(0, maxText)}\n[${text.length - maxText} more characters: ask for a part]`;
}

/** A drive outside the layout is left as it is: who reads it says what is wrong with it. */
function windowsPath(given: string): string {
  const path = layoutPath(given);
  return /^[A-Za-z]:/.test(path) ? path : absolutePath(path);
}

function absolutePath(given: string): string {
  if (given.includes("\0")) throw new AleError({ code: "sandbox-path", message: "the path holds a NUL" });
  const { home } = sandboxLayout;
  return posix.resolve(home, given.replace(/^~(?=\/|$)/, home));
}
