import { createReadStream } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import type { Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { AleError } from "../../contract/ale-error.ts";
import type { AppOptions } from "../app-options.ts";
import { attemptEnded } from "../attempt-ended.ts";
import { attemptPath, createAttemptFinder } from "../attempt-finder.ts";
import { fileKind } from "../files/file-kind.ts";
import { isForMaintainers } from "../files/list-files.ts";
import { previewFile } from "../files/preview-file.ts";
import { type SafeFile, safeFile } from "../files/safe-path.ts";
import type { ItemSource } from "../items/item-source.ts";
import { maskSecrets } from "../items/mask-secrets.ts";
import { indexItems, readItemPage, readWholeItem, searchItems } from "../items/read-items.ts";
import { tailItems } from "../items/tail-items.ts";
import { usageTrack } from "../items/usage-track.ts";
import { type ItemKind, itemFiles, trialView } from "../trial-view.ts";

/** One attempt: its facts, items, files. */
export function addTrialRoutes(app: Hono, options: AppOptions): void {
  const { maintainer } = options.about;
  const finder = createAttemptFinder(options);

  async function itemsOf(context: Context): Promise<ItemSource> {
    const { attempt } = await finder.open(context);
    const file = itemFiles[(context.req.param("kind") ?? "") as ItemKind];
    if (file === undefined)
      throw new AleError({ code: "unknown-file", message: "there are events, steps and calls" });
    const { name, ...how } = file;
    const source: ItemSource = { path: join(attempt.dir, name), ...how };
    return maintainer ? source : { ...source, mask: maskSecrets };
  }

  async function fileOf(context: Context, prefix: string): Promise<SafeFile> {
    const { attempt } = await finder.open(context);
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

  app.get(attemptPath, async (context) => {
    const { run, attempt } = await finder.find(context);
    return context.json(await trialView(run, attempt, await options.tasks(), maintainer));
  });
  app.get(`${attemptPath}/items/:kind/index`, async (context) =>
    context.json(await indexItems(await itemsOf(context))),
  );
  app.get(`${attemptPath}/items/:kind/page/:offset`, async (context) =>
    context.json(await readItemPage(await itemsOf(context), offsetOf(context))),
  );
  app.get(`${attemptPath}/items/:kind/at/:offset`, async (context) => {
    const item = await readWholeItem(await itemsOf(context), offsetOf(context));
    if (item !== undefined) return context.json(item);
    throw new AleError({ code: "unknown-item", message: "nothing starts at this offset" });
  });
  app.get(`${attemptPath}/items/:kind/search`, async (context) => {
    const query = context.req.query("q") ?? "";
    if (query === "") return context.json({ hits: [], more: false });
    return context.json(await searchItems(await itemsOf(context), query));
  });
  app.get(`${attemptPath}/items/:kind/tail`, async (context) => {
    const source = await itemsOf(context);
    const { dir } = (await finder.find(context)).attempt;
    const ended = (): Promise<boolean> => attemptEnded(dir);
    return streamSSE(context, async (stream) => {
      const left = new AbortController();
      stream.onAbort(() => left.abort());
      await tailItems(stream, { source, clock: options.clock, signal: left.signal, ended });
    });
  });
  app.get(`${attemptPath}/items/:kind/usage`, async (context) =>
    context.json(await usageTrack(await itemsOf(context))),
  );
  app.get(`${attemptPath}/preview/*`, async (context) => {
    const file = await fileOf(context, "preview");
    return context.json(await previewFile(file.path));
  });
  app.get(`${attemptPath}/files/*`, async (context) => sendFile(context, await fileOf(context, "files")));
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
