import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { AleError } from "../../contract/ale-error.ts";
import type { ScreenView } from "../../contract/screen-view.ts";

const sizeSchema = z.object({ width: z.int().positive(), height: z.int().positive() });

/**
 * The view that another process shows on a socket. Rejects with an `AleError` coded `screen-gone` when nobody shows one there
 * any more; so do its frames later. They reject with `screen-crowded` when too many look at it already.
 */
export async function viewShownScreen(path: string): Promise<ScreenView> {
  const told = await ask(path, "/", undefined);
  const size = sizeSchema.parse(JSON.parse(String(await buffer(told))));
  return {
    ...size,
    async frame(after, signal) {
      const query = after === undefined ? "" : `?after=${encodeURIComponent(after)}`;
      try {
        const response = await ask(path, `/frame${query}`, signal);
        const bytes = await buffer(response);
        if (response.statusCode === 204) return undefined;
        return { bytes, revision: String(response.headers["x-revision"]) };
      } catch (error) {
        if (signal.aborted) return undefined;
        throw AleError.isInstance(error) ? error : gone(error);
      }
    },
  };
}

async function ask(
  socketPath: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({ socketPath, path, agent: false, ...(signal === undefined ? {} : { signal }) }, resolve)
    .on("error", reject)
    .end();
  const response = await promise.catch((error: unknown) => {
    throw gone(error);
  });
  const { statusCode = 0 } = response;
  if (statusCode < 400) return response;
  response.resume();
  if (statusCode !== 503) throw gone(undefined);
  throw new AleError({
    code: "screen-crowded",
    message: "too many look at this screen already",
    remedy: "close a page that shows it",
  });
}

function gone(cause: unknown): AleError {
  return new AleError({
    code: "screen-gone",
    message: "the screen is shown no more: the agent has ended, or the process that ran the trial",
    cause,
  });
}
