import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anthropic, ask } from "../../test/support/gateway-clients.ts";
import { createFixedClock, type FixedClock } from "../testing/fixed-clock.ts";
import type { Script, ScriptStep } from "../testing/scripted-model/script.ts";
import { createScriptedModel } from "../testing/scripted-model/scripted-model.ts";
import { inOrder } from "../testing/scripted-model/scripts.ts";
import type { TrialGrant, TrialMeter } from "./gateway.ts";
import { readCalls } from "./record/replay.ts";
import { modelsAt, startGateway } from "./test-support/gateway-bench.ts";

const hang: ScriptStep = { kind: "hang" };
const answer: ScriptStep = { kind: "answer", text: "one two three" };

/** Moves the clock on, ten seconds at a time, until the work is done. */
async function advanceUntil(time: FixedClock, work: Promise<unknown>): Promise<void> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  work.then(end, end);
  while (!over) await time.advance(10_000);
}

interface Told {
  readonly meter: TrialMeter;
  readonly waits: { readonly open: number; readonly total: number };
  readonly calls: Awaited<ReturnType<typeof readCalls>>;
}

/** What a trial tells in which this was done, against a server that does as its script says. */
async function tell(
  script: Script,
  work: (trial: TrialGrant, time: FixedClock) => Promise<unknown>,
  upstream: object = {},
): Promise<Told> {
  const time = createFixedClock();
  await using model = await createScriptedModel({ script, clock: time });
  await using bench = await startGateway(modelsAt(model.origin, upstream), time);
  const record = join(bench.folder, "calls");
  await using trial = bench.openTrial({ record });
  await work(trial, time);
  const closing = trial.close();
  await advanceUntil(time, closing);
  return { meter: await closing, waits: bench.waits, calls: await readCalls(record) };
}

describe("the gateway, before a silent upstream", () => {
  test("asks again when no answer begins, and the time is a wait", async () => {
    const { meter, waits, calls } = await tell(inOrder([hang, answer]), async (trial, time) => {
      const asked = anthropic(trial).messages.create(ask);
      await advanceUntil(time, asked);
      expect((await asked).content).toMatchObject([{ text: "one two three" }]);
    });
    expect(meter).toMatchObject({ usage: { calls: 1 }, failures: [] });
    expect(meter.waitedMs).toBeGreaterThanOrEqual(600_000);
    // The try in vain, and the pause after it.
    expect(waits).toEqual({ open: 0, total: 2 });
    expect(calls[0]?.retries.map(({ reason }) => reason)).toEqual(["nothing came for 600 s"]);
    expect(calls[0]?.waitedMs).toBe(meter.waitedMs);
  });

  test("gives up for good after the tries of its policy, as the upstream's failure", async () => {
    const upstream = { retry: { attempts: 2 }, silence: { first_byte_seconds: 20 } };
    const { meter } = await tell(
      () => hang,
      async (trial, time) => {
        const asked = anthropic(trial).messages.create(ask);
        await Promise.all([
          expect(asked).rejects.toThrow(/nothing came for 20 s/),
          advanceUntil(time, asked),
        ]);
      },
      upstream,
    );
    expect(meter.lastEnd?.kind).toBe("unreachable");
    expect(meter.failures).toMatchObject([{ status: 0 }]);
    expect(meter.waitedMs).toBeGreaterThanOrEqual(40_000);
    expect(meter.waitedMs).toBeLessThan(80_000);
  });

  test("breaks off an answer that stops in the middle, and lets a slow one come", async () => {
    const paced = (eventEveryMs: number): ScriptStep => ({ ...answer, eventEveryMs });
    const { meter, waits } = await tell(inOrder([paced(299_000), paced(301_000)]), async (trial, time) => {
      const slow = anthropic(trial).messages.stream(ask).finalMessage();
      await advanceUntil(time, slow);
      expect((await slow).content).toMatchObject([{ text: "one two three" }]);
      const stopped = anthropic(trial).messages.stream(ask).finalMessage();
      await Promise.all([expect(stopped).rejects.toThrow(), advanceUntil(time, stopped)]);
    });
    expect(meter.lastEnd).toEqual({ kind: "cut", message: "nothing came for 300 s" });
    expect(meter.failures).toHaveLength(1);
    expect([meter.waitedMs, waits.total]).toEqual([300_000, 1]);
  });

  /** Asks for a stream, waits for so long once it is silent, and leaves. */
  const leaveAfter = (ms: number, hasBegun: boolean) => async (trial: TrialGrant, time: FixedClock) => {
    const leaving = new AbortController();
    const asked = fetch(`${trial.endpoints["anthropic-messages"]}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": trial.token },
      body: JSON.stringify({ ...ask, stream: true }),
      signal: leaving.signal,
    });
    if (hasBegun) await (await asked).body?.getReader().read();
    else await time.untilSleeping(1);
    await time.advance(ms);
    leaving.abort();
    await asked.catch(() => undefined);
  };

  test.each<[string, ScriptStep]>([
    ["before its answer", hang],
    ["in the middle of it", { ...answer, eventEveryMs: 1e9 }],
  ])("counts it as the upstream's when a client waits long %s and leaves", async (_, step) => {
    const hasBegun = step !== hang;
    const soon = await tell(() => step, leaveAfter(5000, hasBegun));
    expect([soon.meter.failures, soon.meter.lastEnd]).toEqual([[], undefined]);
    const late = await tell(() => step, leaveAfter(100_000, hasBegun));
    const message = expect.stringMatching(/nothing came for 1\d0 s, and the client left/);
    expect(late.meter.failures).toMatchObject([{ status: 0, message }]);
    expect(late.meter.lastEnd?.kind).toBe(hasBegun ? "cut" : "unreachable");
    expect(late.calls).toMatchObject([{ clientLeft: true }]);
  });
});
