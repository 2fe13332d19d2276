import type { Context } from "hono";
import type { ScreenView } from "../contract/screen-view.ts";

/**
 * The next frame as JPEG, its revision in `X-Revision`; the page names the one it has as `after`. 204 when nothing has changed
 * for some seconds.
 */
export async function sendFrame(context: Context, view: ScreenView): Promise<Response> {
  const frame = await view.frame(context.req.query("after"), context.req.raw.signal);
  if (frame === undefined) return context.body(null, 204);
  return new Response(Uint8Array.from(frame.bytes), {
    headers: { "Content-Type": "image/jpeg", "X-Revision": frame.revision },
  });
}

/** The page asks until it hears that there is nothing more to be seen: that is no fault. */
export function screenOver(context: Context): Response {
  return context.body(null, 204, { "X-Over": "true" });
}
