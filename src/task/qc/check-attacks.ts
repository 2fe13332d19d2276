import { mapLimited } from "../map-limited.ts";
import type { Attack } from "./attack/attacks.ts";
import { type CheckContext, crashed, judge, scoreOf } from "./check-context.ts";
import type { AttackReport } from "./instance-report.ts";

/** Hands in every attack: each must get a verdict, and no points. */
export async function checkAttacks(
  context: CheckContext,
  attacks: readonly Attack[],
): Promise<readonly AttackReport[]> {
  return await mapLimited(attacks, context.concurrency, async (attack) => {
    const output = await context.folder(`attack-${attack.name}`);
    await attack.make(output, context.task.manifest.outputs);
    const { outcome } = await judge(context, `attack-${attack.name}`, output);
    const score = scoreOf(outcome);
    if (outcome.kind === "verifier-error")
      context.report(crashed(`the attack ${attack.name}`, outcome.message));
    else if (score.score !== 0) {
      context.report({
        severity: "error",
        code: "attack-scored",
        message: `the attack ${attack.name} scores ${score.score} instead of 0`,
        remedy: "make what it got points for a gate, or grade what the file says instead of that it is there",
      });
    }
    return { name: attack.name, ...score, ok: score.score === 0 };
  });
}
