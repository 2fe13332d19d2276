import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRun } from "../../src/record/open-run.ts";
import { openBrowser } from "../support/browser.ts";
import { lookAtPage } from "../support/look-at-page.ts";
import { laySumTasks } from "../support/sum-tasks.ts";
import { createWorkplace, type Workplace } from "./run-ale.ts";
import { startSitting, untilListed } from "./start-sitting.ts";
import { startWatching } from "./start-watching.ts";

/** Draws until it is ended: where there is a display, on it. */
const restless =
  'test -z "$DISPLAY" || xterm -maximized -fa Monospace -fs 14 -e sh -c "while :; do date +%s.%N; sleep 0.3; done" & exec sleep 100000';
const atDesktop = "computing_math/sum_at_desktop@small";

let dir: string;
let place: Workplace;
let browser: Browser;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-watch-"));
  [place, browser] = await Promise.all([createWorkplace(), openBrowser(), laySumTasks(join(dir, "tasks"))]);
});
afterAll(async () => {
  await browser?.close();
  await place?.ale("sandboxes", "reap");
  await place?.[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

/** Resolves when the screen has been drawn anew `times` times. */
async function untilDrawn(page: Page, times: number): Promise<void> {
  const canvas = page.locator("canvas[data-revision]");
  await canvas.waitFor();
  for (let count = 0; count < times; count++) {
    const before = await canvas.getAttribute("data-revision");
    await expect.poll(() => canvas.getAttribute("data-revision"), { timeout: 60_000 }).not.toBe(before);
  }
}

const pixels = (page: Page): Promise<unknown> =>
  page.evaluate("document.querySelector('canvas').toDataURL()");

test("trials that run are seen with desktop and events, to look at only, by one browser, until their process dies", async () => {
  const exam = {
    schema: "ale/exam@1",
    name: "restless",
    contestants: [{ name: "restless", harness: "command", settings: { argv: ["sh", "-c", restless] } }],
    tasks: { roots: [join(dir, "tasks")], include: ["computing_math/*@small"] },
    concurrency: { trials: 2 },
  };
  await writeFile(join(place.dir, "exam.yaml"), JSON.stringify(exam));
  const run = place.start("run", "exam.yaml", "--json");
  const begun = Promise.withResolvers<void>();
  run.onProgress((text) => {
    if (/^2 trials$/m.test(text)) begun.resolve();
  });
  void run.ended.then(({ stderr }) => begun.reject(new Error(stderr)));
  await begun.promise;

  try {
    await using watching = await startWatching(place, browser);
    const { page, address, errors, methods } = watching;
    const trials = page.getByRole("navigation", { name: "Trials that run" });
    await trials.getByText("Sum a column at a desktop").click();
    await untilDrawn(page, 2);
    const before = await pixels(page);
    await untilDrawn(page, 1);
    expect(await pixels(page)).not.toBe(before);
    await page.getByText("holds 10 rows").waitFor();
    await page
      .getByRole("timer")
      .getByText(/^\d+:\d\d$/)
      .waitFor();
    await page.getByText(/^agent \d+:\d\d of 10:00$/).waitFor();
    await page.getByText("a screen is there").waitFor();
    expect(page.url()).not.toContain(address.split("/").at(-1));

    const desktop = page.getByRole("img", { name: "Desktop of the trial" });
    await desktop.click();
    await page.keyboard.type("exit");
    await page.keyboard.press("Enter");
    await untilDrawn(page, 1);
    expect(methods.filter((method) => method !== "GET")).toEqual(["POST"]);
    const api = `/api/runs/${basename(await runDir())}/trials/restless.computing_math.sum_at_desktop.small.r1/1`;
    const server = new URL("/", address).href;
    for (const path of ["/screen", "/screen/frame", ""]) {
      const data = [{ kind: "type", text: "x" }];
      const answer = await page.request.post(`${server}${api.slice(1)}${path}`, { data });
      expect([path, answer.status()]).toEqual([path, 403]);
    }
    await lookAtPage(page, "watch-desktop");

    expect((await fetch(`${server}api/watch`)).status).toBe(403);
    expect((await fetch(`${server}${api.slice(1)}/screen/frame`)).status).toBe(403);
    const other = await browser.newContext();
    const second = await other.newPage();
    await second.goto(address);
    await second.getByRole("alert").getByText("good once").waitFor();
    await other.close();

    await trials.getByText("Sum a column", { exact: true }).click();
    await page.getByText("This trial has no desktop").waitFor();
    await page.getByText("agent …").waitFor();

    const viewer = place.start("serve", "--port", "0", "--tasks-root", join(dir, "tasks"));
    const shown = Promise.withResolvers<string>();
    viewer.onOutput((text) => shown.resolve(text.trim()));
    const third = await browser.newPage();
    await third.goto(await shown.promise);
    await third.getByRole("link", { name: "Runs" }).waitFor();
    await third.goto(`${new URL(await shown.promise).origin}/#${api.slice("/api".length)}`);
    await untilDrawn(third, 2);
    await third.close();
    viewer.kill();

    await trials.getByText("Sum a column at a desktop").click();
    await untilDrawn(page, 1);
    run.kill();
    await page.getByText("The process that ran this trial is gone").waitFor();
    await page.getByText("No process conducts this run any more, and 0 of 2 trials are finished").waitFor();
    expect(errors).toEqual([]);
  } finally {
    run.kill();
  }
  const late = await place.ale("watch");
  expect([late.status, late.stderr]).toEqual([
    1,
    expect.stringMatching(
      /no process conducts restless-\S+, where 0 of 2 [\s\S]*npx ale run --resume restless-/,
    ),
  ]);
  const trial = await place.ale("watch", "sum_at_desktop");
  expect([trial.status, trial.stderr]).toEqual([2, expect.stringContaining("no trial is running just now")]);
}, 600_000);

async function runDir(): Promise<string> {
  const [name = ""] = (await readdir(join(place.dir, "runs"))).filter((one) => one.startsWith("restless-"));
  return join(place.dir, "runs", name);
}

describe("a person's trial at a desktop", () => {
  interface Sat {
    /** What happened, in order, without what differs from trial to trial. */
    readonly events: readonly string[];
    readonly files: readonly string[];
    readonly actions: readonly string[];
  }

  /** Types a line into a terminal, and gives up. `beside` is called when there is a desktop, and once more at the end. */
  async function sit(
    name: string,
    beside: (run: string) => Promise<(() => Promise<void>) | undefined>,
  ): Promise<Sat> {
    const runs = join(dir, name);
    await using sitting = await startSitting(place, browser, [
      ...[atDesktop, "--name", "ada", "--tasks-root", join(dir, "tasks"), "--runs-dir", runs],
    ]);
    const { page, ale } = sitting;
    const line = page.getByLabel("Command to run on the machine");
    const look = page.getByRole("button", { name: "Look again" });
    await page.locator("canvas[data-revision]").waitFor();
    const [run = ""] = await readdir(runs);
    const after = await beside(join(runs, run));
    await line.fill(
      "(setsid xterm -maximized >/dev/null 2>&1 &); until xwininfo -root -tree | grep -q XTerm; do sleep 0.2; done; echo shown",
    );
    await page.getByRole("button", { name: "Run" }).click();
    await page
      .getByRole("log")
      .getByText(/^shown$/m)
      .waitFor();
    const screen = page.getByRole("application", { name: "Screen of the machine" });
    await screen.click();
    await page.getByLabel("Text to type on the screen").fill("echo typed > output/evidence.txt");
    await page.getByRole("button", { name: "Type" }).click();
    await screen.press("Enter");
    await untilListed(page, look, "evidence.txt", 60_000);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Give up" }).click();
    await page.getByText("0.000").first().waitFor();
    await after?.();
    await page.getByRole("button", { name: "Finish" }).click();
    const { dir: ended } = JSON.parse((await ale.ended).stdout) as { readonly dir: string };
    return structureOf(ended);
  }

  async function structureOf(run: string): Promise<Sat> {
    const [attempt] = await (await openRun(run)).attempts();
    if (attempt?.result === undefined) return expect.fail("there is no attempt");
    const events = await Array.fromAsync(attempt.events());
    const actions = await readFile(join(attempt.dir, "actions.jsonl"), "utf8");
    const lines = events.map((event) => {
      const detail = Object.entries(event).flatMap(([key, value]) =>
        ["kind", "phase", "code", "outcome", "status", "argv"].includes(key) ? [JSON.stringify(value)] : [],
      );
      return [event.type, Object.keys(event), ...detail].join(" ");
    });
    // What is done at a screen is told when the screen has come to rest: among the rest that may be sooner or later.
    const isOfScreen = (line: string): boolean => line.includes('"screen.');
    return {
      events: [...lines.filter((line) => !isOfScreen(line)), ...lines.filter(isOfScreen)],
      // Pictures are named by their content.
      files: [
        ...new Set(
          (await readdir(run, { recursive: true })).map((path) => path.replace(/[0-9a-f]{16,}/, "#")),
        ),
      ].sort(),
      actions: actions
        .trimEnd()
        .split("\n")
        .map((text) => JSON.stringify((JSON.parse(text) as { readonly action: unknown }).action)),
    };
  }

  test("is recorded alike whether it is watched or not, and does not wait for one who looks on and stalls", async () => {
    const alone = await sit("alone", async () => undefined);
    await using cleanup = new AsyncDisposableStack();
    const watched = await sit("watched", async (run) => {
      const watching = cleanup.use(await startWatching(place, browser, [run]));
      await untilDrawn(watching.page, 0);
      // From here on nobody reads what is sent to it.
      watching.ale.send("SIGSTOP");
      return async () => {
        watching.ale.send("SIGCONT");
        const { page } = watching;
        await page.getByText("This trial has ended.").waitFor();
        await page.getByText("The run is over").waitFor();
        await lookAtPage(page, "watch-ended");
        await page.getByRole("link", { name: "Checks, files and the whole timeline" }).click();
        await page.getByRole("tab", { name: "Checks" }).waitFor();
        expect(watching.errors).toEqual([]);
      };
    });
    expect(watched).toEqual(alone);
    expect(watched.actions.length).toBeGreaterThanOrEqual(4);
  }, 600_000);
});

test("what cannot be watched is told with a remedy", async () => {
  const bad = async (...args: readonly string[]): Promise<readonly [number | null, string]> => {
    const { status, stderr } = await place.ale("watch", ...args, "--runs-dir", join(dir, "none"));
    return [status, stderr];
  };
  expect(await bad()).toEqual([2, expect.stringMatching(/there is no run in .*none/)]);
  expect(await bad("nothing")).toEqual([
    2,
    expect.stringMatching(/nothing is no run in .*none, nor the id of a trial/),
  ]);
});
