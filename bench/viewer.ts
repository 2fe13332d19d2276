import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { chromium, type Page } from "playwright-core";
import { buildWeb } from "../scripts/build-web.ts";
import { known } from "../src/contract/absence.ts";
import type { ExamPlan } from "../src/contract/exam-plan.ts";
import { createRun } from "../src/record/create-run.ts";
import {
  exampleLock,
  examplePlan,
  exampleResult,
  steppedClock,
  trialId,
} from "../src/record/fixtures/example-run.ts";
import { createExampleSite } from "../src/server/fixtures/example-site.ts";
import { serveApp } from "../src/server/serve-app.ts";
import type { Bench } from "./main.ts";

const stepCount = 50_000;
const stepBytes = 2540;

/**
 * The viewer in headless Chromium: the list of 10,000 trials (or as many as the first option says), and the first step of
 * a trajectory of 127 MB with 50,000 steps, each from the change of address to the text on the page. The server has
 * read the run before; how long that took, without and with the run's index, is told apart.
 */
export const bench: Bench = async ([count = "10000"]) => {
  const trials = Number(count);
  const folder = await mkdtemp(join(tmpdir(), "ale-bench-viewer-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, "runs");
  const run = await writeRun(root, trials);
  await buildWeb(join(folder, "web"));
  const { app, shelf } = await createExampleSite({ root });
  const first = await timed(() => shelf.get(run));
  const indexed = await median(async () => {
    await (await createExampleSite({ root })).shelf.get(run);
  });
  const server = cleanup.use(await serveApp({ app, webDir: join(folder, "web", "served"), port: 0 }));
  const args = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
  ];
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
  cleanup.defer(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${server.url}#/tasks`);
  await page.getByText("Audit a portfolio").waitFor();

  const answer = await median(async () => {
    await (await fetch(`${server.url}api/runs/${run}/trials`)).text();
  });
  const list = await shown(page, server.url, `#/runs/${run}`, `${trials} of ${trials}`);
  const timeline = `#/runs/${run}/trials/${trialId(1)}/1?part=timeline`;
  const step = await shown(page, server.url, timeline, "step number 1:");
  const frames = await framesWhileScrolling(page);
  return [
    `viewer over ${trials} trials; medians of ${rounds}, milliseconds`,
    `reading the run without an index, once  ${first.toFixed(0)}`,
    `reading the run by way of its index  ${indexed.toFixed(0)}`,
    `list of trials, answer of the API  ${answer.toFixed(0)}`,
    `list of trials on the page  ${list.toFixed(0)}`,
    `first of ${stepCount} steps (${((stepCount * stepBytes) / 1e6).toFixed(0)} MB) on the page  ${step.toFixed(0)}`,
    `frames a second while scrolling through the steps  ${frames.toFixed(0)}`,
  ];
};

const rounds = 5;

async function writeRun(root: string, trials: number): Promise<string> {
  const run = await createRun({ root, plan: planOf(trials), lock: exampleLock, clock: steppedClock() });
  for (let repeat = 1; repeat <= trials; repeat++) {
    const trial = trialId(repeat);
    const dir = join(run.dir, "trials", trial, "attempts", "1");
    await mkdir(dir, { recursive: true });
    const result = exampleResult({
      trial,
      repeat,
      score: known((repeat % 11) / 10),
      fullPass: known(repeat % 11 === 10),
    });
    await writeFile(join(dir, "result.json"), JSON.stringify(result));
    if (repeat === 1)
      await pipeline(Readable.from(trajectory()), createWriteStream(join(dir, "trajectory.json")));
  }
  return run.dir.split("/").at(-1) ?? "";
}

/** The example's plan with more trials than an exam file may ask repeats for. */
function planOf(trials: number): ExamPlan {
  const plan = examplePlan(trials);
  return { ...plan, file: { ...plan.file, repeats: 1 } };
}

function* trajectory(): Generator<string> {
  yield '{"schema_version":"ATIF-v1.7","session_id":"bench","agent":{"name":"bench","version":"1"},"steps":[';
  for (let number = 1; number <= stepCount; number++) {
    const step = {
      step_id: number,
      source: "agent",
      message: `step number ${number}: ${'words "quoted" and\\nmore '.repeat(100)}`.slice(0, stepBytes - 200),
    };
    yield `${number === 1 ? "" : ","}${JSON.stringify(step)}`;
  }
  yield "]}";
}

/** Median milliseconds from the change of address to the text on the page, each time in a page that was loaded anew. */
async function shown(page: Page, url: string, address: string, text: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await page.goto("about:blank");
    await page.goto(`${url}#/tasks`);
    await page.getByText("Audit a portfolio").waitFor();
    times.push(
      await page.evaluate(`new Promise((done) => {
        const start = performance.now();
        const look = () => document.body.textContent.includes(${JSON.stringify(text)})
          ? done(performance.now() - start) : requestAnimationFrame(look);
        location.hash = ${JSON.stringify(address)};
        requestAnimationFrame(look);
      })`),
    );
  }
  return middle(times);
}

async function median(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timed(work));
  return middle(times);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function middle(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

async function framesWhileScrolling(page: Page): Promise<number> {
  return page.evaluate(`new Promise((done) => {
    const frame = document.querySelector(".timeline");
    const start = performance.now();
    let frames = 0;
    const move = () => {
      frame.scrollTop += 400;
      frames += 1;
      const passed = performance.now() - start;
      if (passed < 2000) requestAnimationFrame(move);
      else done(frames / (passed / 1000));
    };
    requestAnimationFrame(move);
  })`);
}
