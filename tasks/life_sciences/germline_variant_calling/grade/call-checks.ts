import { linearScore } from "ale/grade/number/linear-score";
import { check } from "ale/grade/rubric/check";
import type { Agreement, Comparison } from "./compare-calls.ts";
import type { CallSet } from "./read-calls.ts";

type Check = ReturnType<typeof check>;

/** Recall and precision of SNVs and indels, genotypes, and the tidiness of the file. */
export function callChecks(found: Comparison, calls: CallSet): readonly Check[] {
  const right = found.found === 0 ? 0 : 1 - found.wrongGenotypes.length / found.found;
  const faults = [...calls.broken, ...calls.repeated];
  return [
    ...agreementChecks("snv", found.snv, { zeroAt: 0.8, fullAt: 0.99 }),
    ...agreementChecks("indel", found.indel, { zeroAt: 0.6, fullAt: 0.95 }),
    check({
      id: "genotypes",
      stage: "genotypes",
      weight: 20,
      outcome: {
        score: linearScore(right, 0.8, 0.985),
        message: `${found.found - found.wrongGenotypes.length} of ${found.found} found variants have the right genotype.`,
        evidence: { wrong: found.wrongGenotypes.slice(0, 20) },
      },
    }),
    check({
      id: "regions",
      stage: "tidiness",
      weight: 5,
      outcome: {
        score: linearScore(found.outside, 0.1 * calls.calls.length, 0),
        message: `${found.outside} calls lie outside the callable regions.`,
      },
    }),
    check({
      id: "records",
      stage: "tidiness",
      weight: 5,
      outcome: {
        score: linearScore(faults.length, 0.1 * calls.records, 0),
        message: `${calls.broken.length} broken records, ${calls.repeated.length} alleles listed twice.`,
        evidence: { faults: faults.slice(0, 20) },
      },
    }),
  ];
}

function agreementChecks(
  kind: string,
  { recall, precision, missing, extra }: Agreement,
  { zeroAt, fullAt }: { readonly zeroAt: number; readonly fullAt: number },
): readonly Check[] {
  const one = (name: string, value: number, listed: readonly string[]): Check =>
    check({
      id: `${kind}-${name}`,
      stage: `${kind}s`,
      weight: 13,
      outcome: {
        score: linearScore(value, zeroAt, fullAt),
        message: `${kind} ${name} is ${value.toFixed(4)}; full from ${fullAt}.`,
        evidence: { wrong: listed.slice(0, 20) },
      },
    });
  return [one("recall", recall, missing), one("precision", precision, extra)];
}
