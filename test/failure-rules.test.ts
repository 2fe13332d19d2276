import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { behaviourOf } from "../src/board/failures/behaviour.ts";
import type { FailureCase } from "../src/board/failures/failure-case.ts";
import { type AttemptJudgement, judgeAttempt } from "../src/board/failures/judge-attempt.ts";
import { readTrace } from "../src/board/failures/read-trace.ts";
import { known, unknown } from "../src/contract/absence.ts";
import { trajectorySchema } from "../src/contract/trajectory.ts";
import { openTrajectoryWriter } from "../src/harness/trajectory/open-trajectory-writer.ts";
import { recordStream } from "../src/harness/trajectory/record-stream.ts";
import type { StreamEvent } from "../src/harness/trajectory/stream-event.ts";
import type { StreamReader } from "../src/harness/trajectory/stream-reader.ts";
import { exampleResult } from "../src/record/fixtures/example-run.ts";

// Board and harness never see each other: what the one writes and the other reads is held together here.

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ale-rules-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const canary = "canary-6f1e9d2c-0001";

/** Writes the events of a stream as any harness's are written, and judges what the agent did. */
async function judge(events: readonly StreamEvent[]): Promise<AttemptJudgement> {
  const reader: StreamReader = {
    read: (line) => [JSON.parse(line) as StreamEvent],
    conclude: () => ({
      ending: { kind: "completed" },
      usage: unknown("not told"),
      costUsd: unknown("not told"),
      finalMessage: unknown("not told"),
      models: [],
      sessionId: unknown("not told"),
      version: unknown("not told"),
      toolCalls: 0,
      images: 0,
      imagesLeftOut: 0,
      noise: { lines: 0, bytes: 0 },
    }),
  };
  await using writer = await openTrajectoryWriter(folder, {
    session_id: "trial",
    agent: { name: "test", version: "1" },
  });
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
  }
  const { path } = await recordStream(
    lines(),
    reader,
    writer,
    () => 1000,
    () => Promise.resolve({ kind: "exited", code: 0 }),
  );
  expect(trajectorySchema.safeParse(JSON.parse(await readFile(path, "utf8"))).success).toBe(true);
  const result = exampleResult({ score: known(0), fullPass: known(false) });
  const { status, score, fullPass, taskHash, comparabilityKey } = result;
  const failure: FailureCase = {
    result,
    grade: { status, score, fullPass, verdict: undefined, taskHash, comparabilityKey },
    trace: await readTrace({ dir: folder }),
    task: { software: ["QGIS 3.28"], channels: ["desktop"], canary },
  };
  return judgeAttempt(failure, { dir: folder, workflow: "legal/audit", labels: [], canaryIn: [] });
}

function call(
  id: string,
  command: string,
  answer: string,
  end: { failed?: boolean; exitCode?: number } = {},
) {
  return [
    { kind: "call", id, name: "bash", arguments: { command } },
    { kind: "result", call: id, content: [{ type: "text", text: answer }], ...end },
  ] as const satisfies readonly StreamEvent[];
}

const fired = (judgement: AttemptJudgement): readonly string[] => judgement.rules.map(({ rule }) => rule);

describe("what the trajectory writer writes", () => {
  test("failed calls are counted, whether marked as errors or by their exit status", async () => {
    const events = [
      ...call("a", "make", "no", { failed: true }),
      ...call("b", "make test", "no", { exitCode: 2 }),
      ...call("c", "ls", "ok", { exitCode: 0 }),
    ];
    const judgement = await judge(events);
    expect(judgement.rules.find(({ rule }) => rule === "many-failed-calls")?.evidence[0]).toBe(
      "2 of 3 calls failed (0 unknown)",
    );
    expect(behaviourOf(await readTrace({ dir: folder }))).toMatchObject({
      calls: 3,
      failedCalls: 2,
      toldCalls: 3,
    });
  });

  test("a loop, an unused screen and a program that was never opened are seen", async () => {
    const judgement = await judge(["a", "b", "c", "d"].flatMap((id) => [...call(id, "make", "same")]));
    expect(fired(judgement)).toEqual(["repeated-action", "software-not-opened", "gui-avoided"]);
  });

  test("answers to calls are searched for the canary, and calls for what they reach", async () => {
    expect((await judge(call("a", "cat notes", `… ${canary} …`))).taint.verdict).toBe("tainted");
    expect((await judge(call("a", "cat /ale/reference/answer.json", ""))).taint.verdict).toBe("tainted");
    expect((await judge(call("a", "ls", "a b"))).taint.verdict).toBe("clean");
    const said = await judge([{ kind: "text", text: "This is Agents' Last Exam." }]);
    expect(said.taint.verdict).toBe("inconclusive");
  });

  test.each([
    [{ type: "system", subtype: "compact_boundary", compact_metadata: { trigger: "auto" } }],
    [{ type: "context_compacted" }],
    [{ type: "auto_compaction_start" }],
    [{ type: "chat_compressed", value: { newTokenCount: 1 } }],
  ])("a compacted context is seen in the harness's own event %j", async (event) => {
    const events: StreamEvent[] = [
      ...call("a", "ls", ""),
      { kind: "other", event },
      { kind: "text", text: "On." },
    ];
    expect(fired(await judge(events))).toContain("context-compacted");
  });

  test("events that are kept and say nothing of compaction are none", async () => {
    const events: StreamEvent[] = [
      { kind: "other", event: { type: "init", compact: false } },
      ...call("a", "ls", ""),
    ];
    expect(fired(await judge(events))).not.toContain("context-compacted");
  });
});
