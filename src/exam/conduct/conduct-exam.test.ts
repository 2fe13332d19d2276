import { describe, expect, test } from "vitest";
import { createExamRig } from "../../../test/support/exam-rig.ts";

describe("conductExam", () => {
  test("sits every trial, grades it, records it and leaves no sandbox behind", async () => {
    await using rig = await createExamRig({
      exam: { contestants: [{ harness: "oracle" }, { harness: "nop" }, { harness: "bluffer" }], repeats: 2 },
    });
    const summary = await rig.conduct();
    expect(summary).toMatchObject({ end: "finished", planned: 6, finished: 6, statuses: { completed: 6 } });
    const attempts = await rig.run.attempts();
    const scores = attempts.map(({ result }) => [result?.contestant.name, result?.score]);
    expect(scores).toContainEqual(["oracle", { known: true, value: 1 }]);
    expect(scores.filter(([name]) => name !== "oracle").map(([, score]) => score)).toEqual(
      Array(4).fill({ known: true, value: 0 }),
    );
    expect(await rig.provider.list()).toEqual([]);
  });
});
