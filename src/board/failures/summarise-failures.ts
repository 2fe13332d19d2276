import type { FailureLabel, FailureScheme } from "../../contract/failure-label.ts";
import { type CodedUnit, cohenKappa, krippendorffAlpha } from "../../stats/agreement.ts";
import { type Nullable, nullable } from "../nullable.ts";
import { type CompletionClaims, completionClaims } from "./false-completion.ts";
import type { AttemptJudgement } from "./judge-attempt.ts";
import { type ScreenUse, screenUse } from "./screen-use.ts";

/** Agreement of the people who labelled, on the scheme's subclasses. */
export type LabelAgreement = Nullable<"alpha"> & {
  readonly coders: readonly string[];
  /** Attempts with two labels or more. */
  readonly units: number;
  readonly pairs: readonly (Nullable<"kappa"> & { readonly first: string; readonly second: string })[];
};

export interface LabelCount {
  readonly contestant: string;
  readonly class: string;
  readonly label: string;
  /** Labels by people. */
  readonly people: number;
  /** Labels by a model, never added to those by people. */
  readonly model: number;
  /** Attempts for which a rule points here. */
  readonly rules: number;
}

/** Why attempts failed, and what else their records give away. */
export interface FailureSummary {
  readonly scheme: string;
  readonly attempts: number;
  readonly failed: readonly AttemptJudgement[];
  /** Attempts that passed in full: not among the failed. */
  readonly passed: number;
  readonly counts: readonly LabelCount[];
  readonly agreement: LabelAgreement;
  readonly completion: readonly CompletionClaims[];
  readonly screen: readonly ScreenUse[];
  readonly taint: readonly (Pick<AttemptJudgement, "trial" | "contestant" | "fullPass"> &
    AttemptJudgement["taint"])[];
}

/** Sums judgements up. Attempts without a verdict count as failed: whose fault it was is what the labels say. */
export function summariseFailures(
  judgements: readonly AttemptJudgement[],
  scheme: FailureScheme,
): FailureSummary {
  const failed = judgements
    .filter(({ fullPass }) => !(fullPass.known && fullPass.value))
    .sort((one, other) => (one.trial < other.trial ? -1 : 1));
  return {
    scheme: scheme.name,
    attempts: judgements.length,
    failed,
    passed: judgements.length - failed.length,
    counts: countLabels(failed, scheme),
    agreement: agreementOf(failed, scheme),
    completion: completionClaims(judgements),
    screen: screenUse(judgements),
    taint: judgements.map(({ trial, contestant, fullPass, taint }) => ({
      trial,
      contestant,
      fullPass,
      ...taint,
    })),
  };
}

function countLabels(failed: readonly AttemptJudgement[], scheme: FailureScheme): readonly LabelCount[] {
  const groups = Map.groupBy(failed, (judgement) => judgement.contestant);
  return [...groups].flatMap(([contestant, own]) =>
    scheme.classes.flatMap(({ id, subclasses }) =>
      subclasses.map((subclass): LabelCount => {
        const labels = own.flatMap((judgement) => currentLabels(judgement.labels, scheme));
        const matching = labels.filter(({ label }) => label === subclass.id);
        return {
          contestant,
          class: id,
          label: subclass.id,
          people: matching.filter(({ by }) => by === "person").length,
          model: matching.filter(({ by }) => by === "model").length,
          rules: own.filter(({ rules }) => rules.some(({ suggests }) => suggests === subclass.id)).length,
        };
      }),
    ),
  );
}

/** Each coder's last label under the scheme. */
function currentLabels(labels: readonly FailureLabel[], scheme: FailureScheme): readonly FailureLabel[] {
  const own = labels.filter((label) => label.scheme === scheme.name);
  return [...new Map(own.map((label) => [`${label.by} ${label.coder}`, label])).values()];
}

function agreementOf(failed: readonly AttemptJudgement[], scheme: FailureScheme): LabelAgreement {
  const units = failed.map((judgement): CodedUnit => {
    const people = currentLabels(judgement.labels, scheme).filter(({ by }) => by === "person");
    return new Map(people.map(({ coder, label }) => [coder, label]));
  });
  const coders = [...new Set(units.flatMap((unit) => [...unit.keys()]))].sort();
  return {
    coders,
    units: units.filter((unit) => unit.size >= 2).length,
    ...nullable("alpha", krippendorffAlpha(units)),
    pairs: coders.flatMap((first, index) =>
      coders
        .slice(index + 1)
        .map((second) => ({ first, second, ...nullable("kappa", cohenKappa(units, first, second)) })),
    ),
  };
}
