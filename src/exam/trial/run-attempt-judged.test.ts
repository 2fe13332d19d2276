import { describe, expect, test } from "vitest";
import { createExamRig } from "../../../test/support/exam-rig.ts";
import { harnessOf, quiet } from "../../../test/support/trial-rig.ts";
import { known } from "../../contract/absence.ts";
import type { TrialGrant } from "../../gateway/gateway.ts";
import { modelsAt, startGateway } from "../../gateway/test-support/gateway-bench.ts";
import type { ScriptStep } from "../../testing/scripted-model/script.ts";
import { createScriptedModel } from "../../testing/scripted-model/scripted-model.ts";
import { type LineOpener, noLine } from "../line/trial-line.ts";

const minute = 60_000;

/** A trial whose harness asks its model, leaves after two silent minutes, and says that it is done; ended by `meanwhile`. */
async function sitSilent(step: ScriptStep, isCancelled = false) {
  await using cleanup = new AsyncDisposableStack();
  let grant: TrialGrant | undefined;
  const asked = Promise.withResolvers<AbortController>();
  const returned = Promise.withResolvers<void>();
  const harness = harnessOf(async ({ sandbox }) => {
    await sandbox.writeFile("/home/agent/output/total.txt", "42");
    const leaving = new AbortController();
    const call = fetch(`${grant?.endpoints["anthropic-messages"]}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": grant?.token ?? "" },
      body: JSON.stringify({ model: "scripted", max_tokens: 9, messages: [] }),
      signal: leaving.signal,
    });
    asked.resolve(leaving);
    await call.catch(() => undefined);
    returned.resolve();
    return { kind: "completed", ...quiet };
  });
  const rig = cleanup.use(
    await createExamRig({
      exam: { contestants: [{ harness: "scripted" }] },
      harnesses: [harness],
      task: { manifest: { limits: { wall_minutes: 3 } } },
    }),
  );
  const { clock } = rig;
  const model = cleanup.use(await createScriptedModel({ script: () => step, clock }));
  const bench = cleanup.use(await startGateway(modelsAt(model.origin), clock));
  const lines: LineOpener = async (request) => ({
    ...(await noLine(request)),
    open: async () => {
      const opened = bench.openTrial();
      grant = opened;
      return {
        env: {},
        meter: opened.meter,
        close: opened.close,
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      };
    },
  });
  const stop = new AbortController();
  const conducted = rig.conduct({ stop: stop.signal, lines });
  const leaving = await asked.promise;
  while (model.calls.length === 0) await new Promise(setImmediate);
  await clock.advance(2 * minute);
  leaving.abort();
  await returned.promise;
  while (!rig.provider.calls.some(({ method }) => method === "quiesce")) await new Promise(setImmediate);
  if (isCancelled) stop.abort();
  // Only the answer is waited for on the clock; what is written to disk takes no time.
  while (grant?.meter().underWay !== 0) await clock.advance(10_000);
  await conducted;
  const attempts = await rig.run.attempts();
  return attempts.map(({ result }) => result);
}

describe("an attempt whose harness left a silent call and ended", () => {
  test("is the environment's failure when no answer comes, past the deadline too", async () => {
    const [first] = await sitSilent({ kind: "hang" });
    expect(first).toMatchObject({
      status: "env_error",
      reason: expect.stringMatching(/nothing came for 600 s/),
    });
  });

  test("is graded when the answer comes after all", async () => {
    const results = await sitSilent({ kind: "answer", text: "late", afterMs: 5 * minute });
    expect(results).toMatchObject([{ status: "completed", score: known(1), usage: known({ calls: 1 }) }]);
  });

  test("waits for no answer once it is cancelled", async () => {
    const [first] = await sitSilent({ kind: "hang" }, true);
    expect(first).toMatchObject({ status: "cancelled", accounts: { failures: [] } });
  });
});
