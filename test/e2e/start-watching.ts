import type { Browser } from "playwright-core";
import { openPrintedPage, type PrintedPage } from "./open-printed-page.ts";
import type { Workplace } from "./run-ale.ts";

/** Starts `ale watch` and opens the page it names. */
export async function startWatching(
  place: Workplace,
  browser: Browser,
  options: readonly string[] = [],
): Promise<PrintedPage> {
  const ale = place.start("watch", "--json", ...options);
  const onText = (listener: (text: string) => void): void => ale.onOutput(listener);
  return openPrintedPage({
    ...{ ale, browser, onText },
    address: /http:[^"\s]+#\/watch\/[^"\s]+/,
    patienceMs: 60_000,
  });
}
