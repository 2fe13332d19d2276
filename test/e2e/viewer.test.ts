import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import AxeBuilder from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWeb } from "../../scripts/build-web.ts";
import { trialId } from "../../src/record/fixtures/example-run.ts";
import type { RunRecord } from "../../src/record/run-record.ts";
import { createViewerApp } from "../../src/server/create-viewer-app.ts";
import { exportFolder } from "../../src/server/export/export-folder.ts";
import { exportSingle } from "../../src/server/export/export-single.ts";
import { createExampleSite, exampleSources, makeExampleRun } from "../../src/server/fixtures/example-site.ts";
import { type RunningServer, serveApp } from "../../src/server/serve-app.ts";
import { openBrowser } from "../support/browser.ts";
import { lookAtPage } from "../support/look-at-page.ts";

const sizes = [
  { name: "phone", width: 390, height: 844 },
  { name: "tablet", width: 820, height: 1180 },
  { name: "desktop", width: 1440, height: 900 },
];

let dir: string;
let run: string;
let record: RunRecord;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-viewer-"));
  const root = join(dir, "runs");
  const [made, opened] = await Promise.all([
    makeExampleRun(root, 120),
    openBrowser(),
    buildWeb(join(dir, "web")),
  ]);
  record = made;
  run = basename(record.dir);
  browser = opened;
  const { app } = await createExampleSite({ root });
  server = await serveApp({ app, webDir: join(dir, "web", "served"), port: 0 });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

/** A page with what it asked for and what went wrong in it; its context ends with it. */
async function openPage(address: string): Promise<{
  readonly page: Page;
  readonly requests: string[];
  readonly errors: string[];
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const requests: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(address);
  return { page, requests, errors, [Symbol.asyncDispose]: () => context.close() };
}

const trial = (): string => `#/runs/${run}/trials/${trialId(1)}/1`;
/** The one with steps, model calls and accounts. */
const second = (): string => `#/runs/${run}/trials/${trialId(2)}/1`;

/** Every page, with a text that shows it is there. */
const pages: readonly (readonly [name: string, address: () => string, text: string])[] = [
  ["board", () => "#/", "oracle"],
  ["compare", () => "#/compare", "Choose two"],
  ["runs", () => "#/runs", "demo-"],
  ["run", () => `#/runs/${run}`, "120 of 120"],
  ["checks", trial, "two names are wrong"],
  ["timeline", () => `${trial()}?part=timeline&item=3`, "in order of time"],
  ["artifacts", () => `${trial()}?part=artifacts&file=artifacts%2Freport.csv`, "Birnen"],
  ["instruction", () => `${trial()}?part=instruction`, "report.csv"],
  ["facts", () => `${trial()}?part=facts`, "fingerprint"],
  ["channels", () => `${second()}?part=facts`, "the screen was only looked at"],
  ["accounts", () => `${second()}?part=facts`, "the gateway says $1.50, the harness $2.50"],
  ["steps", () => `${second()}?part=timeline`, "In all:"],
  ["model calls", () => `${second()}?part=timeline&kind=calls`, "model-a · answered"],
  ["slides", () => `${second()}?part=artifacts&file=artifacts%2Ftalk.pptx`, "Rent is due weekly"],
  ["failures", () => "#/failures", "some checks pass"],
  ["tasks", () => "#/tasks", "Audit a portfolio"],
  ["task", () => "#/tasks/legal/audit", "Contracts"],
  ["coverage", () => "#/coverage", "1 of 2 subfields"],
];

describe("every page", () => {
  test.each(pages)(
    "%s fits three sizes, light and dark, without an error or a fault of accessibility",
    async (_, address, text) => {
      await using opened = await openPage(`${server.url}${address()}`);
      const { page, requests, errors } = opened;
      await page.getByText(text).first().waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const { name, ...size } of sizes) {
          await page.setViewportSize(size);
          const overflow = await page.evaluate(
            "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)",
          );
          expect([name, overflow]).toEqual([name, 0]);
          expect((await page.screenshot()).length).toBeGreaterThan(1000);
        }
        // Legacy: no second page for frames, of which there are none of ours.
        const { violations } = await new AxeBuilder({ page })
          .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
          .setLegacyMode(true)
          .analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
      }
      expect(errors).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:"))).toEqual([]);
    },
  );
});

describe("the address of the viewer", () => {
  test("lets in the first browser that opens it, and tells a second one why not", async () => {
    const secrets = { token: "the-token", session: "the-session" };
    const reading = await exampleSources({ root: join(dir, "runs") });
    const app = createViewerApp({ secrets, reading });
    await using guarded = await serveApp({ app, webDir: join(dir, "web", "served"), port: 0 });
    const address = `${guarded.url}#/serve/${secrets.token}`;
    await using first = await openPage(address);
    await first.page.getByRole("link", { name: "Runs" }).click();
    await first.page.getByRole("link", { name: run }).click();
    await first.page.getByText("120 of 120").waitFor();
    await first.page.reload();
    await first.page.getByText("120 of 120").waitFor();
    expect(first.page.url()).not.toContain(secrets.token);
    expect(first.errors).toEqual([]);
    await using second = await openPage(address);
    await second.page.getByRole("alert").getByText("good once").waitFor();
    expect(await second.page.getByRole("link", { name: "Runs" }).count()).toBe(0);
    await lookAtPage(second.page, "viewer-refused");
    await using bare = await openPage(`${guarded.url}#/runs`);
    await bare.page.getByRole("alert").getByText("npx ale serve").first().waitFor();
  });
});

describe("a reader", () => {
  test("goes from the list of runs to a step by keyboard, and the step's address leads back to it", async () => {
    await using opened = await openPage(`${server.url}#/runs`);
    const { page } = opened;
    await page.getByRole("link", { name: run }).press("Enter");
    await page.getByRole("searchbox", { name: "Filter trials" }).fill("legal oracle");
    await page.getByRole("link", { name: "legal/audit@base" }).first().press("Enter");
    await page.getByRole("tab", { name: "Checks" }).press("ArrowRight");
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.press("j");
    await timeline.press("j");
    await timeline.press("Enter");
    await page.getByText("python3 add.py").first().waitFor();
    await page.getByRole("button", { name: "Link to 4" }).press("Enter");
    await page.waitForURL(/item=3/);
    await using again = await openPage(page.url());
    await again.page.getByRole("button", { name: "Show whole" }).click();
    await again.page.getByText("x".repeat(5000)).waitFor();
  });

  test("finds a text in the whole attempt", async () => {
    await using opened = await openPage(`${server.url}${trial()}?part=timeline`);
    await opened.page.getByLabel("Search in this attempt").fill("add the column");
    await opened.page.getByLabel("Search in this attempt").press("Enter");
    await opened.page.getByText("1 hits").waitFor();
  });

  test("sorts a long table, of which only what is seen is drawn", async () => {
    await using opened = await openPage(`${server.url}#/runs/${run}`);
    const table = opened.page.getByRole("region", { name: "Trials" });
    const sort = table.getByRole("button", { name: "Repeat" });
    const first = table.getByRole("row").nth(1).getByRole("cell").nth(7);
    await sort.click();
    const one = await first.textContent();
    await sort.click();
    expect([one, await first.textContent()].sort()).toEqual(["1", "120"]);
    expect(await table.getByRole("row").count()).toBeLessThan(110);
  });

  test("sorts the tables of failures, whose headings are names", async () => {
    await using opened = await openPage(`${server.url}#/failures`);
    const { page } = opened;
    await page.getByText("some checks pass").first().waitFor();
    for (const name of ["Labels", "Claims of completion"]) {
      const headings = page.getByRole("table", { name }).getByRole("columnheader");
      const titles = await headings.allTextContents();
      expect(titles.length).toBe(5);
      for (const title of titles) expect(title).toMatch(/^[\p{Lu}\d]/u);
      for (const heading of await headings.all()) {
        await heading.getByRole("button").click();
        expect(await heading.getAttribute("aria-sort")).toMatch(/ascending|descending/);
      }
    }
  });

  test("reads the pages in Chinese, and keeps that", async () => {
    await using opened = await openPage(`${server.url}#/runs`);
    const { page } = opened;
    await page.getByRole("button", { name: "中文" }).click();
    await page.reload();
    await page.getByRole("heading", { name: "运行" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("zh-CN");
  });

  test("sees a run that is going on move, event by event", async () => {
    await using opened = await openPage(`${server.url}#/runs/${run}`);
    await opened.page.getByText("120 of 120").waitFor();
    await using attempt = await record.startAttempt(trialId(5));
    attempt.append({ type: "phase-started", phase: "agent" });
    await attempt.flush();
    await opened.page.getByText("running").first().waitFor();
    await opened.page.goto(`${server.url}#/runs/${run}/trials/${trialId(5)}/2`);
    await opened.page.getByText("agent …").first().waitFor();
    attempt.append({ type: "agent", kind: "message", data: { text: "written just now" } });
    await attempt.flush();
    await opened.page.getByText("written just now").first().waitFor();
  });
});

describe("a mesh", () => {
  const address = (): string => `${server.url}${second()}?part=artifacts&file=artifacts%2Fcorner.stl`;

  test("is drawn, told in figures and turned by keys", async () => {
    await using cleanup = new AsyncDisposableStack();
    const drawing = await openBrowser(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
    cleanup.defer(() => drawing.close());
    const page = await drawing.newPage();
    await page.goto(address());
    await page.getByText("3 triangles, 2 × 2 × 2").waitFor();
    const canvas = page.getByRole("img", { name: "Mesh artifacts/corner.stl" });
    const before = await canvas.screenshot();
    await canvas.press("ArrowLeft");
    expect((await canvas.screenshot()).equals(before)).toBe(false);
  });

  test("that the browser cannot draw is said so", async () => {
    await using opened = await openPage(address());
    await opened.page.getByText(/3 triangles|No preview: .*WebGL/).waitFor();
  });
});

describe("an export", () => {
  test("opens from disk as a folder and as one file, and asks nothing of any host", async () => {
    const root = join(dir, "few");
    run = basename((await makeExampleRun(root, 2)).dir);
    const { app } = await createExampleSite({ root, mode: "exported" });
    const webDir = join(dir, "web", "exported");
    const folder = join(dir, "site");
    const file = join(dir, "single.html");
    const summary = await exportFolder({ app, webDir, folder });
    await exportSingle({ app, webDir, file });
    expect(summary).toMatchObject({ attempts: 2, leftOut: [] });
    for (const path of [join(folder, "index.html"), file]) {
      await using opened = await openPage(pathToFileURL(path).href);
      for (const [, address, text] of pages) {
        await opened.page.goto(`${pathToFileURL(path).href}${address()}`);
        await opened.page.getByText(text.replace("120", "2").replace("120", "2")).first().waitFor();
      }
      await opened.page.goto(`${pathToFileURL(path).href}${trial()}?part=timeline&q=add%20the%20column`);
      await opened.page.getByText("1 hits").waitFor();
      expect(opened.errors).toEqual([]);
      expect(opened.requests.filter((url) => !/^(file|data):/.test(url))).toEqual([]);
    }
    const everything = await readdir(folder, { recursive: true });
    expect(everything.filter((name) => /\.(html|svg)$/.test(name))).toEqual(["index.html"]);
    expect(await readFile(file, "utf8")).not.toContain("secret-42");
  });

  test("does not write over a folder that holds something", async () => {
    const { app } = await createExampleSite({ root: join(dir, "runs"), mode: "exported" });
    const options = { app, webDir: join(dir, "web", "exported"), folder: dir };
    await expect(exportFolder(options)).rejects.toMatchObject({ code: "folder-not-empty" });
  });
});

test("the client is at most 300 kB compressed before its lazy parts", async () => {
  const served = join(dir, "web", "served");
  const page = await readFile(join(served, "index.html"), "utf8");
  const names = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((match) => match[1] ?? "");
  const early = new Set(names);
  for (const name of names.filter((candidate) => candidate.endsWith(".js"))) {
    const code = await readFile(join(served, name), "utf8");
    for (const match of code.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
      early.add(`assets/${match[1]}`);
  }
  let bytes = 0;
  for (const name of early) bytes += gzipSync(await readFile(join(served, name))).length;
  expect(early.size).toBeGreaterThan(1);
  expect(bytes).toBeLessThanOrEqual(300_000);
});

test("a request by another name than this machine's is refused", async () => {
  const { request } = await import("node:http");
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  request(`${server.url}api/runs`, { headers: { Host: "evil.example" } }, (response) => {
    resolve(response.resume().statusCode);
  }).end();
  expect(await promise).toBe(421);
});
