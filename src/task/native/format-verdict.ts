import type { Verdict } from "../../contract/verdict.ts";

/** A verdict for people: the score, then every check with its share, then the stages. */
export function formatVerdict(verdict: Verdict): string {
  const total = verdict.checks.reduce((sum, check) => sum + check.weight, 0);
  const checks = verdict.checks.map((check) => {
    const mark = check.score === 1 ? "pass" : check.score === 0 ? "FAIL" : "part";
    const share = total === 0 ? 0 : (100 * check.weight) / total;
    const worth = check.gate ? "gate" : `${share.toFixed(0)}%`;
    const score = check.score === 0 || check.score === 1 ? "" : ` ${check.score.toFixed(3)}`;
    return `  ${mark}  ${worth.padStart(4)}  ${check.id}${score}: ${check.message}`;
  });
  const stages = verdict.stages.map((stage) => `  ${stage.name}: ${stage.score.toFixed(3)}`);
  return [
    `score ${verdict.score}${verdict.fullPass ? ", a full pass" : ""}`,
    ...checks,
    ...(stages.length > 1 ? ["stages:", ...stages] : []),
    "",
  ].join("\n");
}
