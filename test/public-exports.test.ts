import { expect, test } from "vitest";

test("the package exports these values and no others", async () => {
  expect(Object.keys(await import("ale")).sort()).toMatchInlineSnapshot(`
    [
      "AleError",
      "aleMissingZeroPolicy",
      "conductExam",
      "createLocalProvider",
      "createRandom",
      "examFileSchema",
      "examLockSchema",
      "examPlanSchema",
      "findTasks",
      "known",
      "nativeFormat",
      "observedPolicy",
      "openRun",
      "planExam",
      "taskManifestSchema",
      "trialEventSchema",
      "trialResultSchema",
      "unknown",
      "verdictSchema",
    ]
  `);
});

test("a task's entry exports these values and no others", async () => {
  expect(Object.keys(await import("ale/task"))).toEqual(["defineTask"]);
});
