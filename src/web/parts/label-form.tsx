import { type ReactNode, useId, useState } from "react";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import type { AttemptJudgement, FailureView, LabelRequest } from "../../server/api/failure-view.ts";
import { ProblemError, sendJson } from "../data/source.ts";
import { renew } from "../data/use-data.ts";
import { useText } from "../settings.tsx";
import { Problem } from "./load.tsx";

let lastCoder = "";

/** Says why an attempt failed: a label of the scheme, by a person. */
export function LabelForm({
  run,
  judgement,
  scheme,
}: {
  readonly run: string;
  readonly judgement: AttemptJudgement;
  readonly scheme: FailureView["scheme"];
}): ReactNode {
  const t = useText();
  const id = useId();
  const [problem, setProblem] = useState<ApiProblem>();
  const rule = new Map(
    scheme.classes.flatMap((group) => group.subclasses.map((one) => [one.id, one.rule] as const)),
  );
  const first = judgement.rules.find(({ suggests }) => suggests !== undefined)?.suggests;
  const [label, setLabel] = useState(first ?? [...rule.keys()][0] ?? "");
  async function send(data: FormData): Promise<void> {
    const textOf = (name: string): string => String(data.get(name) ?? "");
    lastCoder = textOf("coder");
    const { trial, attempt } = judgement;
    const request: LabelRequest = { run, trial, attempt, label, coder: lastCoder, note: textOf("note") };
    try {
      await sendJson("labels", request);
      setProblem(undefined);
      renew("failures");
    } catch (error) {
      setProblem(error instanceof ProblemError ? error.problem : { code: "client", message: String(error) });
    }
  }
  return (
    <details>
      <summary>{t("label")}</summary>
      <form className="fields" action={send}>
        <span className="field">
          <label htmlFor={`${id}label`}>{t("label")}</label>
          <select id={`${id}label`} value={label} onChange={(event) => setLabel(event.target.value)}>
            {scheme.classes.map((group) => (
              <optgroup key={group.id} label={group.name}>
                {group.subclasses.map((subclass) => (
                  <option key={subclass.id} value={subclass.id}>
                    {subclass.name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </span>
        <span className="field">
          <label htmlFor={`${id}coder`}>{t("coder")}</label>
          <input id={`${id}coder`} name="coder" required defaultValue={lastCoder} />
        </span>
        <span className="field">
          <label htmlFor={`${id}note`}>{t("noteWhy")}</label>
          <input id={`${id}note`} name="note" />
        </span>
        <button type="submit">{t("save")}</button>
      </form>
      <p className="soft">{rule.get(label)}</p>
      {problem === undefined ? null : <Problem problem={problem} />}
    </details>
  );
}
