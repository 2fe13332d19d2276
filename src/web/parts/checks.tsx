import type { ReactNode } from "react";
import type { Check, Verdict } from "../../contract/verdict.ts";
import { percent } from "../format.ts";
import { useText } from "../settings.tsx";
import { JsonText } from "./json-text.tsx";
import { ScoreMark } from "./score-mark.tsx";

/** The verdict: stages, then every check with what it says. */
export function Checks({ verdict }: { readonly verdict: Verdict | undefined }): ReactNode {
  const t = useText();
  if (verdict === undefined) return <p className="soft">{t("noVerdict")}</p>;
  const stages = Map.groupBy(verdict.checks, (check) => check.stage);
  const scores = new Map(verdict.stages.map((stage) => [stage.name, stage]));
  return (
    <>
      <p className="soft">
        {t("method")}: {verdict.method}
      </p>
      {[...stages].map(([name, checks]) => {
        const stage = scores.get(name);
        return (
          <section key={name} className="stage">
            <h2>
              <span>{name}</span>
              {stage === undefined ? null : <StageBar score={stage.score} />}
            </h2>
            <ul className="checks">
              {checks.map((check) => (
                <CheckLine key={check.id} check={check} />
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

function StageBar({ score }: { readonly score: number }): ReactNode {
  return (
    <span className="stage-score">
      <span className="progress-bar" aria-hidden="true">
        <span style={{ width: `${score * 100}%` }} />
      </span>
      {percent(score)}
    </span>
  );
}

function CheckLine({ check }: { readonly check: Check }): ReactNode {
  const t = useText();
  return (
    <li>
      <div className="check-head">
        <ScoreMark value={check.score} />
        <b>{check.id}</b>
        {check.gate ? <span className="badge badge-gate">{t("gate")}</span> : null}
        <span className="soft">
          {t("weight")} {check.weight}
        </span>
      </div>
      {check.message === "" ? null : <p>{check.message}</p>}
      {check.evidence === undefined ? null : (
        <details>
          <summary>{t("evidence")}</summary>
          <JsonText value={check.evidence} />
        </details>
      )}
    </li>
  );
}
