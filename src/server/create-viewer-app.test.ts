import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { trialId } from "../record/fixtures/example-run.ts";
import { createViewerApp } from "./create-viewer-app.ts";
import { exampleSources, exampleTask, makeExampleRun } from "./fixtures/example-site.ts";

const secrets = { token: "the-token", session: "the-session" };
let root: string;
let attempt: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ale-viewer-app-"));
  const run = await makeExampleRun(root, 2);
  attempt = `/api/runs/${basename(run.dir)}/trials/${trialId(1)}/1`;
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function app(): Promise<Hono> {
  return createViewerApp({ secrets, reading: await exampleSources({ root, tasks: [exampleTask()] }) });
}

function enter(to: Hono, token: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const body = JSON.stringify({ token });
  const init = { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body };
  return Promise.resolve(to.request("/api/serve/enter", init));
}

describe("the viewer's API", () => {
  test("answers the browser that came first with the token, and nobody else", async () => {
    const viewer = await app();
    const paths = ["/api/about", "/api/runs", "/api/live", "/api/board", attempt, `${attempt}/screen/frame`];
    for (const path of paths) expect([path, (await viewer.request(path)).status]).toEqual([path, 403]);
    expect((await enter(viewer, "guessed")).status).toBe(403);
    expect((await enter(viewer, secrets.token, { Origin: "http://elsewhere.example" })).status).toBe(403);
    const first = await enter(viewer, secrets.token);
    const cookie = first.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/^ale-serve-0=the-session;.* Path=\/api; HttpOnly; SameSite=Strict/);
    const second = await enter(viewer, secrets.token);
    expect([second.status, await second.json()]).toEqual([
      403,
      expect.objectContaining({ remedy: expect.stringContaining("start npx ale serve again") }),
    ]);
    const inside = { Cookie: cookie.split(";")[0] ?? "" };
    for (const path of ["/api/about", "/api/runs", attempt]) {
      expect([path, (await viewer.request(path, { headers: inside })).status]).toEqual([path, 200]);
    }
    // The same browser, with the address once more.
    expect((await enter(viewer, secrets.token, inside)).status).toBe(200);
    const missing = await viewer.request("/api/nothing", { headers: inside });
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: "not-found" }]);
  });

  test("knows no browser by the cookie of another server", async () => {
    const viewer = await app();
    for (const cookie of ["ale-serve-0=another", "ale-watch-0=the-session", "ale-serve-1=the-session"]) {
      expect((await viewer.request("/api/about", { headers: { Cookie: cookie } })).status).toBe(403);
    }
  });
});
