import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { harnessOf, quiet, sit } from "../../../test/support/trial-rig.ts";
import { known, unknown } from "../../contract/absence.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import type { Harness, HarnessSession } from "../../harness/harness.ts";

/** The channels of a trial whose harness leaves this behind. */
async function channelsOf(
  manifest: Readonly<Record<string, unknown>>,
  work: (session: HarnessSession) => Promise<void>,
  kind: Partial<Harness> = {},
): Promise<NonNullable<TrialResult["channels"]>> {
  const harness = harnessOf(async (session) => {
    await work(session);
    return { kind: "completed", ...quiet };
  });
  await using sat = await sit({
    exam: { contestants: [{ harness: "scripted" }] },
    harnesses: [{ ...harness, ...kind }],
    task: { manifest },
  });
  expect(sat.result.status).toBe("completed");
  return sat.result.channels ?? expect.fail("no channels in the result");
}

function step(second: number, ...tools: string[]): object {
  return {
    timestamp: new Date(second * 1000).toISOString(),
    tool_calls: tools.map((function_name, index) => ({ tool_call_id: `${second}-${index}`, function_name })),
  };
}

describe("the channels of an attempt", () => {
  test("are counted from its trajectory, and a required one that was not used is in its result", async () => {
    const { channels, required } = await channelsOf(
      { interface: ["shell"], required_channel: "shell" },
      async ({ record }) => {
        const steps = [step(0, "Read"), step(2, "Write", "WebFetch"), step(6)];
        await writeFile(join(record, "trajectory.json"), JSON.stringify({ steps }));
      },
    );
    expect(channels.file).toEqual({
      calls: 2,
      share: known(2 / 3),
      seconds: known(4),
      timeShare: known(4 / 6),
    });
    expect(channels.network.timeShare).toEqual(known(2 / 6));
    expect(required).toEqual({
      state: "bypassed",
      channel: "shell",
      reason: "no call of a tool went through a shell",
    });
  });

  test("tell which programs had windows and input, a torn last line of the screen's record left out", async () => {
    const { programs, channels } = await channelsOf({}, async ({ record }) => {
      const line = {
        number: 1,
        at: 1,
        wallMs: 1,
        action: { kind: "click" },
        programs: ["Gimp"],
        focus: "Gimp",
      };
      await appendFile(join(record, "actions.jsonl"), `${JSON.stringify(line)}\n{"number":2,"a`);
    });
    expect(programs).toEqual([{ program: "Gimp", shown: 1, focused: 1, inputs: 1 }]);
    expect(channels.screen.share).toEqual(unknown("the harness told no trajectory"));
  });

  test("cannot be told from a damaged trajectory, which takes nothing from the attempt", async () => {
    const { channels, required } = await channelsOf({ required_channel: "shell" }, ({ record }) =>
      writeFile(join(record, "trajectory.json"), '{"steps": ['),
    );
    expect(channels.shell.share).toMatchObject({ known: false });
    expect(required).toMatchObject({ state: "unknown", channel: "shell" });
  });

  test("of a person are told by their acts, which all are events", async () => {
    const { channels, required } = await channelsOf(
      { required_channel: "shell" },
      async ({ emit }) => {
        emit({ type: "command", phase: "agent", argv: ["sh", "-c", "ls"], exit: 0, wallMs: 5 });
        emit({ type: "agent", kind: "screen.click", data: {} });
        emit({ type: "agent", kind: "human.hand-in", data: { path: "total.txt" } });
        emit({ type: "agent", kind: "human.submitted", data: {} });
      },
      { outside: true },
    );
    expect([channels.shell.calls, channels.screen.calls, channels.file.calls]).toEqual([1, 1, 1]);
    expect(required).toEqual({ state: "used", channel: "shell", inputs: 1 });
  });
});
