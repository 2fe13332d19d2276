import { type ReactNode, useMemo } from "react";
import type { FailureView } from "../../server/api/failure-view.ts";
import { interval, percent } from "../format.ts";
import { type Translate, useText } from "../settings.tsx";
import { type Column, DataTable } from "./data-table.tsx";

type Claims = FailureView["summary"]["completion"][number];

/** How far contestants can be believed when they say that they are done. */
export function CompletionTable({ rows }: { readonly rows: readonly Claims[] }): ReactNode {
  const t = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <DataTable caption={t("claims")} rows={rows} columns={columns} rowKey={({ contestant }) => contestant} />
  );
}

function columnsOf(t: Translate): readonly Column<Claims>[] {
  return [
    {
      id: "contestant",
      title: t("contestant"),
      names: true,
      value: ({ contestant }) => contestant,
      cell: ({ contestant }) => contestant,
    },
    {
      id: "saidDone",
      title: t("saidDone"),
      align: "right",
      value: ({ saidDone }) => saidDone,
      cell: ({ saidDone }) => saidDone,
    },
    {
      id: "precision",
      title: t("precision"),
      align: "right",
      value: ({ precision }) => precision.value,
      cell: ({ precision }) => <span title={precision.valueReason}>{percent(precision.value)}</span>,
    },
    {
      id: "interval",
      title: t("interval"),
      value: ({ precision }) => precision.low,
      cell: ({ precision }) => interval(precision.low, precision.high),
    },
    {
      id: "recall",
      title: t("recall"),
      align: "right",
      value: ({ recall }) => recall.value,
      cell: ({ recall }) => <span title={recall.valueReason}>{percent(recall.value)}</span>,
    },
  ];
}
