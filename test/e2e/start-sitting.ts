import type { Browser, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openPrintedPage, type PrintedPage } from "./open-printed-page.ts";
import type { Workplace } from "./run-ale.ts";

/** Starts `ale sit` and opens the page it names. */
export async function startSitting(
  place: Workplace,
  browser: Browser,
  options: readonly string[],
): Promise<PrintedPage> {
  const ale = place.start("sit", "--json", ...options);
  const onText = (listener: (text: string) => void): void => ale.onProgress(listener);
  return openPrintedPage({
    ...{ ale, browser, onText },
    address: /http:\S+#\/sit\/\S+/,
    patienceMs: 30_000,
  });
}

/** Has the page look at the machine's files, by its button, until it lists the one of that name. */
export async function untilListed(
  page: Page,
  look: Locator,
  name: string,
  timeout: number = 30_000,
): Promise<void> {
  await expect
    .poll(
      async () => {
        await look.click();
        return page.getByRole("link", { name }).count();
      },
      { timeout },
    )
    .toBe(1);
}
