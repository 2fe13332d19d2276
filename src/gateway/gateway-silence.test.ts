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
  /** Time that closing took, in milliseconds. */
  readonly closedIn: number;
}

interface TellOptions {
  readonly upstream?: object;
  /** Until when the trial, once closed, waits for answers that are owed. */
  readonly judging?: AbortSignal;
}

/** What a trial tells in which this was done, against a server that does as its script says. */
async function tell(
  script: Script,
  work: (trial: TrialGrant, time: FixedClock) => Promise<unknown>,
  { upstream = {}, judging }: TellOptions = {},
): Promise<Told> {
  const time = createFixedClock();
  await using model = await createScriptedModel({ script, clock: time });
  await using bench = await startGateway(modelsAt(model.origin, upstream), time);
  const record = join(bench.folder, "calls");
  await using trial = bench.openTrial({ record });
  await work(trial, time);
  const from = time.monotonic();
  const closing = trial.close(judging);
  await advanceUntil(time, closing);
  const closedIn = time.monotonic() - from;
  return { meter: await closing, waits: bench.waits, calls: await readCalls(record), closedIn };
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
      { upstream },
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
  const patiently = (): TellOptions => ({ judging: new AbortController().signal });

  describe.each<[string, boolean, ScriptStep, ScriptStep]>([
    ["before its answer", false, hang, { ...answer, afterMs: 300_000 }],
    ["in the middle of it", true, { ...answer, eventEveryMs: 1e9 }, { ...answer, eventEveryMs: 250_000 }],
  ])("whose client waits long %s and leaves", (_, hasBegun, never, late) => {
    test("waits as long as it may be silent, and counts it as the upstream's when nothing comes", async () => {
      const { meter, calls, closedIn } = await tell(() => never, leaveAfter(100_000, hasBegun), patiently());
      const limit = hasBegun ? 300 : 600;
      const message = expect.stringContaining(`nothing came for ${limit} s`);
      expect(meter.failures).toMatchObject([{ status: 0, message }]);
      expect(meter.lastEnd?.kind).toBe(hasBegun ? "cut" : "unreachable");
      expect(calls).toMatchObject([{ clientLeft: true }]);
      expect(closedIn).toBeGreaterThanOrEqual((limit - 100) * 1000 - 10_000);
    });

    test("counts it as nobody's when something comes after all", async () => {
      const upstream = { silence: { first_byte_seconds: 1e6, idle_seconds: 1e6 } };
      const work = leaveAfter(100_000, hasBegun);
      const { meter, closedIn } = await tell(() => late, work, { ...patiently(), upstream });
      expect(meter.failures).toEqual([]);
      expect(meter.lastEnd?.kind).toBe(hasBegun ? undefined : "answered");
      expect(closedIn).toBeGreaterThanOrEqual(140_000);
    });

    test("waits for nothing when nobody wants to know, or no longer does, or it was left soon", async () => {
      const unasked = await tell(() => never, leaveAfter(100_000, hasBegun));
      const given = { judging: AbortSignal.abort() };
      const givenUp = await tell(() => never, leaveAfter(100_000, hasBegun), given);
      const soon = await tell(() => never, leaveAfter(5000, hasBegun), patiently());
      for (const { meter } of [unasked, givenUp, soon]) {
        expect([meter.failures, meter.lastEnd]).toEqual([[], undefined]);
      }
    });
  });
});
