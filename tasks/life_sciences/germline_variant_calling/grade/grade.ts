import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "ale/grade/rubric/check";
import { fromReference } from "ale/grade/rubric/from-reference";
import { readJson, readText } from "ale/grade/rubric/read-artifact";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import type { GradeContext } from "ale/task";
import { readBed, subtract } from "../genome/intervals.ts";
import { readFasta } from "../genome/read-fasta.ts";
import type { Params } from "../params.ts";
import type { Truth } from "../truth.ts";
import { callChecks } from "./call-checks.ts";
import { compareCalls } from "./compare-calls.ts";
import { metricChecks } from "./metric-checks.ts";
import { type CallSet, readCalls } from "./read-calls.ts";

type VerdictOf = ReturnType<typeof weightedRubric>;

/** Gates on a usable call set; then recall, precision, genotypes, tidiness and the figures of the report. */
export async function grade(context: GradeContext<Params>): Promise<VerdictOf> {
  const { artifacts, input, reference, params } = context;
  const truth = fromReference(await readJson(reference, "truth.json")) as unknown as Truth;
  const assembly = readFasta(readFileSync(join(input, "reference.fa"), "utf8"));
  const bed = (name: string) => readBed(readFileSync(join(input, name), "utf8"));
  const callable = subtract(bed("targets.bed"), bed("excluded.bed"));

  const text = await readText(artifacts, "calls.vcf");
  const read = text.kind === "bad" ? text : readCalls(text.value, assembly);
  const gate = { id: "vcf", stage: "calls", gate: true } as const;
  if (read.kind === "bad") return weightedRubric([check({ ...gate, outcome: read.outcome })]);
  const calls: CallSet = read.value;
  const rightSample = calls.sample === params.sample;
  const found = compareCalls(calls.calls, truth.variants, callable);
  const usable = found.all.recall >= 0.5 && found.all.precision >= 0.5;
  return weightedRubric([
    check({
      ...gate,
      outcome: {
        score: rightSample ? 1 : 0,
        message: rightSample ? "A VCF of the sample." : "The sample column has another name than the sample.",
      },
    }),
    check({
      id: "usable",
      stage: "calls",
      gate: true,
      outcome: {
        score: usable ? 1 : 0,
        message: `Recall ${found.all.recall.toFixed(3)}, precision ${found.all.precision.toFixed(3)}; both must reach 0.5.`,
      },
    }),
    ...callChecks(found, calls),
    ...metricChecks(await readJson(artifacts, "metrics.json"), truth, calls.calls, params.sample),
  ]);
}
