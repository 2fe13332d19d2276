import { randomUUID } from "node:crypto";
import { labelPrompt } from "../../board/failures/labelling/label-prompt.ts";
import { type LabelAnswer, parseLabelAnswer } from "../../board/failures/labelling/parse-label-answer.ts";
import type { Maybe } from "../../contract/absence.ts";
import { AleError } from "../../contract/ale-error.ts";
import type { FailureScheme } from "../../contract/failure-label.ts";
import { createRandom } from "../../contract/random.ts";
import { createGateway } from "../../gateway/create-gateway.ts";
import { recordLabel } from "../../record/label-log.ts";
import type { RunRecord } from "../../record/run-record.ts";
import { askModel } from "../ask-model.ts";
import type { CliContext } from "../cli-context.ts";
import { judgeRun } from "../read-failures.ts";
import { readModels } from "../read-models.ts";

export interface LabelByModelOptions {
  readonly model: string;
  /** Path of the models file; found as always when absent. */
  readonly models?: string;
  readonly scheme: FailureScheme;
  /** Part of the ids of the trials to label; all that failed when absent. */
  readonly trial?: string;
}

/** What the model said of one attempt; `failed`: the model could not be asked. */
export type ModelLabel = { readonly trial: string; readonly attempt: number } & (
  | LabelAnswer
  | { readonly kind: "already" }
  | { readonly kind: "failed"; readonly reason: string }
);

export interface LabelByModelReport {
  readonly labels: readonly ModelLabel[];
  readonly costUsd: Maybe<number>;
}

const maxTokens = 4000;

/**
 * Has a model label the attempts of a run that did not pass in full, by way of the gateway, one at a time. Only an answer of
 * the form that was asked for is kept, marked as a model's; one that cannot tell is no label. Throws `unknown-model` and
 * what the gateway finds in the way.
 */
export async function labelByModel(
  context: CliContext,
  run: RunRecord,
  { model, models: path, scheme, trial }: LabelByModelOptions,
): Promise<LabelByModelReport> {
  const { models, keys } = await readModels(context, path);
  const { clock, interrupted } = context;
  await using gateway = await createGateway({
    models,
    keys,
    clock,
    random: createRandom(randomUUID()),
    token: () => `ale-${randomUUID()}`,
  });
  const contestant = { name: model, harness: "labeller", model, settings: {} };
  const [wire] = gateway.wiresOf(contestant);
  const [problem] = gateway.check(contestant, {}).filter((finding) => finding.severity === "error");
  if (wire === undefined || problem !== undefined) {
    throw new AleError({
      code: problem?.code ?? "unknown-model",
      message: problem?.message ?? `${model} is not in the models file`,
      remedy: problem?.remedy ?? "name a model of models.yaml, or write one: npx ale models init",
    });
  }
  await using grant = gateway.openTrial({
    trial: "labels",
    contestant,
    limits: {},
    onWait: () => ({ [Symbol.dispose]: () => undefined }),
    onExceeded: () => undefined,
  });
  const labels: ModelLabel[] = [];
  for await (const { failure, judgement } of judgeRun(run)) {
    if (interrupted.aborted) break;
    const { fullPass, trial: id, attempt, dir } = judgement;
    if ((fullPass.known && fullPass.value) || (trial !== undefined && !id.includes(trial))) continue;
    const isDone = judgement.labels.some(
      (label) => label.by === "model" && label.coder === model && label.scheme === scheme.name,
    );
    if (isDone) {
      labels.push({ trial: id, attempt, kind: "already" });
      continue;
    }
    const question = { model, maxTokens, ...labelPrompt(scheme, failure, judgement) };
    const answer = await askModel(grant, wire, question, interrupted);
    if (answer.kind === "none") {
      labels.push({ trial: id, attempt, kind: "failed", reason: answer.reason });
      continue;
    }
    const read = parseLabelAnswer(answer.text, scheme);
    labels.push({ trial: id, attempt, ...read });
    if (read.kind !== "label") continue;
    await recordLabel(dir, {
      schema: "ale/label@1",
      coder: model,
      by: "model",
      scheme: scheme.name,
      label: read.label,
      note: read.because,
      at: clock.now(),
    });
  }
  return { labels, costUsd: (await grant.close()).costUsd };
}
