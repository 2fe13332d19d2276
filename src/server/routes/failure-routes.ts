import type { Context, Hono } from "hono";
import { z } from "zod";
import type { AttemptJudgement } from "../../board/failures/judge-attempt.ts";
import { summariseFailures } from "../../board/failures/summarise-failures.ts";
import { AleError } from "../../contract/ale-error.ts";
import { recordLabel } from "../../record/label-log.ts";
import type { FailureView, LabelRequest } from "../api/failure-view.ts";
import type { AppOptions } from "../app-options.ts";
import type { ServedTask } from "../served-task.ts";
import { contentWithheld, findAttempt } from "../trial-view.ts";

const text = z.string().trim().min(1).max(200);
const labelRequestSchema: z.ZodType<LabelRequest> = z.strictObject({
  run: text,
  trial: text,
  attempt: z.int().positive(),
  coder: text,
  label: text,
  note: z.string().max(2000),
});

/** Why trials failed; maintainers may add labels, the only thing that a server ever writes. */
export function addFailureRoutes(app: Hono, options: AppOptions): void {
  const { shelf, failures, about } = options;
  app.get("/api/failures/:run", async (context) => {
    const run = await shelf.get(context.req.param("run"));
    const tasks = await options.tasks();
    const judgements = (await failures.judge(run.dir)).map((judgement) =>
      withoutContent(judgement, tasks, about.maintainer),
    );
    const scheme = await failures.scheme();
    const view: FailureView = { run: run.id, scheme, summary: summariseFailures(judgements, scheme) };
    return context.json(view);
  });
  app.post("/api/labels", async (context) => {
    if (!about.maintainer) {
      throw new AleError({
        code: "forbidden",
        message: "this server is for reading",
        remedy: "start it with --maintainer, or label with npx ale results label",
      });
    }
    refuseForeign(context);
    const parsed = labelRequestSchema.safeParse(await context.req.json().catch(() => undefined));
    if (!parsed.success)
      throw new AleError({ code: "malformed-label", message: z.prettifyError(parsed.error) });
    const { run, trial, attempt, coder, label, note } = parsed.data;
    const scheme = await failures.scheme();
    const known = scheme.classes.flatMap((group) => group.subclasses.map((subclass) => subclass.id));
    if (!known.includes(label)) {
      throw new AleError({
        code: "unknown-label",
        message: `${label} is not a label of ${scheme.name}`,
        remedy: `there are ${known.join(", ")}`,
      });
    }
    const { dir } = findAttempt(await shelf.get(run), trial, attempt);
    const at = options.clock.now();
    await recordLabel(dir, {
      schema: "ale/label@1",
      coder,
      by: "person",
      scheme: scheme.name,
      label,
      note,
      at,
    });
    return context.json({ done: true });
  });
}

/** A page of another site can neither send this header without leave nor hide where it comes from. */
function refuseForeign(context: Context): void {
  const origin = context.req.header("Origin");
  const isJson = context.req.header("Content-Type")?.startsWith("application/json") === true;
  const own = `http://${context.req.header("Host")}`;
  if (isJson && (origin === undefined || origin === own)) return;
  throw new AleError({
    code: "forbidden",
    message: "labels are taken from this server's own pages, as JSON",
  });
}

/** Evidence quotes what an agent did, and so tells of the task. */
function withoutContent(
  judgement: AttemptJudgement,
  tasks: readonly ServedTask[],
  maintainer: boolean,
): AttemptJudgement {
  const hidden = contentWithheld(judgement.instance, tasks, maintainer) !== undefined;
  return {
    ...judgement,
    // Where the record lies on this machine is nobody's business.
    dir: "",
    ...(hidden
      ? {
          rules: judgement.rules.map((rule) => ({ ...rule, evidence: [] })),
          labels: judgement.labels.map((label) => ({ ...label, note: "" })),
          taint: { ...judgement.taint, evidence: [] },
        }
      : {}),
  };
}
