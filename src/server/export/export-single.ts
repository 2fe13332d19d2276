import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Hono } from "hono";
import { askBytes, crawl } from "./crawl.ts";
import { dataUri } from "./data-uri.ts";
import type { ExportSummary } from "./export-folder.ts";
import { exportedPage, scriptValue } from "./exported-page.ts";

export interface ExportSingleOptions {
  /** An API in the mode `exported`. */
  readonly app: Hono;
  /** Folder of the built client for exports. */
  readonly webDir: string;
  readonly file: string;
}

const limits = { pages: 2, compared: 8 };
const largestFile = 300 * 1000;
/** One file is to be mailed: behind this many bytes of files no more are taken in. */
const filesTogether = 10 * 1000 * 1000;

/** Writes everything a reader may look at as one HTML file: long timelines are cut, large files left out and named. */
export async function exportSingle({
  app,
  webDir,
  file: target,
}: ExportSingleOptions): Promise<ExportSummary> {
  const values: Record<string, unknown> = {};
  const files: Record<string, string> = {};
  const leftOut: string[] = [];
  let parts = 0;
  let total = 0;
  for await (const part of crawl(app, limits)) {
    Object.assign(values, part.answers);
    for (const { address, file } of part.files) {
      if (file.bytes > largestFile || total + file.bytes > filesTogether) {
        leftOut.push(address);
        continue;
      }
      total += file.bytes;
      files[address] = dataUri(file.path, await askBytes(app, address));
    }
    parts += 1;
  }
  const index = Object.fromEntries(Object.keys(values).map((path) => [path, 0]));
  const data = `window.aleData=${scriptValue({ index, values, files })};`;
  const [script, style] = await Promise.all(
    ["app.js", "app.css"].map((name) => readFile(join(webDir, name), "utf8")),
  );
  const page = { data, script: { text: script ?? "" }, style: { text: style ?? "" } };
  await writeFile(resolve(target), exportedPage(page));
  return { attempts: parts - 1, files: Object.keys(files).length, leftOut };
}
