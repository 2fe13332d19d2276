import type { IncomingMessage } from "node:http";

/** Largest request that is taken, in bytes: no provider takes more in one. */
const longestRequest = 64 * 1024 * 1024;
/** What the requests of one trial may hold of memory at once, in bytes. */
const heldByTrial = 256 * 1024 * 1024;

/** Memory that the calls of a trial hold by their requests. */
export interface HeldBytes {
  bytes: number;
}

/** A request's body; disposed of when its call is over. */
export interface RequestBody extends Disposable {
  /** `undefined` for one that is too large. */
  readonly raw: Uint8Array | undefined;
}

/** Reads a request to its end, or until it is larger than is good. Rejects when the client breaks it off. */
export async function readRequest(request: IncomingMessage, held: HeldBytes): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  const release = (): void => {
    held.bytes -= size;
    size = 0;
  };
  try {
    // Left alone when it is too large: destroying it would take the answer with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      held.bytes += chunk.byteLength;
      if (size > longestRequest || held.bytes > heldByTrial) {
        release();
        return { raw: undefined, [Symbol.dispose]: release };
      }
      chunks.push(chunk);
    }
  } catch (error) {
    release();
    throw error;
  }
  return { raw: Buffer.concat(chunks), [Symbol.dispose]: release };
}
