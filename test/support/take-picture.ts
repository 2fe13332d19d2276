import { join } from "node:path";
import type { Page } from "playwright-core";

/** Keeps a picture of the page for people to look at, where `ALE_TEST_PICTURES` names a folder. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env["ALE_TEST_PICTURES"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
