import { describe, expect, test } from "vitest";
import { examFromFlags, type RunFlags } from "./exam-from-flags.ts";

const base = examFromFlags({ agent: ["oracle"], name: "base", repeats: "2", seed: "7" }, undefined, "/tasks");

function refusal(flags: RunFlags, withBase = false): unknown {
  try {
    return examFromFlags(flags, withBase ? base : undefined, "/tasks");
  } catch (error) {
    return error;
  }
}

describe("the exam that flags describe", () => {
  test("agents, models and efforts become contestants to be multiplied out", () => {
    const exam = examFromFlags(
      { agent: ["claude", "codex"], model: ["m1", "m2"], effort: ["high"], set: ["turns=3"] },
      undefined,
      "/tasks",
    );
    expect(exam.contestants).toEqual(
      ["claude", "codex"].map((harness) => ({
        harness,
        model: ["m1", "m2"],
        effort: ["high"],
        settings: { turns: 3 },
      })),
    );
    expect(exam.tasks).toEqual({ roots: ["/tasks"], include: ["**"], exclude: [] });
  });

  test("a flag changes what the exam file says, and nothing else", () => {
    expect(examFromFlags({ repeats: "5" }, base, "/tasks")).toEqual({ ...base, repeats: 5 });
  });

  test("without a contestant there is no exam", () => {
    expect(refusal({})).toMatchObject({ code: "usage", message: expect.stringContaining("no contestant") });
  });

  test.each([["model"], ["effort"], ["set"]] as const)(
    "--%s without an agent is refused, not passed over",
    (name) => {
      const expected = { code: "usage", message: expect.stringContaining(`--${name}`) };
      expect(refusal({ [name]: ["high"] }, true)).toMatchObject(expected);
    },
  );

  test("an effort that is none names those there are", () => {
    expect(refusal({ agent: ["nop"], effort: ["hihg"] })).toMatchObject({
      code: "usage",
      message: '--effort takes one of none, minimal, low, medium, high, xhigh, max; not "hihg"',
    });
  });

  test("a value that is no number names its flag", () => {
    expect(refusal({ agent: ["nop"], repeats: "two" })).toMatchObject({
      code: "usage",
      message: '--repeats takes a number, not "two"',
    });
  });

  test.each<[RunFlags, string]>([
    [{ minutes: "0" }, "--minutes is 0, but must be more than 0"],
    [{ budget: "-1" }, "--budget is -1, but must be more than 0"],
    [{ repeats: "0" }, "--repeats is 0, but must be at least 1"],
    [{ repeats: "5000" }, "--repeats is 5000, but must be at most 1000"],
    [{ seed: "1.5" }, "--seed is 1.5, but must be a whole number"],
    [{ concurrency: "0" }, "--concurrency is 0, but must be more than 0"],
    [{ name: "My run" }, "--name is My run, but must be lower-case letters, digits and -"],
    [{ provider: "" }, '--provider is "", but must be text of at least 1 character'],
    [{ task: [""] }, '--task is "", but must be text of at least 1 character'],
    [{ tasksRoot: [""] }, '--tasks-root is "", but must be text of at least 1 character'],
    [{ model: [""] }, '--model is "", but must be text of at least 1 character'],
    [{ agent: [""] }, '--agent is "", but must be text of at least 1 character'],
    [{ scoring: "observd" }, "--scoring is observd, but must be observed"],
    [{ set: ["argv=null"] }, "--set argv is "],
  ])("of %j, the option is named with what it may be", (flags, message) => {
    const refused = refusal({ agent: ["nop"], ...flags });
    expect(refused).toMatchObject({ code: "usage", message: expect.stringContaining(message) });
    expect(refused).toMatchObject({ message: expect.not.stringMatching(/Too |Invalid|expected/) });
  });
});
