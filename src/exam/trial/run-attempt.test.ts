import { expect, test } from "vitest";
import { harnessOf, quiet, sit } from "../../../test/support/trial-rig.ts";
import { known } from "../../contract/absence.ts";
import { trialPhases } from "../../contract/trial-phase.ts";

test("a whole attempt notes every phase once, in order, started and ended", async () => {
  await using outcome = await sit({
    task: { verbs: ["generate", "setup", "collect", "grade", "solve"] },
    programs: {
      "task-generate": () => ({}),
      "task-setup": () => ({}),
      "task-collect": () => ({}),
    },
  });
  const phases = outcome.events.filter((event) => event.type === "phase-started").map(({ phase }) => phase);
  expect(phases).toEqual(trialPhases);
  const ended = outcome.events.filter((event) => event.type === "phase-ended");
  expect(ended.map(({ phase, outcome: end }) => [phase, end])).toEqual(
    trialPhases.map((phase) => [phase, "ok"]),
  );
  expect(outcome.result).toMatchObject({ status: "completed", reason: "", fullPass: known(true) });
});

test("setup and collect run as root, setup alone with the host's network, and the package is gone before the agent", async () => {
  const seen: unknown[] = [];
  await using _outcome = await sit({
    exam: { contestants: [{ harness: "scripted" }] },
    harnesses: [
      harnessOf(async ({ sandbox }) => {
        seen.push(["agent", await sandbox.stat("/ale/runtime/tasks/task")]);
        return { kind: "completed", ...quiet };
      }),
    ],
    task: { verbs: ["setup", "collect", "grade", "solve"] },
    programs: {
      "task-setup": ({ options, files }) => {
        seen.push([
          "setup",
          options.user,
          options.network,
          files.paths().includes("/ale/runtime/tasks/task"),
        ]);
        return {};
      },
      "task-collect": ({ options }) => {
        seen.push(["collect", options.user, options.network ?? "sandbox"]);
        return {};
      },
    },
  });
  expect(seen).toEqual([
    ["setup", "root", "host", true],
    ["agent", undefined],
    ["collect", "root", "sandbox"],
  ]);
});

test("the oracle's machine has the package mounted for good, so its setup and collect put none there", async () => {
  const seen: unknown[] = [];
  await using outcome = await sit({
    task: { verbs: ["setup", "collect", "grade", "solve"] },
    programs: {
      "task-setup": ({ files }) => {
        seen.push(["setup", files.paths().includes("/ale/runtime/tasks/task")]);
        return {};
      },
      "task-collect": ({ files }) => {
        seen.push(["collect", files.paths().includes("/ale/runtime/tasks/task")]);
        return {};
      },
    },
  });
  expect(seen).toEqual([
    ["setup", false],
    ["collect", false],
  ]);
  expect(outcome.result).toMatchObject({ status: "completed", fullPass: known(true) });
});
