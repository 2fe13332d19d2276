import { copyFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Hono } from "hono";
import { AleError } from "../../contract/ale-error.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { orAbsent } from "../../files/or-absent.ts";
import { askBytes, crawl } from "./crawl.ts";
import { dataUri } from "./data-uri.ts";
import { exportedPage, scriptValue } from "./exported-page.ts";

export interface ExportFolderOptions {
  /** An API in the mode `exported`. */
  readonly app: Hono;
  /** Folder of the built client for exports. */
  readonly webDir: string;
  /** Absent or empty. */
  readonly folder: string;
}

/** What an export came to. */
export interface ExportSummary {
  readonly attempts: number;
  readonly files: number;
  /** Files that were too large. */
  readonly leftOut: readonly string[];
}

const limits = { pages: 50, compared: 12 };
const largestFile = 100 * 1000 * 1000;

/**
 * Writes everything a reader may look at as a folder of static files: `index.html` opens from disk, and asks nothing of any
 * host. Each attempt is a script of its own that is loaded when it is looked at. Throws `folder-not-empty`.
 */
export async function exportFolder({ app, webDir, folder }: ExportFolderOptions): Promise<ExportSummary> {
  const root = resolve(folder);
  if (((await orAbsent(readdir(root))) ?? []).length > 0) {
    throw new AleError({
      code: "folder-not-empty",
      message: `${root} is not empty`,
      remedy: "name a folder that is not there yet",
      fields: { folder: root },
    });
  }
  await makeFolder(join(root, "data"));
  const index: Record<string, number> = {};
  const files: Record<string, string> = {};
  const leftOut: string[] = [];
  let number = 0;
  let shared: Readonly<Record<string, unknown>> = {};
  for await (const part of crawl(app, limits)) {
    for (const path of Object.keys(part.answers)) index[path] = number;
    if (number === 0) shared = part.answers;
    else {
      const code = `Object.assign(aleData.values,${scriptValue(part.answers)});\n`;
      await writeFile(join(root, "data", `${number}.js`), code);
    }
    for (const { address, file } of part.files) {
      if (file.bytes > largestFile) leftOut.push(address);
      else files[address] = await writeExported(app, root, address, file.path);
    }
    number += 1;
  }
  const data = `window.aleData=${scriptValue({ index, values: shared, files })};`;
  const page = { data, style: { href: "app.css" }, script: { src: "app.js" } };
  await writeFile(join(root, "index.html"), exportedPage(page));
  for (const name of ["app.js", "app.css"]) await copyFile(join(webDir, name), join(root, name));
  return { attempts: number - 1, files: Object.keys(files).length, leftOut };
}

/** Endings that a browser shows or saves without running anything in them. */
const harmless =
  /\.(csv|tsv|txt|log|json|geojson|png|jpe?g|gif|webp|pdf|mp3|wav|ogg|mp4|webm|xlsx|docx|pptx|ods|odt|zip|gz|tar|parquet|tiff?)$/i;

/** Writes one file, and gives its address: what might run when it is opened gets the ending of a text. */
async function writeExported(app: Hono, root: string, address: string, path: string): Promise<string> {
  const bytes = await askBytes(app, address);
  if (/\.svg$/i.test(path)) return dataUri(path, bytes);
  const name = `files/${address.replace(/^runs\//, "")}${harmless.test(path) ? "" : ".txt"}`;
  const target = join(root, ...name.split("/").map(decodeURIComponent));
  await makeFolder(dirname(target));
  await writeFile(target, bytes);
  return name;
}
