import { type Browser, chromium } from "playwright-core";

/** Debian's Chromium, without a window and without anything that calls home. `more` stands in place of having no GPU. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(more.length === 0 ? ["--disable-gpu"] : more),
    ],
  });
}
