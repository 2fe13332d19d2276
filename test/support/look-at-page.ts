import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const sizes = [
  { name: "phone", width: 390, height: 844 },
  { name: "tablet", width: 820, height: 1180 },
  { name: "desktop", width: 1440, height: 900 },
];

/** The page fits every size, light and dark, in both languages, and axe finds no fault. */
export async function lookAtPage(page: Page, name: string): Promise<void> {
  for (const language of ["en", "zh"]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const { name: sizeName, ...size } of sizes) {
        await page.setViewportSize(size);
        const overflow = await page.evaluate(
          "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)",
        );
        expect([name, language, sizeName, overflow]).toEqual([name, language, sizeName, 0]);
        const path = process.env["ALE_TEST_PICTURES"];
        const file = `${name}-${language}-${colorScheme}-${sizeName}.png`;
        const to = path === undefined ? {} : { path: join(path, file) };
        expect((await page.screenshot({ fullPage: true, ...to })).length).toBeGreaterThan(1000);
      }
      const { violations } = await new AxeBuilder({ page })
        .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
        .setLegacyMode(true)
        .analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    }
    await page.getByRole("button", { name: language === "en" ? "中文" : "English" }).click();
  }
}
