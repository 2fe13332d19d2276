import { createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import type { Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { AleError } from "../../contract/ale-error.ts";
import { orAbsent } from "../../record/file-error.ts";
import { attemptFiles } from "../../record/run-layout.ts";
import type { AttemptRecord } from "../../record/run-record.ts";
import type { AppOptions } from "../app-options.ts";
import { fileKind } from "../files/file-kind.ts";
import { isForMaintainers } from "../files/list-files.ts";
import { previewFile } from "../files/preview-file.ts";
import { type SafeFile, safeFile } from "../files/safe-path.ts";
import type { ItemSource } from "../items/item-source.ts";
import { maskSecrets } from "../items/mask-secrets.ts";
import { indexItems, readItemPage, readWholeItem, searchItems } from "../items/read-items.ts";
import { tailItems } from "../items/tail-items.ts";
import { usageTrack } from "../items/usage-track.ts";
import type { LoadedRun } from "../loaded-run.ts";
import { contentWithheld, findAttempt, type ItemKind, itemFiles, trialView } from "../trial-view.ts";

const base = "/api/runs/:run/trials/:trial/:attempt";

/** One attempt: its facts, items, files. */
export function addTrialRoutes(app: Hono, options: AppOptions): void {
  const { maintainer } = options.about;

  async function attemptOf(
    context: Context,
  ): Promise<{ readonly run: LoadedRun; readonly attempt: AttemptRecord }> {
    const run = await options.shelf.get(context.req.param("run") ?? "");
    const attempt = findAttempt(run, context.req.param("trial") ?? "", Number(context.req.param("attempt")));
    return { run, attempt };
  }

  /** Throws `forbidden` where the content of the trial is kept from the page. */
  async function openAttempt(context: Context): Promise<AttemptRecord> {
    const { run, attempt } = await attemptOf(context);
    const trial = run.trials.find((one) => one.trial === attempt.trial);
    const hidden = contentWithheld(trial?.instance ?? "", await options.tasks(), maintainer);
    if (hidden === undefined) return attempt;
    throw new AleError({
      code: "forbidden",
      message: `${hidden.reason}; it is not shown`,
      remedy: "start the server with --maintainer",
    });
  }

  async function itemsOf(context: Context): Promise<ItemSource> {
    const attempt = await openAttempt(context);
    const file = itemFiles[(context.req.param("kind") ?? "") as ItemKind];
    if (file === undefined)
      throw new AleError({ code: "unknown-file", message: "there are events, steps and calls" });
    const { name, ...how } = file;
    const source: ItemSource = { path: join(attempt.dir, name), ...how };
    return maintainer ? source : { ...source, mask: maskSecrets };
  }

  async function fileOf(context: Context, prefix: string): Promise<SafeFile> {
    const attempt = await openAttempt(context);
    const path = decodeURIComponent(context.req.path);
    const name = path
      .slice(path.indexOf(`/${context.req.param("attempt")}/${prefix}/`))
      .split("/")
      .slice(3)
      .join("/");
    const file = !maintainer && isForMaintainers(name) ? undefined : await safeFile(attempt.dir, name);
    if (file !== undefined) return file;
    throw new AleError({ code: "unknown-file", message: `${name} is not a file that can be shown` });
  }

  app.get(base, async (context) => {
    const { run, attempt } = await attemptOf(context);
    return context.json(await trialView(run, attempt, await options.tasks(), maintainer));
  });
  app.get(`${base}/items/:kind/index`, async (context) =>
    context.json(await indexItems(await itemsOf(context))),
  );
  app.get(`${base}/items/:kind/page/:offset`, async (context) =>
    context.json(await readItemPage(await itemsOf(context), offsetOf(context))),
  );
  app.get(`${base}/items/:kind/at/:offset`, async (context) => {
    const item = await readWholeItem(await itemsOf(context), offsetOf(context));
    if (item !== undefined) return context.json(item);
    throw new AleError({ code: "unknown-item", message: "nothing starts at this offset" });
  });
  app.get(`${base}/items/:kind/search`, async (context) => {
    const query = context.req.query("q") ?? "";
    if (query === "") return context.json({ hits: [], more: false });
    return context.json(await searchItems(await itemsOf(context), query));
  });
  app.get(`${base}/items/:kind/tail`, async (context) => {
    const source = await itemsOf(context);
    const { dir } = (await attemptOf(context)).attempt;
    const ended = async (): Promise<boolean> =>
      (await orAbsent(access(join(dir, attemptFiles.result)).then(() => true))) === true;
    return streamSSE(context, async (stream) => {
      const left = new AbortController();
      stream.onAbort(() => left.abort());
      await tailItems(stream, { source, clock: options.clock, signal: left.signal, ended });
    });
  });
  app.get(`${base}/items/:kind/usage`, async (context) =>
    context.json(await usageTrack(await itemsOf(context))),
  );
  app.get(`${base}/preview/*`, async (context) => {
    const file = await fileOf(context, "preview");
    return context.json(await previewFile(file.path));
  });
  app.get(`${base}/files/*`, async (context) => sendFile(context, await fileOf(context, "files")));
}

function offsetOf(context: Context): number {
  const offset = Number(context.req.param("offset"));
  if (Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new AleError({ code: "unknown-item", message: "an offset is a whole number of bytes from 0" });
}

/** Sends bytes an agent left: never as a page or script of ours, and asking nothing of any host. */
function sendFile(context: Context, file: SafeFile): Response {
  const { contentType } = fileKind(file.path);
  // The browser's own reader of PDF does not start in a sandbox; it runs no script of the document's in our origin.
  const isolation = contentType === "application/pdf" ? "" : "; sandbox";
  const inline = contentType !== "application/octet-stream";
  const name = encodeURIComponent(basename(file.path));
  const headers: Record<string, string> = {
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'${isolation}`,
    "Content-Disposition": `${inline ? "inline" : "attachment"}; filename*=UTF-8''${name}`,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Accept-Ranges": "bytes",
  };
  const range = byteRange(context.req.header("Range"), file.bytes);
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
  if (range !== undefined) headers["Content-Range"] = `bytes ${start}-${end}/${file.bytes}`;
  headers["Content-Length"] = String(end - start + 1);
  const body =
    file.bytes === 0 ? null : (Readable.toWeb(createReadStream(file.path, { start, end })) as ReadableStream);
  return new Response(body, { status: range === undefined ? 200 : 206, headers });
}

/** A single range, as players of sound and video ask for; anything else is answered whole. */
function byteRange(
  header: string | undefined,
  bytes: number,
): { readonly start: number; readonly end: number } | undefined {
  const match = /^bytes=(\d+)-(\d*)$/.exec(header ?? "");
  if (match === null) return undefined;
  const start = Number(match[1]);
  const end = match[2] === "" ? bytes - 1 : Math.min(Number(match[2]), bytes - 1);
  return start <= end ? { start, end } : undefined;
}
