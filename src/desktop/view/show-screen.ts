import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { AleError } from "../../contract/ale-error.ts";
import type { ScreenView } from "../../contract/screen-view.ts";

/** Who waits for a frame, or has not taken one in, at once. */
const mostWatchers = 8;
/** Of lines that are open, whatever for. */
const mostLines = 4 * mostWatchers;
/** After which a line that takes nothing in is cut, in milliseconds; longer than a view's own patience. */
const idleMs = 30_000;

/**
 * Shows a view on a unix socket of this user's own (mode 0600), until it is disposed of, which waits for nobody. There is
 * nothing but two questions: `GET /` tells `{width, height}`, `GET /frame?after=<revision>` gives the next frame as JPEG with
 * its revision in `X-Revision`, 204 when nothing has changed for some seconds, 410 when the screen is gone, 503 when too
 * many look. A frame is taken only when it is asked for: who does not read delays nobody. Rejects with `screen-not-shown`.
 * @param path of the socket, at most about 100 characters, in a folder that only this user may enter.
 */
export async function showScreen(view: ScreenView, path: string): Promise<AsyncDisposable> {
  let watchers = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("Connection", "close");
    if (request.method !== "GET") return end(response, 405);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://screen");
    if (pathname === "/")
      return end(response, 200, JSON.stringify({ width: view.width, height: view.height }));
    if (pathname !== "/frame") return end(response, 404);
    if (watchers >= mostWatchers) return end(response, 503);
    watchers += 1;
    const left = new AbortController();
    response.on("close", () => {
      watchers -= 1;
      left.abort();
    });
    const frame = await view.frame(searchParams.get("after") ?? undefined, left.signal);
    if (frame === undefined) return end(response, 204);
    response.setHeader("Content-Type", "image/jpeg");
    response.setHeader("X-Revision", frame.revision);
    end(response, 200, frame.bytes);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // Of a screen that is lost its own trial is told; who looks on sees that it is gone.
      if (!response.headersSent) end(response, AleError.isInstance(error) ? 410 : 500);
    });
  });
  // Lines that could not be taken are their watchers' loss alone.
  server.on("error", () => undefined);
  server.maxConnections = mostLines;
  server.setTimeout(idleMs);
  try {
    server.listen(path);
    await once(server, "listening");
    await chmod(path, 0o600);
  } catch (cause) {
    server.close();
    throw new AleError({
      code: "screen-not-shown",
      message: `the screen cannot be watched: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: "the socket's path may be too long for the system: set TMPDIR to a short one",
      cause,
    });
  }
  // Who looks on is no part of the trial: it ends whether or not they have gone.
  server.unref();
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await rm(path, { force: true });
    },
  };
}

function end(response: ServerResponse, status: number, body?: string | Uint8Array): void {
  response.statusCode = status;
  response.end(body);
}
