import type { Readable } from "node:stream";
import type { UpstreamAnswer, UpstreamRequest } from "../upstream/upstream.ts";
import type { LiveCall } from "./live-call.ts";

/** How one try of a call ended. */
export type TriedCall =
  | {
      readonly kind: "answer";
      readonly answer: UpstreamAnswer;
      /** From the sending until the answer began. */
      readonly firstByteMs: number;
    }
  /** An error answer; its body is read. */
  | {
      readonly kind: "failed";
      readonly answer: UpstreamAnswer;
      readonly body: Buffer;
      readonly firstByteMs: number;
    }
  /** No answer: no connection, or silence. */
  | { readonly kind: "none"; readonly message: string }
  /** The server wants to be asked at another place. */
  | { readonly kind: "elsewhere"; readonly message: string }
  /** The trial was over first. */
  | { readonly kind: "over" };

/** Largest error body that is read. */
const errorBytes = 1024 * 1024;

/** Sends a call once, and waits for an answer as long as its upstream may be silent. */
export async function tryCall(
  { context: { clock, upstream: server }, call: { trial, upstream }, silence, over }: LiveCall,
  request: UpstreamRequest,
): Promise<TriedCall> {
  const from = clock.monotonic();
  const late = new AbortController();
  silence.listen(upstream.silence.first_byte_seconds * 1000, (error) => late.abort(error));
  let answer: UpstreamAnswer;
  try {
    answer = await server.send(request, AbortSignal.any([over, late.signal]));
  } catch (error) {
    silence.rest();
    return over.aborted ? { kind: "over" } : { kind: "none", message: connectionMessage(error) };
  }
  silence.rest();
  const firstByteMs = clock.monotonic() - from;
  const { status, headers, body } = answer;
  if (status >= 300 && status < 400) {
    body.destroy();
    const place = trial.redact(headers.location ?? "no place");
    const message = `it sends on to ${place} (HTTP ${status}), which is not followed; put that into base_url`;
    return { kind: "elsewhere", message };
  }
  if (status < 400) return { kind: "answer", answer, firstByteMs };
  silence.listen(upstream.silence.idle_seconds * 1000, (error) => body.destroy(error));
  const told = await readError(body);
  silence.rest();
  return { kind: "failed", answer, body: told, firstByteMs };
}

/** In whole, but for what is beyond {@link errorBytes}. */
async function readError(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > errorBytes) break;
    }
    return Buffer.concat(chunks).subarray(0, errorBytes);
  } catch (error) {
    // The status has said what there is to know.
    return Buffer.from(`the error's text could not be read: ${connectionMessage(error)}`);
  }
}

function connectionMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
