import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import type { ScreenView } from "../../contract/screen-view.ts";
import { exampleResult, trialId } from "../../record/fixtures/example-run.ts";
import type { AttemptWriter, RunRecord } from "../../record/run-record.ts";
import { exampleSources, exampleTask, makeExampleRun } from "../fixtures/example-site.ts";
import type { FindLiveRun, LiveRun } from "../live-run.ts";
import type { ServedTask } from "../served-task.ts";
import { createWatchApp } from "./create-watch-app.ts";

const secrets = { token: "the-token", session: "the-session" };
const inside = { Cookie: "ale-watch-0=the-session" };

let root: string;
let run: RunRecord;
let writer: AttemptWriter;
let live: LiveRun | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-watch-"));
  run = await makeExampleRun(root, 2);
  live = { since: 0, host: "here", here: true, screen: async () => undefined };
  writer = await run.startAttempt(trialId(2));
  writer.append({
    type: "attempt-started",
    ...{ trial: trialId(2), attempt: 2, contestant: "oracle", instance: "legal/audit@base" },
  });
  await writer.flush();
});
afterEach(async () => {
  await writer[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

async function appOf(tasks: readonly ServedTask[] = [exampleTask()]): Promise<Hono> {
  const find: FindLiveRun = async () => live;
  return createWatchApp({
    secrets,
    run: basename(run.dir),
    reading: await exampleSources({ root, tasks, live: find }),
  });
}

const attempt = (): string => `/api/runs/${basename(run.dir)}/trials/${trialId(2)}/2`;

async function ask(path: string, app: Hono): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await app.request(path, { headers: inside });
  return { status: response.status, body: await response.json() };
}

describe("the page of a run that is watched", () => {
  const enter = (app: Hono, token: string, headers: Readonly<Record<string, string>> = {}) =>
    app.request("/api/watch/enter", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ token }),
    });

  test("lets in the first browser that comes with the token, and nobody else", async () => {
    const app = await appOf();
    for (const path of ["/api/watch", "/api/runs", "/api/about", attempt(), `${attempt()}/screen/frame`]) {
      expect([path, (await app.request(path)).status]).toEqual([path, 403]);
    }
    expect((await enter(app, "guessed")).status).toBe(403);
    expect((await enter(app, secrets.token, { Origin: "http://elsewhere.example" })).status).toBe(403);
    const first = await enter(app, secrets.token);
    expect(first.headers.get("Set-Cookie")).toMatch(
      /^ale-watch-0=the-session;.* Path=\/api; HttpOnly; SameSite=Strict/,
    );
    expect((await enter(app, secrets.token)).status).toBe(403);
    expect((await ask("/api/watch", app)).status).toBe(200);
  });

  test.each(["POST", "PUT", "DELETE"])("takes no %s from whoever was let in", async (method) => {
    const app = await appOf();
    for (const path of [`${attempt()}/screen`, `${attempt()}/screen/frame`, "/api/watch", "/api/failures"]) {
      const answer = await app.request(path, { method, headers: inside, body: "[]" });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });

  test("tells what goes on, and nothing of what was cut off before or has ended", async () => {
    const app = await appOf();
    expect((await ask("/api/watch", app)).body).toMatchObject({
      ...{ planned: 2, finished: 2, conducted: true },
      running: [{ trial: trialId(2), attempt: 2, title: "Audit a portfolio" }],
    });
    live = { ...(live as LiveRun), since: Date.now() + 60_000 };
    expect((await ask("/api/watch", await appOf())).body).toMatchObject({ conducted: true, running: [] });
    live = undefined;
    expect((await ask("/api/watch", app)).body).toMatchObject({ conducted: false, running: [] });
  });

  test("does not name a task that is not shown", async () => {
    const app = await appOf([exampleTask("private")]);
    const { body } = await ask("/api/watch", app);
    expect(JSON.stringify(body)).not.toContain("Audit a portfolio");
    for (const path of ["screen", "screen/frame"]) {
      expect((await ask(`${attempt()}/${path}`, app)).status).toBe(403);
    }
  });
});

describe("the screen of an attempt", () => {
  const atDesktop = (): ServedTask => {
    const task = exampleTask();
    return { ...task, manifest: { ...task.manifest, interface: ["desktop"] } };
  };
  const view: ScreenView = {
    width: 40,
    height: 30,
    frame: async (after) => (after === "r1" ? undefined : { bytes: Buffer.from("picture"), revision: "r1" }),
  };
  const gone = new AleError({ code: "screen-gone", message: "it is shown no more" });

  test("stands as it is: none, not now, shown, elsewhere, lost, ended", async () => {
    const standing = async (tasks: readonly ServedTask[] = [atDesktop()]): Promise<unknown> =>
      (await ask(`${attempt()}/screen`, await appOf(tasks))).body;
    const here = live as LiveRun;
    expect(await standing([exampleTask()])).toMatchObject({ state: "none" });
    expect(await standing()).toMatchObject({ state: "away" });
    live = { ...here, screen: async () => view };
    expect(await standing()).toMatchObject({ state: "shown", width: 40, height: 30 });
    live = { ...here, here: false, host: "farm-7" };
    expect(await standing()).toMatchObject({ state: "elsewhere", host: "farm-7" });
    live = { ...here, screen: () => Promise.reject(gone) };
    expect(await standing()).toMatchObject({ state: "lost" });
    live = undefined;
    expect(await standing()).toMatchObject({ state: "lost" });
    await writer.writeResult(exampleResult({ trial: trialId(2), repeat: 2, attempt: 2 }));
    expect(await standing()).toMatchObject({ state: "ended" });
  });

  test("is given frame by frame until it is gone", async () => {
    let isGone = false;
    const frame: ScreenView["frame"] = (after, signal) =>
      isGone ? Promise.reject(gone) : view.frame(after, signal);
    live = { ...(live as LiveRun), screen: async () => (isGone ? undefined : { ...view, frame }) };
    const app = await appOf([atDesktop()]);
    const next = (query: string): Promise<Response> =>
      Promise.resolve(app.request(`${attempt()}/screen/frame${query}`, { headers: inside }));
    const first = await next("");
    expect([first.status, first.headers.get("X-Revision"), await first.text()]).toEqual([
      200,
      "r1",
      "picture",
    ]);
    expect(first.headers.get("Content-Type")).toBe("image/jpeg");
    expect([(await next("?after=r1")).status, (await next("?after=r1")).headers.has("X-Over")]).toEqual([
      204,
      false,
    ]);
    isGone = true;
    for (let count = 0; count < 2; count++) {
      const over = await next("");
      expect([over.status, over.headers.get("X-Over")]).toEqual([204, "true"]);
    }
  });
});
