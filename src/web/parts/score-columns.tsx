import type { ChannelBypass } from "../../server/api/board-view.ts";
import { dollars } from "../format.ts";
import type { Translate } from "../settings.tsx";
import type { Column } from "./data-table.tsx";
import { IntervalMark } from "./interval-mark.tsx";

interface Ranked {
  readonly band: number | null;
  readonly rankLow: number | null;
  readonly rankHigh: number | null;
}

interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Tie band and rank interval. */
export function rankColumns<Row extends Ranked>(t: Translate): readonly Column<Row>[] {
  return [
    {
      id: "band",
      title: t("band"),
      align: "right",
      value: (row) => row.band,
      cell: (row) => row.band ?? "–",
    },
    {
      id: "rank",
      title: t("rank"),
      align: "right",
      value: (row) => row.rankLow,
      cell: (row) => rankText(row.rankLow, row.rankHigh),
    },
  ];
}

/** `2`, or `2–5`. */
function rankText(low: number | null, high: number | null): string {
  if (low === null || high === null) return "–";
  return low === high ? String(low) : `${low}–${high}`;
}

/** The interval drawn from 0 to 100. */
export function markColumn<Row>(estimateOf: (row: Row) => Estimate): Column<Row> {
  return { id: "mark", title: "", wide: true, cell: (row) => <IntervalMark {...estimateOf(row)} /> };
}

export function contestantColumn<Row extends { readonly contestant: string }>(t: Translate): Column<Row> {
  return {
    id: "contestant",
    title: t("contestant"),
    names: true,
    value: (row) => row.contestant,
    cell: (row) => row.contestant,
  };
}

export function missingColumn<Row extends { readonly missing: number }>(
  t: Translate,
  hint: (row: Row) => string | undefined = () => undefined,
): Column<Row> {
  return {
    id: "missing",
    title: t("missing"),
    align: "right",
    value: (row) => row.missing,
    cell: (row) => <span title={hint(row)}>{row.missing}</span>,
  };
}

/** How often a required channel was bypassed, beside the score; no column where no task asked. */
export function bypassColumns<Row extends { readonly bypass: ChannelBypass }>(
  t: Translate,
  rows: readonly Row[],
): readonly Column<Row>[] {
  if (rows.every((row) => row.bypass.asked === 0)) return [];
  return [
    {
      id: "bypassed",
      title: t("bypassed"),
      align: "right",
      value: ({ bypass }) => bypass.bypassed,
      cell: ({ bypass }) =>
        bypass.asked === 0 ? (
          "–"
        ) : (
          <span title={t("bypassedHint", { n: bypass.untold })}>
            {t("bypassedOf", { n: bypass.bypassed, all: bypass.asked })}
          </span>
        ),
    },
  ];
}

export function costColumn<Row extends { readonly costUsd: number | null; readonly costUsdReason?: string }>(
  t: Translate,
): Column<Row> {
  return {
    id: "cost",
    title: t("cost"),
    align: "right",
    value: (row) => row.costUsd,
    cell: (row) =>
      row.costUsd === null ? (
        <span className="soft" title={row.costUsdReason}>
          {t("unknown")}
        </span>
      ) : (
        dollars(row.costUsd)
      ),
  };
}
