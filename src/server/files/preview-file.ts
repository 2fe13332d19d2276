import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { ArtifactPreview } from "../api/artifact-preview.ts";
import { fileKind } from "./file-kind.ts";
import { textPreview } from "./text-preview.ts";

const limits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 };
const patienceMs = 15_000;

/** Makes a file fit for a page. */
export async function previewFile(path: string): Promise<ArtifactPreview> {
  const kind = fileKind(path).preview;
  if (kind === "none") return { kind: "none", reason: "no preview of this kind of file; open or save it" };
  if (kind === "document") return readApart(path);
  if (kind === "table") return /\.[ct]sv$/i.test(path) ? textPreview(path, kind) : readApart(path);
  return kind === "text" || kind === "json" ? textPreview(path, kind) : { kind };
}

/** A workbook or document is compressed, and may be a bomb: it is read in a thread with a limit of memory and time. */
async function readApart(path: string): Promise<ArtifactPreview> {
  const program = new URL(`./preview-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(program, { workerData: path, resourceLimits: limits });
  const { promise, resolve } = Promise.withResolvers<ArtifactPreview>();
  const giveUp = (reason: string): void => resolve({ kind: "none", reason });
  const timer = setTimeout(() => giveUp(`it could not be read within ${patienceMs / 1000} s`), patienceMs);
  worker.on("message", (preview: ArtifactPreview) => resolve(preview));
  worker.on("error", (error) =>
    giveUp(`it cannot be read: ${error instanceof Error ? error.message : String(error)}`),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
