import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { About } from "../../server/api/about.ts";
import type { AttemptJudgement, FailureView } from "../../server/api/failure-view.ts";
import type { RunList } from "../../server/api/run-summary.ts";
import { useData } from "../data/use-data.ts";
import { Choice } from "../parts/choice.tsx";
import { CompletionTable } from "../parts/completion-table.tsx";
import { LabelCounts } from "../parts/label-counts.tsx";
import { LabelForm } from "../parts/label-form.tsx";
import { Load, Show } from "../parts/load.tsx";
import { ScoreMark } from "../parts/score-mark.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useText } from "../settings.tsx";

/** Why trials did not pass in full. */
export function FailuresPage(): ReactNode {
  const t = useText();
  const { run } = useSearch({ from: "/failures" });
  const navigate = useNavigate({ from: "/failures" });
  const runs = useData<RunList>("runs");
  return (
    <>
      <h1>{t("failures")}</h1>
      <Show loaded={runs}>
        {({ runs: list }) => {
          const chosen = list.find(({ id }) => id === run) ?? list[0];
          if (chosen === undefined) return <p className="soft">{t("noRuns")}</p>;
          return (
            <>
              {list.length > 1 ? (
                <Choice
                  label={t("run")}
                  value={chosen.id}
                  options={list.map(({ id }) => ({ value: id, text: id }))}
                  onChange={(id) => navigate({ search: { run: id }, replace: true })}
                />
              ) : null}
              <Load<FailureView> path={`failures/${encodeURIComponent(chosen.id)}`}>
                {(view) => <Failures view={view} />}
              </Load>
            </>
          );
        }}
      </Show>
    </>
  );
}

function Failures({ view }: { readonly view: FailureView }): ReactNode {
  const t = useText();
  const search = useSearch({ from: "/failures" });
  const navigate = useNavigate({ from: "/failures" });
  const { summary } = view;
  const rules = Map.groupBy(
    summary.failed.flatMap((judgement) => judgement.rules.map(({ rule }) => rule)),
    (rule) => rule,
  );
  const contestants = [...new Set(summary.failed.map(({ contestant }) => contestant))].sort();
  const shown = summary.failed.filter(
    (judgement) =>
      (search.rule === undefined || judgement.rules.some(({ rule }) => rule === search.rule)) &&
      (search.contestant === undefined || judgement.contestant === search.contestant),
  );
  const set = (change: { readonly rule?: string; readonly contestant?: string }): void => {
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  };
  return (
    <>
      <p className="soft">
        {t("failureNote")} {t("shownOf", { shown: summary.failed.length, all: summary.attempts })}
      </p>
      <LabelCounts summary={summary} />
      <h2>{t("claims")}</h2>
      <CompletionTable rows={summary.completion} />
      <h2>{t("attempts")}</h2>
      <div className="fields">
        <Choice
          label={t("contestant")}
          value={search.contestant ?? ""}
          options={[
            { value: "", text: t("all") },
            ...contestants.map((name) => ({ value: name, text: name })),
          ]}
          onChange={(contestant) => set({ contestant })}
        />
        <Choice
          label={t("rule")}
          value={search.rule ?? ""}
          options={[
            { value: "", text: t("all") },
            ...[...rules].map(([rule, hits]) => ({ value: rule, text: `${rule} (${hits.length})` })),
          ]}
          onChange={(rule) => set({ rule })}
        />
        <span className="soft" role="status">
          {t("shownOf", { shown: shown.length, all: summary.failed.length })}
        </span>
      </div>
      {summary.failed.length === 0 ? <p className="soft">{t("noFailures")}</p> : null}
      <ul className="failures">
        {shown.map((judgement) => (
          <Failure key={judgement.trial} judgement={judgement} view={view} />
        ))}
      </ul>
    </>
  );
}

function Failure({
  judgement,
  view,
}: {
  readonly judgement: AttemptJudgement;
  readonly view: FailureView;
}): ReactNode {
  const t = useText();
  const about = useData<About>("about");
  const { taint } = judgement;
  return (
    <li className="card">
      <div className="check-head">
        <StateBadge state={judgement.status} />
        <ScoreMark value={judgement.score.known ? judgement.score.value : null} />
        <Link
          to="/runs/$run/trials/$trial/$attempt"
          params={{ run: view.run, trial: judgement.trial, attempt: String(judgement.attempt) }}
        >
          {judgement.instance}
        </Link>
        <span>{judgement.contestant}</span>
        {judgement.claim.known ? (
          <span className="soft">
            {t("claim")}: {judgement.claim.value}
          </span>
        ) : null}
        {taint.verdict === "tainted" ? <span className="badge badge-refused">{t("tainted")}</span> : null}
      </div>
      <ul className="words">
        {judgement.rules.map((rule) => (
          <li key={rule.rule}>
            <b>{rule.rule}</b> {rule.meaning}
            {rule.evidence.length === 0 ? "" : `: ${rule.evidence.join("; ")}`}
          </li>
        ))}
        {judgement.labels.map((label) => (
          <li key={`${label.coder} ${label.at}`}>
            <b>{label.label}</b> {label.coder}
            {label.by === "model" ? ` (${t("byModel")})` : ""} {label.note}
          </li>
        ))}
        {taint.verdict === "tainted" ? taint.evidence.map((line) => <li key={line}>{line}</li>) : null}
      </ul>
      {about.kind === "value" && about.value.maintainer ? (
        <LabelForm run={view.run} judgement={judgement} scheme={view.scheme} />
      ) : null}
    </li>
  );
}
