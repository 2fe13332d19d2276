import { describe, expect, test } from "vitest";
import type { RequiredChannelUse } from "../contract/channel-use.ts";
import { observedPolicy } from "../contract/scoring-policy.ts";
import { examplePlan } from "../record/fixtures/example-run.ts";
import { resultRow } from "../record/result-row.ts";
import { boardEntries } from "./board-entry.ts";
import { boardRows } from "./board-rows.ts";
import { channelBypass, describeBypass } from "./channel-bypass.ts";
import { countTrials } from "./counted-trial.ts";
import { exampleAttempt, exampleRun } from "./fixtures/example-attempts.ts";
import { exampleChannels } from "./fixtures/example-channels.ts";
import { renderReport } from "./report/render-report.ts";
import { summariseRun } from "./summarise-run.ts";

const used: RequiredChannelUse = { state: "used", channel: "desktop", inputs: 3 };
const bypassed: RequiredChannelUse = {
  state: "bypassed",
  channel: "desktop",
  reason: "nothing was done on the screen",
};
const untold: RequiredChannelUse = { state: "unknown", channel: "shell", reason: "no trajectory" };

const attempts = [used, bypassed, bypassed, untold, { state: "not-asked" } as const]
  .map((required, index) => exampleAttempt({ instance: `w${index}@a`, channels: exampleChannels(required) }))
  // A record of before channels were accounted for.
  .concat(exampleAttempt({ instance: "old@a" }));

describe("what worked around the channel that its task requires", () => {
  test("is counted among the trials whose task requires one", () => {
    const bypass = channelBypass(countTrials(attempts));
    expect(bypass).toEqual({ asked: 4, bypassed: 2, untold: 1 });
    expect(describeBypass(bypass)).toBe("2 of 4 (1 unknown)");
    expect(describeBypass(channelBypass([]))).toBe("–");
  });

  test("stands beside the value on boards, which it never changes", () => {
    const rank = (list: typeof attempts) => {
      const outcome = boardRows(boardEntries([exampleRun(list)]), {
        lane: "full-pass-verified",
        policy: observedPolicy,
      });
      return outcome.kind === "board" ? outcome.board.rows : expect.fail(outcome.kind);
    };
    const [row] = rank(attempts);
    const [plain] = rank(
      attempts.map(({ result }) => exampleAttempt({ instance: instanceOf(result?.instance) })),
    );
    expect(row?.bypass).toEqual({ asked: 4, bypassed: 2, untold: 1 });
    expect({ ...row, bypass: undefined }).toEqual({ ...plain, bypass: undefined });
  });

  test("is in the row of each attempt, with a reason where it is not known", () => {
    const rows = attempts.map(resultRow);
    expect(rows.map((row) => row?.bypassed)).toEqual([false, true, true, null, null, null]);
    expect(rows.slice(3).map((row) => row?.bypassedReason)).toEqual([
      "no trajectory",
      "the task requires no channel",
      "its channels were not accounted for",
    ]);
    expect(rows[0]?.channelShares).toEqual({ screen: 0.75, shell: 0.25, file: 0, network: 0, other: 0 });
    expect(rows[5]).toMatchObject({
      channelShares: null,
      channelSharesReason: "its channels were not accounted for",
    });
  });

  test("is told in the report, and nothing of it where no task asks", () => {
    const report = (list: typeof attempts): string =>
      renderReport({
        plan: examplePlan(0),
        dir: "/runs/demo",
        contestants: summariseRun(list, observedPolicy),
        rows: list.flatMap((attempt) => resultRow(attempt) ?? []),
      });
    expect(report(attempts)).toContain("2 of 4 (1 unknown)");
    expect(report(attempts)).toContain("screen 75%, shell 25%");
    expect(report(attempts.slice(-1))).not.toContain("bypassed");
  });
});

/** As `exampleAttempt` takes it. */
function instanceOf(id = ""): string {
  return id.replace("legal/", "");
}
