import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TrialEvent } from "../../src/contract/trial-event.ts";
import type { TrialResult } from "../../src/contract/trial-result.ts";
import { repositoryRoot } from "../source-imports.ts";
import { createWorkplace, type Workplace } from "./run-ale.ts";

const secret = "hostile-test-secret-8c1f";
const canary = "ale-canary-2f6a1c8e-sum-column";

interface Findings {
  readonly tried: readonly string[];
  readonly breaches: readonly unknown[];
}

let workplace: Workplace;
const servers: Server[] = [];
let attempt: string;
let result: TrialResult;
let events: readonly TrialEvent[];

async function listen(where: number | string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(where as number, resolve));
  return server;
}

beforeAll(async () => {
  workplace = await createWorkplace();
  const server = await listen(0);
  await listen("\0ale-hostile-test");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const script = await readFile(join(import.meta.dirname, "hostile-contestant.py"), "utf8");
  const exam = {
    schema: "ale/exam@1",
    name: "hostile",
    contestants: [
      {
        name: "hostile",
        harness: "command",
        settings: { argv: ["/usr/bin/python3", "-c", script, canary, secret, String(port)] },
      },
    ],
    tasks: { roots: [join(repositoryRoot, "test", "tasks")], include: ["computing_math/sum_column@small"] },
  };
  // JSON is YAML.
  await writeFile(join(workplace.dir, "exam.yaml"), JSON.stringify(exam));
  process.env["ALE_TEST_SECRET"] = secret;
  const run = await workplace.ale("run", "exam.yaml", "--json");
  expect(run.stderr + run.stdout).toContain("hostile");
  const trials = join((JSON.parse(run.stdout) as { dir: string }).dir, "trials");
  const [trial = ""] = await readdir(trials);
  attempt = join(trials, trial, "attempts", "1");
  result = JSON.parse(await readFile(join(attempt, "result.json"), "utf8")) as TrialResult;
  events = (await readFile(join(attempt, "events.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as TrialEvent);
});

afterAll(async () => {
  for (const server of servers) server.close();
  await workplace[Symbol.asyncDispose]();
});

describe("a contestant that tries everything but the task", () => {
  test("found no way to the reference, the package, the host's processes, files or network", async () => {
    const text = await readFile(join(attempt, "artifacts", "evidence", "findings.json"), "utf8");
    const findings = JSON.parse(text) as Findings;
    expect(findings.breaches).toEqual([]);
    expect(findings.tried.length).toBeGreaterThanOrEqual(11);
  });

  test("left a process behind that was ended before anything was collected, and the record names it", () => {
    const quiesced = events.find((event) => event.type === "quiesced");
    expect(quiesced?.ended.some((name) => name.includes("python"))).toBe(true);
  });

  test.each([
    ["evidence/link-out", "link-out"],
    ["evidence/fifo", "special-file"],
    ["evidence/sparse", "sparse"],
    ["evidence/bomb.zip", "archive-bomb"],
  ])("handed in %s and it was refused as %s, in the record", (path, code) => {
    const refused = result.artifacts.find(
      (artifact) => artifact.state === "refused" && artifact.path === path,
    );
    expect(refused).toMatchObject({ state: "refused", code });
  });

  test("scored nothing, for all its claims", () => {
    expect(result.score).toEqual({ known: true, value: 0 });
    expect(result.claim).toMatchObject({ known: true, value: { message: "Done. All checks pass." } });
  });

  test("left no key of ours in any file of the record", async () => {
    const scan = await workplace.ale("results", "scan", "--json");
    expect(JSON.parse(scan.stdout)).toMatchObject({ hits: [] });
    expect(scan.status).toBe(0);
  });
});
