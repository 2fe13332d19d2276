import type { ExamPlan } from "../../contract/exam-plan.ts";
import type { Finding } from "../../contract/finding.ts";
import type { Harness } from "../../harness/harness.ts";
import type { TaskPackage } from "../../task/task-package.ts";

/** What of an exam cannot be had on a machine that runs Windows, said before anybody sits. */
export function windowsFindings(
  plan: ExamPlan,
  tasks: readonly TaskPackage[],
  harnesses: ReadonlyMap<string, Harness>,
): readonly Finding[] {
  const onWindows = tasks.filter((task) => task.manifest.sandbox.os === "windows");
  return [...onWindows.flatMap(packageFindings), ...harnessFindings(plan, onWindows, harnesses)];
}

function packageFindings(task: TaskPackage): readonly Finding[] {
  const { id, sandbox } = task.manifest;
  if (sandbox.packages.length === 0) return [];
  return [
    {
      severity: "error",
      code: "packages-not-for-windows",
      message: `${id} runs in Windows, and names the Debian packages ${sandbox.packages.join(", ")}`,
      remedy: "Take sandbox.packages out of it, and name an image in which its programs are installed.",
      path: task.dir,
    },
  ];
}

/** Programs of others are started as those of Linux are: only who works from outside, or brings no program, can sit there. */
function harnessFindings(
  plan: ExamPlan,
  tasks: readonly TaskPackage[],
  harnesses: ReadonlyMap<string, Harness>,
): readonly Finding[] {
  return plan.contestants.flatMap(({ name, harness }): readonly Finding[] => {
    if (harnesses.get(harness)?.runsOn === undefined) return [];
    const sat = tasks.filter((task) =>
      plan.trials.some(
        (trial) => trial.contestant === name && task.instances.some(({ id }) => id === trial.instance),
      ),
    );
    if (sat.length === 0) return [];
    return [
      {
        severity: "error",
        code: "harness-not-for-windows",
        message: `${name} is to sit ${sat.map(({ manifest }) => manifest.id).join(", ")} in Windows, and the program of ${harness} is started on Linux only`,
        remedy: "Leave these tasks out, or have ale-agent sit them, which works from outside the machine.",
      },
    ];
  });
}
