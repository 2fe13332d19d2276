import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRun } from "../../src/record/open-run.ts";
import type { AttemptRecord } from "../../src/record/run-record.ts";
import { repositoryRoot } from "../source-imports.ts";
import { openBrowser } from "../support/browser.ts";
import { lookAtPage } from "../support/look-at-page.ts";
import type { PrintedPage } from "./open-printed-page.ts";
import { createWorkplace, type Workplace } from "./run-ale.ts";
import { startSitting } from "./start-sitting.ts";

const tasksRoot = join(repositoryRoot, "test", "tasks");

let dir: string;
let place: Workplace;
let browser: Browser;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-sit-"));
  [place, browser] = await Promise.all([createWorkplace(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await place?.[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

function sit(...more: readonly string[]): Promise<PrintedPage> {
  return startSitting(place, browser, [
    ...["computing_math/sum_column@small", "--name", "ada", "--tasks-root", tasksRoot],
    ...["--runs-dir", join(dir, `runs${more.length}`), ...more],
  ]);
}

async function attemptIn(run: string): Promise<AttemptRecord> {
  const [attempt] = await (await openRun(run)).attempts();
  if (attempt === undefined) return expect.fail("there is no attempt");
  return attempt;
}

describe("a person who sits a trial", () => {
  test("reads, downloads, runs a command, hands a file in, and sees the verdict of an ordinary trial", async () => {
    await using sitting = await sit();
    const { page, errors, ale, address } = sitting;
    await page.getByRole("heading", { name: "Sum a column" }).waitFor();
    await page.getByText("holds 10 rows").waitFor();
    await page
      .getByRole("timer")
      .getByText(/\d+:\d\d left/)
      .waitFor();
    expect(page.url()).not.toContain(address.split("/").at(-1));

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "amounts.csv" }).click(),
    ]);
    const rows = (await readFile(await download.path(), "utf8")).trim().split("\n");
    expect(rows).toHaveLength(11);

    await page.getByLabel("Command to run on the machine").fill("wc -l < input/amounts.csv; pwd");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("log").getByText("/home/agent").waitFor();

    const wrong = join(dir, "mine.json");
    await writeFile(wrong, '{"total": 0}');
    await page.getByLabel("total.json").setInputFiles(wrong);
    await page.getByRole("link", { name: "total.json" }).waitFor();
    await page.getByRole("button", { name: "Remove total.json" }).click();
    await page.getByRole("link", { name: "total.json" }).waitFor({ state: "detached" });
    await page.getByLabel("evidence/").setInputFiles(wrong);
    await page.getByRole("link", { name: "evidence/mine.json" }).waitFor();

    const column = rows[0]?.split(",").indexOf("amount") ?? 0;
    const cents = rows.slice(1).map((row) => Math.round(Number(row.split(",")[column]) * 100));
    await writeFile(wrong, JSON.stringify({ total: cents.reduce((sum, value) => sum + value, 0) / 100 }));
    await page.getByLabel("total.json").setInputFiles(wrong);
    await page.getByRole("link", { name: "total.json" }).waitFor();
    await lookAtPage(page, "working");

    await page.getByLabel("A message").fill("Added up by hand.");
    await page.getByRole("button", { name: "Hand in and be graded" }).click();
    await page.getByText("1.000").first().waitFor();
    await page.getByRole("heading", { name: "Verdict" }).waitFor();
    await lookAtPage(page, "verdict");
    await page.getByRole("button", { name: "Finish" }).click();
    const { status, stdout, stderr } = await ale.ended;
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expect(errors).toEqual([]);

    const outcome = JSON.parse(stdout) as { readonly dir: string };
    const attempt = await attemptIn(outcome.dir);
    expect(attempt.result).toMatchObject({
      contestant: { name: "human:ada", harness: "human" },
      status: "completed",
      score: { known: true, value: 1 },
      usage: { known: true, value: { calls: 0 } },
      costUsd: { known: false },
      claim: { known: true, value: { kind: "done", message: "Added up by hand." } },
    });
    expect(attempt.result?.workingMs).toBeGreaterThan(0);
    const events = await Array.fromAsync(attempt.events());
    const kinds = events.flatMap((event) => (event.type === "agent" ? [event.kind] : []));
    expect(kinds).toEqual([
      ...["human.hand-in", "human.withdraw", "human.hand-in", "human.hand-in"],
      "human.submitted",
    ]);
    const commands = events.flatMap((event) =>
      event.type === "command" && event.phase === "agent" ? [event] : [],
    );
    expect(commands).toMatchObject([{ argv: ["sh", "-c", "wc -l < input/amounts.csv; pwd"], exit: 0 }]);
  });

  test("gives up, and is graded as what they left", async () => {
    await using sitting = await sit("--minutes", "1");
    const { page, ale } = sitting;
    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Give up" }).click();
    await page.getByText("0.000").first().waitFor();
    await page.getByRole("button", { name: "Finish" }).click();
    const { dir: run } = JSON.parse((await ale.ended).stdout) as { readonly dir: string };
    expect((await attemptIn(run)).result).toMatchObject({
      status: "completed",
      claim: { known: true, value: { kind: "could-not" } },
    });
  });

  test("is alone: the address is good once, and nobody else is answered", async () => {
    await using sitting = await sit("--minutes", "2");
    const { page, address } = sitting;
    await page.getByRole("timer").waitFor();
    const server = new URL("/", address).href;
    expect((await fetch(`${server}api/sit/state`)).status).toBe(403);
    const token = address.split("/").at(-1);
    const again = await fetch(`${server}api/sit/enter`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token }),
    });
    expect(again.status).toBe(403);
    const other = await browser.newContext();
    const second = await other.newPage();
    await second.goto(address);
    await second.getByRole("alert").getByText("good once").waitFor();
    await other.close();
    await page.reload();
    await page.getByRole("timer").waitFor();
    const statuses =
      await page.evaluate(`Promise.all(["../secret", "/etc/passwd", "a//b", ""].map(async (path) =>
      (await fetch("/api/sit/file?folder=output&path=" + encodeURIComponent(path), { method: "PUT", body: "x" })).status))`);
    expect(statuses).toEqual([409, 409, 409, 409]);
  });
});

test("a sitting that is cancelled says that it cannot be resumed, and is not", async () => {
  const runs = join(dir, "cancelled");
  const task = ["computing_math/sum_column@small", "--tasks-root", tasksRoot, "--runs-dir", runs];
  const ale = place.start("sit", ...task);
  const address = await new Promise<string>((resolve) => {
    let text = "";
    ale.onProgress((chunk) => {
      text += chunk;
      const found = /http:\S+#\/sit\/\S+(?=\s)/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  await using page = await browser.newPage();
  await page.goto(address);
  await page.getByRole("timer").waitFor();
  ale.send("SIGINT");
  const { status, stdout } = await ale.ended;
  expect(status).not.toBe(0);
  expect(stdout).toContain(
    "again    npx ale sit computing_math/sum_column@small; this sitting cannot be resumed",
  );
  expect(stdout).not.toContain("--resume");
  const [run] = await readdir(runs);
  expect((await attemptIn(join(runs, run ?? ""))).result?.status).toBe("cancelled");
  const remedy = "start a new one: npx ale sit computing_math/sum_column@small";
  for (const named of [[], [run ?? ""]]) {
    const resumed = await place.ale("run", "--resume", ...named, "--runs-dir", runs);
    expect([resumed.status, resumed.stderr]).toEqual([1, expect.stringContaining(remedy)]);
  }
});

test("a person is listed among those who sit, and is not run like an agent", async () => {
  const listed = await place.ale("agents", "ls");
  expect(listed.stdout).toMatch(/^human +built in +- +a person .*npx ale sit/m);
  const shown = await place.ale("agents", "show", "human");
  expect(shown.stdout).toContain("npx ale sit");
  const { status, stderr } = await place.ale("run", "--agent", "human", "--tasks-root", tasksRoot);
  expect([status, stderr]).toEqual([1, expect.stringContaining("npx ale sit <instance> --name <you>")]);
});

test("an instance or a name that cannot be used is told with a remedy", async () => {
  const bad = async (...args: readonly string[]): Promise<readonly [number | null, string]> => {
    const { status, stderr } = await place.ale("sit", "--tasks-root", tasksRoot, ...args);
    return [status, stderr];
  };
  expect(await bad("computing_math/nothing")).toEqual([2, expect.stringContaining("nothing")]);
  expect(await bad("computing_math/sum_column@small", "--name", "a:b")).toEqual([
    2,
    expect.stringContaining("--name ada"),
  ]);
  expect(await readdir(place.dir)).not.toContain("runs");
});
