import { AleError } from "../../contract/ale-error.ts";
import { canonicalJson } from "../../contract/canonical-json.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { mapLimited } from "../map-limited.ts";
import { probeKinds } from "../probe-kind.ts";
import { type CheckContext, crashed, judge, scoreOf } from "./check-context.ts";
import type { ProbeReport } from "./instance-report.ts";

/** Makes and grades every probe; each must score what it says. */
export async function checkProbes(
  context: CheckContext,
  oracleArtifacts: string,
): Promise<readonly ProbeReport[]> {
  const { task, instance, workbench } = context;
  if (!hasProbes(context)) {
    context.report({
      severity: "warning",
      code: "no-probes",
      message: "the task has no probes: nothing shows that its grader is fair",
      remedy: "add probes to defineTask in main.ts",
    });
    return [];
  }
  const made = await workbench.probes(task, instance, oracleArtifacts, await context.folder("probes"));
  if (made.kind === "failed") {
    context.report({
      severity: "error",
      code: "probes-failed",
      message: `the probes cannot be made: ${made.message}`,
    });
    return [];
  }
  const missing = probeKinds.filter((kind) => !made.probes.some((probe) => probe.kind === kind));
  if (missing.length > 0) {
    context.report({
      severity: "note",
      code: "probe-kinds-missing",
      message: `no probe of kind ${missing.join(", ")}`,
      remedy: "add them where the kind applies to this work",
    });
  }
  return await mapLimited(made.probes, context.concurrency, async (probe) => {
    const { outcome } = await judge(context, `probe-${probe.name}`, probe.dir);
    const [low, high] =
      typeof probe.expected === "number" ? [probe.expected, probe.expected] : probe.expected;
    const score = scoreOf(outcome);
    const ok = score.score !== null && score.score >= low && score.score <= high;
    if (outcome.kind === "verifier-error")
      context.report(crashed(`the probe ${probe.name}`, outcome.message));
    else if (!ok) {
      const wanted = low === high ? `${low}` : `${low} to ${high}`;
      context.report({
        severity: "error",
        code: "probe-out-of-range",
        message:
          `the probe ${probe.name} scores ${score.score} instead of ${wanted}. ${probe.because} ${lost(outcome.verdict.checks)}`.trim(),
        remedy: "correct the grader, or the probe's expectation",
      });
    }
    return { name: probe.name, kind: probe.kind, expected: probe.expected, ...score, ok };
  });
}

/** A sealed package tells that it has probes by refusing to run them; the workbench may hold its key. */
function hasProbes({ task, instance }: CheckContext): boolean {
  try {
    return task.program("probe", instance) !== undefined;
  } catch (error) {
    if (AleError.isInstance(error) && error.code === "task-sealed") return true;
    throw error;
  }
}

/** The checks that lost points, for a message. */
export function lost(
  checks: readonly { readonly id: string; readonly score: number; readonly message: string }[],
): string {
  const failing = checks.filter((check) => check.score < 1).slice(0, 3);
  return failing.map((check) => `[${check.id}: ${check.message}]`).join(" ");
}

/** True when two gradings gave the same bytes. */
export function sameVerdict(first: object, second: object): boolean {
  return canonicalJson(first as JsonValue) === canonicalJson(second as JsonValue);
}
