import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as xlsx from "@e965/xlsx";
import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { modelCallSchema } from "../contract/model-call.ts";
import { trajectorySchema } from "../contract/trajectory.ts";
import { trialId } from "../record/fixtures/example-run.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { ItemPage } from "./api/item-page.ts";
import type { TrialView } from "./api/trial-view.ts";
import type { UsageTrack } from "./api/usage-track.ts";
import { createExampleSite, exampleTask, makeExampleRun } from "./fixtures/example-site.ts";
import { exampleCall, exampleTrajectory } from "./fixtures/example-steps.ts";

let root: string;
let run: RunRecord;
let id: string;
let app: Hono;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-server-"));
  run = await makeExampleRun(root, 3);
  id = run.dir.split("/").at(-1) ?? "";
  app = (await createExampleSite({ root })).app;
});
afterAll(() => rm(root, { recursive: true, force: true }));

const attempt = (repeat = 1): string => `runs/${id}/trials/${trialId(repeat)}/1`;

async function ask(
  path: string,
  site: Hono = app,
): Promise<{ readonly status: number; readonly body: never }> {
  const response = await site.request(`/api/${path}`);
  return { status: response.status, body: (await response.json()) as never };
}

describe("runs", () => {
  test("the list counts trials by state", async () => {
    const { body } = await ask("runs");
    expect(body).toMatchObject({
      runs: [{ id, planned: 3, finished: 3, states: { completed: 3 }, stage: "finished" }],
      unreadable: [],
    });
  });

  test("a damaged run is named and does not hide the others", async () => {
    const broken = await mkdtemp(join(root, "broken-"));
    await writeFile(join(broken, "exam.json"), "{");
    const { body } = await ask("runs");
    await rm(broken, { recursive: true });
    expect(body).toMatchObject({ runs: [{ id }], unreadable: [{ id: broken.split("/").at(-1) }] });
  });

  test("every trial is listed with the attempt that counts", async () => {
    const { body } = await ask(`runs/${id}/trials`);
    expect(body).toMatchObject([{ trial: trialId(1), attempt: 1, state: "completed", score: 0.5 }, {}, {}]);
  });

  test("a run that is not there is a problem with words", async () => {
    expect(await ask("runs/nothing")).toMatchObject({ status: 404, body: { code: "unknown-run" } });
  });

  test("a further attempt is there after a refresh", async () => {
    const { shelf } = await createExampleSite({ root });
    const before = await shelf.get(id);
    await using _ = await run.startAttempt(trialId(2));
    const after = await shelf.refresh(id);
    expect([before.attempts.length, after.attempts.length]).toEqual([3, 4]);
    expect(after.version).toBeGreaterThan(before.version);
  });
});

describe("what is kept from readers", () => {
  test("evidence of checks and graders' logs are for maintainers", async () => {
    const { app: maintained } = await createExampleSite({ root, maintainer: true });
    const grader = `${attempt()}/files/logs/grader.stderr.log`;
    const reader = await ask(attempt());
    expect(JSON.stringify(reader.body)).not.toContain("secret-42");
    expect(JSON.stringify(reader.body)).not.toContain("grader.stderr.log");
    expect(reader.body).toMatchObject({ withheld: [{ what: "evidence" }] });
    expect((await app.request(`/api/${grader}`)).status).toBe(404);
    expect(JSON.stringify((await ask(attempt(), maintained)).body)).toContain("secret-42");
    expect(await (await maintained.request(`/api/${grader}`)).text()).toContain("secret-42");
  });

  test.each([
    ["is private", [exampleTask("private")]],
    ["has no package at hand", []],
  ])("content of a trial whose task %s is not shown", async (_, tasks) => {
    const { app: site } = await createExampleSite({ root, tasks });
    const view = await ask(attempt(), site);
    expect(view.body).toMatchObject({ withheld: [{ what: "content" }, {}], files: [], items: [] });
    expect(view.body).not.toHaveProperty("instruction");
    for (const path of [
      "files/artifacts/report.csv",
      "preview/artifacts/report.csv",
      "items/events/page/0",
    ]) {
      expect(await ask(`${attempt()}/${path}`, site)).toMatchObject({ status: 403 });
    }
    expect(JSON.stringify((await ask("tasks", site)).body)).not.toContain("Audit a portfolio");
    expect((await ask("tasks/legal/audit", site)).status).toBe(404);
  });

  test("the screen and the programs of a trial whose task is private are not shown, its channels are", async () => {
    const shown = (await ask(attempt(2))).body as TrialView;
    expect(shown.result?.lastScreen?.path).toBe("screenshots/last.png");
    expect((await app.request(`/api/${attempt(2)}/files/screenshots/last.png`)).status).toBe(200);
    expect(shown.result?.channels?.programs).not.toEqual([]);

    const { app: site } = await createExampleSite({ root, tasks: [exampleTask("private")] });
    const kept = (await ask(attempt(2), site)).body as TrialView;
    expect(kept.result?.lastScreen).toBeUndefined();
    expect((await site.request(`/api/${attempt(2)}/files/screenshots/last.png`)).status).toBe(403);
    expect(kept.result?.channels?.programs).toEqual([]);
    expect(kept.result?.channels?.required).toMatchObject({ state: "bypassed" });
  });

  test("parameters and seeds, which may tell an answer, are for maintainers", async () => {
    const { app: maintained } = await createExampleSite({ root, maintainer: true });
    for (const path of [
      "tasks/legal/audit",
      `${attempt()}/items/events/page/0`,
      `${attempt()}/items/events/search?q=add.py`,
    ]) {
      const seen = JSON.stringify((await ask(path)).body);
      expect(seen).not.toMatch(/hidden-7|77123/);
      expect(JSON.stringify((await ask(path, maintained)).body)).toMatch(/hidden-7/);
    }
    const { body } = await ask(`${attempt()}/items/events/search?q=hidden-7`);
    expect(body).toEqual({ hits: [], more: false });
  });

  test("a task's canary never reaches a page", async () => {
    const { app: site } = await createExampleSite({ root, maintainer: true });
    expect(JSON.stringify((await ask("tasks/legal/audit", site)).body)).not.toContain("canary");
  });
});

describe("items", () => {
  test("long texts are cut in the list and whole alone", async () => {
    const { body } = await ask(`${attempt()}/items/events/page/0`);
    const { items, done } = body as {
      readonly items: readonly { readonly offset: number; readonly clipped: boolean }[];
      readonly done: boolean;
    };
    expect([items.length, done]).toEqual([5, true]);
    const long = items[3];
    expect(long?.clipped).toBe(true);
    const whole = await ask(`${attempt()}/items/events/at/${long?.offset}`);
    expect(JSON.stringify(whole.body)).toContain("x".repeat(9000));
  });

  test("a search finds text in any case and says where", async () => {
    const { body } = await ask(`${attempt()}/items/events/search?q=${encodeURIComponent("COLUMN up")}`);
    expect(body).toMatchObject({ hits: [{ item: 1 }], more: false });
  });
});

describe("what steps and calls used", () => {
  const second = (): string => `runs/${id}/trials/${trialId(2)}/1/items`;

  test("tokens and cost add up along the steps, and what is not known is counted", async () => {
    expect(trajectorySchema.safeParse(exampleTrajectory(20)).success).toBe(true);
    const { body } = await ask(`${second()}/steps/usage`);
    const { points, ...counts } = body as UsageTrack;
    expect(counts).toEqual({ taken: 20, withTokens: 20, withCost: 10 });
    expect(points[0]).toEqual({ item: 1, input: 1000, cached: 900, output: 40, costUsd: 0.25 });
    expect(points.at(-1)).toEqual({ item: 20, input: 20_190, cached: 18_000, output: 800, costUsd: 2.5 });
    const page = await ask(`${second()}/steps/page/0`);
    const { items } = page.body as ItemPage;
    expect(items[1]?.usage).toEqual({ tokens: { input: 1000, cached: 900, output: 40 }, costUsd: 0.25 });
  });

  test("the gateway's calls tell theirs", async () => {
    expect(modelCallSchema.safeParse(exampleCall(1)).success).toBe(true);
    const { body } = await ask(`${second()}/calls/usage`);
    expect(body).toMatchObject({
      taken: 3,
      withCost: 3,
      points: [{}, {}, { item: 2, input: 1500, costUsd: 1.5 }],
    });
  });

  test("events used nothing", async () => {
    expect((await ask(`${attempt()}/items/events/usage`)).body).toMatchObject({ taken: 0, points: [] });
  });
});

describe("files", () => {
  test("a page an agent wrote is sent as text that nothing runs in", async () => {
    const response = await app.request(`/api/${attempt()}/files/artifacts/page.html`);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox/);
  });

  test.each([
    "artifacts/../result.json",
    "artifacts/%2e%2e/result.json",
    "result.json",
    "artifacts/link",
    "artifacts",
  ])("%s is not given out", async (name) => {
    await symlink(
      "/etc/passwd",
      join(run.dir, "trials", trialId(1), "attempts", "1", "artifacts", "link"),
    ).catch(() => undefined);
    const response = await app.request(`/api/${attempt()}/files/${name}`);
    expect(response.status).toBe(404);
  });

  test("delimited text and workbooks are shown by their first rows", async () => {
    const csv = await ask(`${attempt()}/preview/artifacts/report.csv`);
    expect(csv.body).toMatchObject({
      kind: "table",
      tables: [{ rows: [["name", "amount"], ["Äpfel", "3"], {}] }],
    });
    const book = xlsx.utils.book_new(xlsx.utils.aoa_to_sheet([["a"], [1], [2]]), "Sums");
    const target = join(run.dir, "trials", trialId(3), "attempts", "1", "artifacts", "book.xlsx");
    await writeFile(target, xlsx.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer);
    const sheet = await ask(`runs/${id}/trials/${trialId(3)}/1/preview/artifacts/book.xlsx`);
    expect(sheet.body).toMatchObject({
      kind: "table",
      tables: [{ name: "Sums", rows: [["a"], ["1"], ["2"]], totalRows: 3 }],
    });
  });

  test("a workbook that is none is told of, not thrown", async () => {
    const target = join(run.dir, "trials", trialId(3), "attempts", "1", "artifacts", "bad.xlsx");
    await writeFile(target, "PK\u0003\u0004 not a zip");
    const { status, body } = await ask(`runs/${id}/trials/${trialId(3)}/1/preview/artifacts/bad.xlsx`);
    expect([status, (body as { readonly kind: string }).kind]).toEqual([200, "none"]);
  });
});

describe("boards", () => {
  test("a lane of the newest run is ranked", async () => {
    const { body } = await ask("board/mean-verified");
    expect(body).toMatchObject({
      kind: "verified",
      outcome: { kind: "board", board: { rows: [{ value: 0.5 }] } },
    });
  });

  test("a reported lane without an import, and a lane that is none, are problems with words", async () => {
    expect(await ask("board/reported-mean")).toMatchObject({ status: 404, body: { code: "unknown-board" } });
    expect(await ask("board/best")).toMatchObject({ status: 404, body: { code: "not-found" } });
  });

  test("the taxonomy tells what is here and what was examined", async () => {
    const { body } = await ask("taxonomy");
    expect(body).toMatchObject({
      domains: [{ subfields: [{ workflows: 0 }, { workflows: 1, instances: 1, examined: 1 }] }],
    });
  });
});

describe("labels", () => {
  const label = { trial: trialId(1), attempt: 1, coder: "ada", label: "incomplete", note: "no names" };
  const post = async (site: Hono, body: unknown, headers: Record<string, string> = {}): Promise<number> => {
    const init = {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    };
    return (await site.request("/api/labels", init)).status;
  };

  test("are taken by a maintainers' server, and shown with the failures", async () => {
    const { app: site } = await createExampleSite({ root, maintainer: true });
    expect(await post(site, { run: id, ...label })).toBe(200);
    const { body } = await ask(`failures/${id}`, site);
    expect(body).toMatchObject({
      scheme: { name: "example" },
      summary: { failed: [{ trial: trialId(1), labels: [{ coder: "ada", by: "person" }] }, {}, {}] },
    });
  });

  test("are refused by a reader's server, from another site's page, and where no scheme has them", async () => {
    const { app: site } = await createExampleSite({ root, maintainer: true });
    expect(await post(app, { run: id, ...label })).toBe(403);
    expect(await post(site, { run: id, ...label }, { Origin: "http://evil.example" })).toBe(403);
    expect(await post(site, { run: id, ...label }, { "Content-Type": "text/plain" })).toBe(403);
    expect(await post(site, { run: id, ...label, label: "lazy" })).toBe(409);
    expect(await post(site, { run: id, ...label, trial: "none" })).toBe(404);
  });
});
