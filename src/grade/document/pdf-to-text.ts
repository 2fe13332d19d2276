import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";

export interface PdfToTextOptions {
  /** Keep the columns of the page with blanks; default false: reading order. */
  readonly layout?: boolean;
  /** Default 60,000 ms. */
  readonly timeoutMs?: number;
  /** Default 64 MiB of text. */
  readonly maxOutputBytes?: number;
  /** Name or path of Poppler's program, default `pdftotext`. */
  readonly program?: string;
}

/**
 * The text of each page as Poppler's `pdftotext` has it, for graders that declare that program. Bad when it cannot read
 * the file in the time. Throws an `AleError` coded `program-missing` without it.
 */
export async function pdfToText(
  path: string,
  options: PdfToTextOptions = {},
): Promise<Read<readonly string[]>> {
  const { program = "pdftotext", maxOutputBytes = 64 * 1024 ** 2 } = options;
  const layout = options.layout === true ? ["-layout"] : [];
  const name = quote(basename(path));
  const child = spawn(program, [...layout, "-enc", "UTF-8", path, "-"], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" },
    timeout: options.timeoutMs ?? 60_000,
    killSignal: "SIGKILL",
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxOutputBytes) child.kill("SIGKILL");
    else chunks.push(chunk);
  });
  let code: number | null;
  try {
    [code] = await ended;
  } catch (cause) {
    throw new AleError({
      code: "program-missing",
      message: `The program ${program} cannot be started.`,
      remedy: "Install poppler-utils where graders run, and declare `pdftotext` among the grader's programs.",
      fields: { program },
      cause,
    });
  }
  if (size > maxOutputBytes) return bad(`${name} holds more than ${maxOutputBytes} bytes of text.`);
  if (code !== 0) return bad(`${name} cannot be read as a PDF.`);
  const pages = Buffer.concat(chunks).toString("utf8").split("\f");
  pages.pop();
  return ok(pages);
}
