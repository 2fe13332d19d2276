import type { SSEStreamingApi } from "hono/streaming";
import type { Clock } from "../../contract/clock.ts";
import type { ItemPage } from "../api/item-page.ts";
import type { ItemSource } from "./item-source.ts";
import { readItemPage } from "./read-items.ts";

const tickMs = 500;
const pulseTicks = 30;

export interface TailOptions {
  readonly source: ItemSource;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether nothing more will be written. */
  ended(): Promise<boolean>;
}

/**
 * Sends the items of a file from its beginning on, and each further one soon after it is written: `items` with an
 * `ItemPage`, and `end` once the attempt is over.
 */
export async function tailItems(stream: SSEStreamingApi, options: TailOptions): Promise<void> {
  const { source, clock, signal } = options;
  let next = 0;
  for (let tick = 1; !signal.aborted; tick++) {
    // Asked before the file is read: what was written before the end is then sent before it.
    const over = await options.ended();
    for (let page: ItemPage | undefined; page?.done !== true && !signal.aborted; ) {
      page = await readItemPage(source, next);
      next = page.next;
      if (page.items.length > 0) await stream.writeSSE({ event: "items", data: JSON.stringify(page) });
    }
    if (over) {
      await stream.writeSSE({ event: "end", data: "{}" });
      return;
    }
    if (tick % pulseTicks === 0) await stream.writeSSE({ event: "pulse", data: "{}" });
    await clock.sleep(tickMs, signal).catch(() => undefined);
  }
}
