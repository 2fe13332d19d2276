import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { parseJson } from "../../contract/json-fields.ts";
import type { KeyMask } from "../record/key-mask.ts";
import { readServerEvents, type ServerEventReader } from "../server-events.ts";
import type { SilenceWatch } from "../upstream/silence-watch.ts";
import { isUsageChunk } from "../wires/openai/chat-usage-filter.ts";
import type { AnswerMeter } from "../wires/wire.ts";
import { answerHeaders } from "./upstream-headers.ts";

export interface RelayedAnswer {
  /** All of it, as the client was sent it; cut at {@link keptBytes}. */
  readonly body: Uint8Array;
  /** Why the answer did not come to its end. */
  readonly cut: string | undefined;
  /** The silence that it broke off in, in milliseconds; 0 for one that broke off otherwise. */
  readonly lostMs: number;
}

/** Events without any of these words are pieces of text, of which there are very many and which no meter reads. */
const telling = /usage|model|stop|finish|error|status|refusal|block_?reason/i;

/** Most of an answer that is kept for the record. */
const keptBytes = 64 * 1024 * 1024;

export interface RelaySource {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

export interface RelayOptions {
  readonly meter: AnswerMeter;
  /** Leaves out the event that tells the usage of a stream. */
  readonly hideUsage: boolean;
  /** Keys in what is passed on are overwritten; they are no business of the client's. */
  readonly mask: KeyMask;
  readonly silence: SilenceWatch;
  /** Longest silence between two pieces, in milliseconds. */
  readonly idleMs: number;
}

/**
 * Passes an answer on as it comes and reads it along the way. When the client is gone it is read on to its end, since
 * it is paid for all the same. A broken answer is broken for the client too.
 */
export async function relayAnswer(
  source: RelaySource,
  response: ServerResponse,
  { meter, hideUsage, mask, silence, idleMs }: RelayOptions,
): Promise<RelayedAnswer> {
  const isStream = /text\/event-stream/.test(source.headers["content-type"] ?? "");
  const chunks: Uint8Array[] = [];
  let kept = 0;
  let outgoing = "";
  const events: ServerEventReader | undefined = isStream
    ? readServerEvents((data, raw) => {
        const value = telling.test(data) ? parseJson(data) : undefined;
        if (value !== undefined) meter.read(value);
        if (hideUsage && !isUsageChunk(data)) outgoing += raw;
      })
    : undefined;
  const filtered = isStream && hideUsage;

  const send = async (chunk: Uint8Array | string): Promise<void> => {
    if (chunk.length === 0 || response.destroyed) return;
    if (response.write(chunk)) return;
    await drained(response);
  };
  const sendFiltered = async (): Promise<void> => {
    const text = outgoing;
    outgoing = "";
    await send(text);
  };

  if (!response.destroyed) {
    response.writeHead(source.status, answerHeaders(source.headers, !filtered));
    if (isStream) response.flushHeaders();
  }
  const pass = async (chunk: Buffer): Promise<void> => {
    if (!filtered) await send(chunk);
    events?.push(chunk);
    if (filtered) await sendFiltered();
    if (kept < keptBytes) chunks.push(chunk);
    kept += chunk.byteLength;
  };
  let cut: string | undefined;
  let lostMs = 0;
  const listen = (): void => silence.listen(idleMs, (error) => source.body.destroy(error));
  try {
    listen();
    for await (const chunk of source.body as AsyncIterable<Buffer>) {
      // A client that is slow to read is no silence of the server's.
      silence.rest();
      await pass(mask.push(chunk));
      listen();
    }
    silence.rest();
    await pass(mask.end());
    events?.end();
    if (filtered) await sendFiltered();
  } catch (error) {
    lostMs = silence.silentMs();
    cut = error instanceof Error ? error.message : String(error);
  }
  const body = Buffer.concat(chunks);
  if (!isStream && cut === undefined) {
    const value = parseJson(body.toString("utf8"));
    if (value === undefined) cut = "the answer is not JSON";
    else meter.read(value);
    response.end();
  } else if (cut === undefined) response.end();
  else response.destroy();
  return { body, cut, lostMs };
}

/** Resolves when more may be written, or nothing can be any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off("drain", settle).off("close", settle);
      resolve();
    };
    response.on("drain", settle).on("close", settle);
  });
}
