import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useDeferredValue, useId, useMemo } from "react";
import type { RunView } from "../../server/api/run-summary.ts";
import type { TrialRow } from "../../server/api/trial-row.ts";
import { dateTime, dollars, duration, interval, percent } from "../format.ts";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { IntervalMark } from "../parts/interval-mark.tsx";
import { Load } from "../parts/load.tsx";
import { ScoreMark } from "../parts/score-mark.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { type Translate, useText } from "../settings.tsx";

/** One run: its scores, and every trial of it. */
export function RunPage(): ReactNode {
  const t = useText();
  const { run } = useParams({ from: "/runs/$run" });
  const path = `runs/${encodeURIComponent(run)}`;
  return (
    <>
      <p className="crumbs">
        <Link to="/runs">{t("runs")}</Link>
      </p>
      <h1>{run}</h1>
      <Load<RunView> path={path}>{(view) => <Overview view={view} />}</Load>
      <h2>{t("trials")}</h2>
      <Load<readonly TrialRow[]> path={`${path}/trials`}>{(rows) => <Trials run={run} rows={rows} />}</Load>
    </>
  );
}

function Overview({ view }: { readonly view: RunView }): ReactNode {
  const t = useText();
  const columns = useMemo(() => scoreColumns(t), [t]);
  return (
    <>
      <p className="facts-line">
        <StateBadge state={view.stage} /> {dateTime(view.createdAt)} · {view.finished} / {view.planned}{" "}
        {t("trials")} · {t("policy")} {view.policy} · {view.provider} · ale {view.aleVersion} · {view.host}
      </p>
      <DataTable
        caption={t("overview")}
        rows={view.scores}
        columns={columns}
        rowKey={(row) => row.contestant}
      />
      <p className="soft note">{view.scores[0]?.fullPass.estimandIs}</p>
      {view.problems.length === 0 ? null : (
        <details className="notice">
          <summary>
            {t("problems")} ({view.problems.length})
          </summary>
          <ul>
            {view.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

type ScoreRow = RunView["scores"][number];

function scoreColumns(t: Translate): readonly Column<ScoreRow>[] {
  return [
    {
      id: "contestant",
      title: t("contestant"),
      value: (row) => row.contestant,
      cell: (row) => row.contestant,
    },
    {
      id: "full",
      title: t("fullPass"),
      align: "right",
      value: (row) => row.fullPass.rate,
      cell: ({ fullPass }) => (
        <>
          {percent(fullPass.rate)} <span className="soft">{interval(fullPass.low, fullPass.high)}</span>
        </>
      ),
    },
    {
      id: "full-mark",
      title: "",
      wide: true,
      cell: ({ fullPass }) => <IntervalMark value={fullPass.rate} low={fullPass.low} high={fullPass.high} />,
    },
    {
      id: "mean",
      title: t("mean"),
      align: "right",
      value: (row) => row.mean.value,
      cell: ({ mean }) => (
        <>
          {percent(mean.value)} <span className="soft">{interval(mean.low, mean.high)}</span>
        </>
      ),
    },
    { id: "n", title: t("trials"), align: "right", value: (row) => row.trials, cell: (row) => row.trials },
    {
      id: "missing",
      title: t("missing"),
      align: "right",
      value: (row) => row.missing,
      cell: (row) => row.missing,
    },
    {
      id: "cost",
      title: t("cost"),
      align: "right",
      value: (row) => row.costUsd,
      cell: (row) =>
        row.costUsd === null ? <span className="soft">{t("unknown")}</span> : dollars(row.costUsd),
    },
  ];
}

function Trials({ run, rows }: { readonly run: string; readonly rows: readonly TrialRow[] }): ReactNode {
  const t = useText();
  const id = useId();
  const { filter = "" } = useSearch({ from: "/runs/$run" });
  const navigate = useNavigate({ from: "/runs/$run" });
  const wanted = useDeferredValue(filter.toLowerCase());
  const columns = useMemo(() => trialColumns(t, run), [t, run]);
  const shown = useMemo(() => {
    const words = wanted.split(/\s+/).filter((word) => word !== "");
    if (words.length === 0) return rows;
    return rows.filter((row) => {
      const text =
        `${row.trial} ${row.instance} ${row.contestant} ${row.state} ${t(row.state)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [rows, wanted, t]);
  return (
    <>
      <p className="fields">
        <span className="field">
          <label htmlFor={id}>{t("filterTrials")}</label>
          <input
            id={id}
            type="search"
            value={filter}
            onChange={(event) =>
              navigate({
                search: event.target.value === "" ? {} : { filter: event.target.value },
                replace: true,
                resetScroll: false,
              })
            }
          />
        </span>
        <span className="soft" role="status">
          {t("shownOf", { shown: shown.length, all: rows.length })}
        </span>
      </p>
      <DataTable caption={t("trials")} rows={shown} columns={columns} rowKey={(row) => row.trial} />
    </>
  );
}

function trialColumns(t: Translate, run: string): readonly Column<TrialRow>[] {
  return [
    {
      id: "instance",
      title: t("instance"),
      value: (row) => row.instance,
      cell: (row) =>
        row.attempt === 0 ? (
          row.instance
        ) : (
          <Link
            to="/runs/$run/trials/$trial/$attempt"
            params={{ run, trial: row.trial, attempt: String(row.attempt) }}
          >
            {row.instance}
          </Link>
        ),
    },
    {
      id: "contestant",
      title: t("contestant"),
      value: (row) => row.contestant,
      cell: (row) => row.contestant,
    },
    {
      id: "state",
      title: t("state"),
      value: (row) => row.state,
      cell: (row) => <StateBadge state={row.state} />,
    },
    {
      id: "score",
      title: t("score"),
      align: "right",
      value: (row) => row.score,
      cell: (row) => <ScoreMark value={row.score} />,
    },
    {
      id: "time",
      title: t("time"),
      align: "right",
      value: (row) => row.wallMs,
      cell: (row) => duration(row.wallMs),
    },
    {
      id: "cost",
      title: t("cost"),
      align: "right",
      value: (row) => row.costUsd,
      cell: (row) => dollars(row.costUsd),
    },
    {
      id: "repeat",
      title: t("repeat"),
      align: "right",
      wide: true,
      value: (row) => row.repeat,
      cell: (row) => row.repeat,
    },
    {
      id: "attempts",
      title: t("attempts"),
      align: "right",
      wide: true,
      value: (row) => row.attempts,
      cell: (row) => row.attempts,
    },
  ];
}
