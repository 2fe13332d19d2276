import { extname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { ArtifactPreview } from "../api/artifact-preview.ts";
import { docxPreview } from "./office/docx-preview.ts";
import { pptxPreview } from "./office/pptx-preview.ts";
import { parquetPreview } from "./parquet-preview.ts";
import { workbookPreview } from "./workbook-preview.ts";

/** Readers of packed files by ending; any other is a workbook. */
const readers: Readonly<Record<string, (path: string) => Promise<ArtifactPreview>>> = {
  ".docx": docxPreview,
  ".pptx": pptxPreview,
  ".parquet": parquetPreview,
};

const path = String(workerData);
const read = readers[extname(path).toLowerCase()] ?? workbookPreview;
parentPort?.postMessage(await read(path));
