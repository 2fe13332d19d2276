import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import type { RunView } from "../../server/api/run-summary.ts";
import type { TrialRow } from "../../server/api/trial-row.ts";
import { dateTime, dollars, duration, interval, percent } from "../format.ts";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { FilterField, holdsWords } from "../parts/filter-field.tsx";
import { Load } from "../parts/load.tsx";
import {
  bypassColumns,
  contestantColumn,
  costColumn,
  markColumn,
  missingColumn,
} from "../parts/score-columns.tsx";
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
  const columns = useMemo(() => scoreColumns(t, view.scores), [t, view.scores]);
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

function scoreColumns(t: Translate, rows: readonly ScoreRow[]): readonly Column<ScoreRow>[] {
  return [
    contestantColumn(t),
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
    markColumn(({ fullPass: { rate, low, high } }) => ({ value: rate, low, high })),
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
    missingColumn(t),
    ...bypassColumns(t, rows),
    costColumn(t),
  ];
}

function Trials({ run, rows }: { readonly run: string; readonly rows: readonly TrialRow[] }): ReactNode {
  const t = useText();
  const { filter = "" } = useSearch({ from: "/runs/$run" });
  const navigate = useNavigate({ from: "/runs/$run" });
  const wanted = useDeferredValue(filter);
  const columns = useMemo(() => trialColumns(t, run, rows), [t, run, rows]);
  const shown = useMemo(() => {
    if (wanted === "") return rows;
    return rows.filter((row) =>
      holdsWords(`${row.trial} ${row.instance} ${row.contestant} ${row.state} ${t(row.state)}`, wanted),
    );
  }, [rows, wanted, t]);
  return (
    <>
      <FilterField
        label={t("filterTrials")}
        value={filter}
        onChange={(text) =>
          navigate({ search: text === "" ? {} : { filter: text }, replace: true, resetScroll: false })
        }
        shown={shown.length}
        all={rows.length}
      />
      <DataTable caption={t("trials")} rows={shown} columns={columns} rowKey={(row) => row.trial} />
    </>
  );
}

function trialColumns(t: Translate, run: string, rows: readonly TrialRow[]): readonly Column<TrialRow>[] {
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
    contestantColumn(t),
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
    ...(rows.some((row) => row.bypassed !== null) ? [bypassedColumn(t)] : []),
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

function bypassedColumn(t: Translate): Column<TrialRow> {
  return {
    id: "bypassed",
    title: t("bypassed"),
    value: (row) => (row.bypassed === null ? null : Number(row.bypassed)),
    cell: ({ bypassed }) =>
      bypassed === null ? "–" : bypassed ? <b>{t("bypassedYes")}</b> : t("bypassedNo"),
  };
}
