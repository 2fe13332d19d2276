import { stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { Worker } from "node:worker_threads";
import { AleError } from "../../contract/ale-error.ts";
import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";
import type { PdfDocument } from "./pdf-document.ts";
import type { PdfReply, PdfTask } from "./pdf-worker.ts";

export interface PdfLimits {
  /** Default 64 MiB. */
  readonly maxBytes?: number;
  /** Default 2,000. */
  readonly maxPages?: number;
  /** For the whole file, default 120,000 ms. */
  readonly timeoutMs?: number;
}

/** Of the worker's heap. */
const heapMegabytes = 1024;

/**
 * Reads the text of a PDF page by page; what is only an image has none. Bad when it is missing, damaged, encrypted,
 * bomb-like or beyond the limits; it is parsed in a worker, so that it can neither hang nor fill the grader.
 * Throws an `AleError` coded `library-missing` when `unpdf` is not installed.
 *
 * @param path of a file on the host, e.g. from `locateArtifact`.
 */
export async function readPdf(path: string, limits: PdfLimits = {}): Promise<Read<PdfDocument>> {
  const name = quote(basename(path));
  const unfit = await findFileProblem(path, limits.maxBytes ?? 64 * 1024 ** 2);
  if (unfit !== undefined) return bad(`${name} ${unfit}.`);
  const reply = await parse({ path, maxPages: limits.maxPages ?? 2000 }, limits.timeoutMs ?? 120_000);
  switch (reply.kind) {
    case "read":
      return ok(reply.document);
    case "problem":
      return bad(`${name} cannot be read as a PDF: ${quote(reply.message, 120)}.`);
    case "no-library":
      throw new AleError({
        code: "library-missing",
        message: "PDF files cannot be read without the package unpdf.",
        remedy: "Run `npm install unpdf` where graders run.",
      });
  }
}

async function parse(task: PdfTask, timeoutMs: number): Promise<PdfReply> {
  // The built package has the worker as JavaScript.
  const program = new URL(`./pdf-worker${extname(import.meta.url)}`, import.meta.url);
  await using worker = new Worker(program, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  const { promise, resolve } = Promise.withResolvers<PdfReply>();
  worker.on("message", resolve);
  worker.on("error", () => {
    resolve({ kind: "problem", message: "it is damaged, or takes too much memory" });
  });
  const timer = setTimeout(() => {
    resolve({ kind: "problem", message: `reading it takes longer than ${timeoutMs} ms` });
  }, timeoutMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

async function findFileProblem(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return "is not a regular file";
    return found.size > maxBytes
      ? `is too large: ${found.size} bytes, at most ${maxBytes} are read`
      : undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === "ENOENT" || code === "ENOTDIR"
      ? "is missing"
      : `cannot be read (${code ?? "unknown error"})`;
  }
}
