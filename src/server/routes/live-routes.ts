import type { Hono } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { Clock } from "../../contract/clock.ts";
import type { AppOptions } from "../app-options.ts";
import type { RunShelf } from "../run-shelf.ts";

/** How often the disk is looked at while somebody watches, in milliseconds. */
const tickMs = 1000;
/** A silent line keeps proxies and browsers from giving up. */
const pulseTicks = 15;

/** Live changes, as server-sent events: `run` with `{id, version}` when a run changed, `runs` when the list did. */
export function addLiveRoutes(app: Hono, { shelf, clock }: AppOptions): void {
  app.get("/api/live", (context) =>
    streamSSE(context, async (stream) => {
      const ended = new AbortController();
      stream.onAbort(() => ended.abort());
      await watch(stream, shelf, clock, ended.signal);
    }),
  );
}

async function watch(
  stream: SSEStreamingApi,
  shelf: RunShelf,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Map<string, number>();
  await stream.writeSSE({ event: "ready", data: "{}" });
  for (let tick = 0; !signal.aborted; tick++) {
    const ids = [...(await shelf.folders()).keys()];
    if (tick > 0 && ids.some((id) => !seen.has(id))) await stream.writeSSE({ event: "runs", data: "{}" });
    for (const id of ids) {
      // A run that cannot be read is told of in the list of runs.
      const run = await shelf.get(id).catch(() => undefined);
      const version = run?.version ?? 0;
      const before = seen.get(id);
      seen.set(id, version);
      if (before === undefined || before === version) continue;
      await stream.writeSSE({ event: "run", data: JSON.stringify({ id, version }) });
      await stream.writeSSE({ event: "runs", data: "{}" });
    }
    if (tick % pulseTicks === pulseTicks - 1) await stream.writeSSE({ event: "pulse", data: "{}" });
    await clock.sleep(tickMs, signal).catch(() => undefined);
  }
}
