import type { TaskWorkbench } from "../../task/qc/workbench.ts";
import { benchTeardown } from "./bench-teardown.ts";
import { collectFolder } from "./collect-folder.ts";
import { gradeArtifacts } from "./grade-artifacts.ts";
import { makeProbes } from "./make-probes.ts";
import { solveInstance } from "./solve-instance.ts";
import { stageInstance, stageInstanceAfresh } from "./stage-instance.ts";
import type { TaskBench } from "./task-bench.ts";

/** Runs a task's parts for QC, through the same functions a trial uses. */
export function createTaskWorkbench(bench: TaskBench): TaskWorkbench {
  return {
    stage: (task, instance) => stageInstance(bench, task, instance),
    stageAfresh: (task, instance) => stageInstanceAfresh(bench, task, instance),
    solve: (task, instance, into) => solveInstance(bench, task, instance, into),
    probes: (task, instance, oracleOutput, into) => makeProbes(bench, task, instance, oracleOutput, into),
    collect: (task, output, into) => collectFolder(bench, task, output, into),
    async grade(task, instance, artifacts) {
      await using teardown = benchTeardown(bench);
      const labels = {
        run: bench.run,
        trial: `grade-${instance.variant}`,
        attempt: 1,
        role: "verifier",
      } as const;
      return (await gradeArtifacts({ bench, task, instance, artifacts, labels, teardown })).outcome;
    },
  };
}
