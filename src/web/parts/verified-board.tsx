import { type ReactNode, useMemo } from "react";
import type { Board, BoardRow, BoardView, TrendView } from "../../server/api/board-view.ts";
import { CostChart } from "../charts/cost-chart.tsx";
import { DomainChart } from "../charts/domain-chart.tsx";
import { EffortChart } from "../charts/effort-chart.tsx";
import { TrendChart } from "../charts/trend-chart.tsx";
import { useData } from "../data/use-data.ts";
import { interval, percent } from "../format.ts";
import { type Translate, useText } from "../settings.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { HarnessModelTable } from "./harness-model-map.tsx";
import {
  bypassColumns,
  contestantColumn,
  costColumn,
  markColumn,
  missingColumn,
  rankColumns,
} from "./score-columns.tsx";

type Verified = Extract<BoardView, { kind: "verified" }>;

/** A lane of runs at hand: one board, or several that stand apart and why. */
export function VerifiedBoard({ view }: { readonly view: Verified }): ReactNode {
  const t = useText();
  const { outcome } = view;
  const costs = useMemo(() => {
    const made =
      outcome.kind === "board" ? [outcome.board] : outcome.kind === "nothing" ? [] : outcome.boards;
    return made.flatMap(({ key, rows }) =>
      rows.map(({ contestant, value, costUsd }) => ({ contestant, value, costUsd, group: key })),
    );
  }, [outcome]);
  if (outcome.kind === "nothing") return <p className="notice">{outcome.message}</p>;
  const boards = outcome.kind === "board" ? [outcome.board] : outcome.boards;
  return (
    <>
      {outcome.kind === "unequal-keys" ? <UnequalKeys outcome={outcome} /> : null}
      {view.unjudged.length === 0 ? null : (
        <p className="notice">{t("unjudged", { n: view.unjudged.length })}</p>
      )}
      {boards.map((board) => (
        <OneBoard key={board.key} board={board} estimand={view.estimandIs} />
      ))}
      <h2>{t("byDomain")}</h2>
      <DomainChart figures={view.domains} />
      <h2>{t("costValue")}</h2>
      <CostChart rows={costs} />
      {view.efforts.length === 0 ? null : (
        <>
          <h2>{t("byEffort")}</h2>
          <EffortChart curves={view.efforts} />
        </>
      )}
      {view.harnessModels.length === 0 ? null : (
        <>
          <h2>{t("harnessModel")}</h2>
          {view.harnessModels.map((map) => (
            <HarnessModelTable key={`${map.effort} ${map.key}`} map={map} />
          ))}
        </>
      )}
      <Trends lane={boards[0]?.lane ?? "full-pass-verified"} />
    </>
  );
}

/** Over all runs at hand: nothing where there is only one. */
function Trends({ lane }: { readonly lane: string }): ReactNode {
  const t = useText();
  const loaded = useData<TrendView>(`trend/${lane}`);
  if (loaded.kind !== "value" || loaded.value.trends.length === 0) return null;
  return (
    <>
      <h2>{t("trend")}</h2>
      <TrendChart trends={loaded.value.trends} />
    </>
  );
}

function OneBoard({ board, estimand }: { readonly board: Board; readonly estimand: string }): ReactNode {
  const t = useText();
  const columns = useMemo(() => boardColumns(t, board.rows), [t, board.rows]);
  return (
    <>
      <DataTable
        caption={t(board.lane)}
        rows={board.rows}
        columns={columns}
        rowKey={(row) => row.contestant}
      />
      <p className="soft note">
        {t("boardNote", { policy: board.policy, estimand, key: board.key.slice(0, 19) })} {t("laneNote")}
      </p>
    </>
  );
}

function boardColumns(t: Translate, rows: readonly BoardRow[]): readonly Column<BoardRow>[] {
  return [
    ...rankColumns<BoardRow>(t),
    contestantColumn(t),
    {
      id: "value",
      title: t("value"),
      align: "right",
      value: (row) => row.value,
      cell: (row) =>
        row.value === null ? (
          <span className="soft">{row.valueReason ?? t("unknown")}</span>
        ) : (
          <b>{percent(row.value)}</b>
        ),
    },
    {
      id: "interval",
      title: t("interval"),
      cell: (row) => <span title={row.method}>{interval(row.low, row.high) || t("none")}</span>,
    },
    markColumn((row) => row),
    { id: "n", title: t("trials"), align: "right", value: (row) => row.n, cell: (row) => row.n },
    missingColumn(t, (row) =>
      row.missing === 0
        ? undefined
        : t("missingBracket", { low: percent(row.bracketLow), high: percent(row.bracketHigh) }),
    ),
    ...bypassColumns(t, rows),
    costColumn(t),
  ];
}

function UnequalKeys({
  outcome,
}: {
  readonly outcome: Extract<Verified["outcome"], { kind: "unequal-keys" }>;
}): ReactNode {
  const t = useText();
  return (
    <div className="notice">
      <p>
        <b>{t("unequalKeys")}</b> {outcome.message}
      </p>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t("field")}</th>
              <th scope="col">{outcome.differences[0]?.first}</th>
              <th scope="col">{outcome.differences[0]?.second}</th>
            </tr>
          </thead>
          <tbody>
            {outcome.differences.map((difference) => (
              <tr key={`${difference.field} ${difference.second}`}>
                <td>{difference.field}</td>
                <td className="wrap">{difference.firstValue}</td>
                <td className="wrap">{difference.secondValue}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
