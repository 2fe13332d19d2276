import { type ReactNode, useMemo } from "react";
import type { ReportedBoardRow, ReportedBoardView, ReportedRange } from "../../server/api/board-view.ts";
import { CostChart } from "../charts/cost-chart.tsx";
import { interval, percent } from "../format.ts";
import { type Translate, useText } from "../settings.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { costColumn, markColumn, missingColumn, rankColumns } from "./score-columns.tsx";

/** A published board: its rows, what moves them, and what it cannot tell. */
export function ReportedBoard({ board }: { readonly board: ReportedBoardView }): ReactNode {
  const t = useText();
  const columns = useMemo(() => reportedColumns(t), [t]);
  const points = useMemo(
    () =>
      board.rows.map(({ contestant, value, costUsd }) => ({ contestant, value, costUsd, group: board.key })),
    [board],
  );
  return (
    <>
      <DataTable
        caption={t(board.lane)}
        rows={board.rows}
        columns={columns}
        rowKey={(row) => row.contestant}
      />
      <p className="soft note">
        {board.name} · {t("policy")} {board.policy} · {board.key.slice(0, 19)} · {t("laneNote")}
      </p>
      <div className="columns">
        <Words title={t("assumptions")} words={board.assumptions} />
        <Words title={t("unknowable")} words={board.unknowable} />
      </div>
      <h2>{t("ranges")}</h2>
      <div className="columns">
        <Ranges title={t("rangeModel")} ranges={board.ranges.model} />
        <Ranges title={t("rangeHarness")} ranges={board.ranges.harness} />
        <Ranges title={t("rangeEffort")} ranges={board.ranges.effort} />
      </div>
      <h2>{t("costValue")}</h2>
      <CostChart rows={points} />
    </>
  );
}

function reportedColumns(t: Translate): readonly Column<ReportedBoardRow>[] {
  return [
    ...rankColumns<ReportedBoardRow>(t),
    { id: "harness", title: t("harness"), value: (row) => row.harness, cell: (row) => row.harness },
    {
      id: "model",
      title: t("model"),
      value: (row) => row.model,
      cell: (row) => (
        <>
          {row.model} <span className="soft">{row.variant}</span>
        </>
      ),
    },
    {
      id: "value",
      title: t("value"),
      align: "right",
      value: (row) => row.value,
      cell: (row) => <b>{percent(row.value)}</b>,
    },
    { id: "interval", title: t("interval"), cell: (row) => interval(row.low, row.high) },
    markColumn((row) => row),
    missingColumn(t),
    costColumn(t),
  ];
}

function Words({ title, words }: { readonly title: string; readonly words: readonly string[] }): ReactNode {
  return (
    <section>
      <h2>{title}</h2>
      <ul className="words">
        {words.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

const rangesShown = 6;

function Ranges({
  title,
  ranges,
}: {
  readonly title: string;
  readonly ranges: readonly ReportedRange[];
}): ReactNode {
  const t = useText();
  return (
    <section>
      <h3>{title}</h3>
      {ranges.length === 0 ? <p className="soft">{t("none")}</p> : null}
      <ul className="plain">
        {ranges.slice(0, rangesShown).map((range) => (
          <li key={range.of}>
            <b>
              {range.points.toFixed(1)} {t("points")}
            </b>{" "}
            {range.of}{" "}
            <span className="soft">{`${range.levels} ${t("levels")}: ${range.lowest.name} – ${range.highest.name}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
