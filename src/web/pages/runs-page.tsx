import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import type { RunList, RunSummary } from "../../server/api/run-summary.ts";
import { dateTime } from "../format.ts";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { Load } from "../parts/load.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { type Translate, useText } from "../settings.tsx";

/** Every run, newest first; running ones move as they go. */
export function RunsPage(): ReactNode {
  const t = useText();
  return (
    <>
      <h1>{t("runs")}</h1>
      <Load<RunList> path="runs">{(list) => <Runs list={list} />}</Load>
    </>
  );
}

function Runs({ list }: { readonly list: RunList }): ReactNode {
  const t = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <>
      {list.runs.length === 0 ? (
        <p className="soft">{t("noRuns")}</p>
      ) : (
        <DataTable caption={t("runs")} rows={list.runs} columns={columns} rowKey={(run) => run.id} />
      )}
      {list.unreadable.map((run) => (
        <p key={run.id} className="notice">
          {t("unreadable")}: {run.id}. {run.message}
        </p>
      ))}
    </>
  );
}

function columnsOf(t: Translate): readonly Column<RunSummary>[] {
  return [
    {
      id: "run",
      title: t("run"),
      value: (run) => run.id,
      cell: (run) => (
        <Link to="/runs/$run" params={{ run: run.id }}>
          {run.id}
        </Link>
      ),
    },
    {
      id: "state",
      title: t("state"),
      value: (run) => run.stage,
      cell: (run) => <StateBadge state={run.stage} />,
    },
    {
      id: "finished",
      title: t("finished"),
      align: "right",
      value: (run) => run.finished,
      cell: (run) => <Progress run={run} />,
    },
    {
      id: "started",
      title: t("started"),
      value: (run) => run.createdAt,
      cell: (run) => dateTime(run.createdAt),
    },
    { id: "policy", title: t("policy"), wide: true, cell: (run) => run.policy },
    {
      id: "contestants",
      title: t("contestant"),
      wide: true,
      cell: (run) => <span className="names">{run.contestants.join(", ")}</span>,
    },
  ];
}

function Progress({ run }: { readonly run: RunSummary }): ReactNode {
  return (
    <span className="progress">
      <span className="progress-bar" aria-hidden="true">
        <span style={{ width: `${run.planned === 0 ? 0 : (run.finished / run.planned) * 100}%` }} />
      </span>
      {run.finished} / {run.planned}
    </span>
  );
}
