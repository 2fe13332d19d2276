import { type ReactNode, useMemo } from "react";
import type { FailureView } from "../../server/api/failure-view.ts";
import { type Translate, useText } from "../settings.tsx";
import { type Column, DataTable } from "./data-table.tsx";

type Summary = FailureView["summary"];
type LabelCount = Summary["counts"][number];

/** How often each label was given, by whom, and how far the coders agree; nothing where none was. */
export function LabelCounts({ summary }: { readonly summary: Summary }): ReactNode {
  const t = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  const used = useMemo(
    () => summary.counts.filter(({ people, model, rules }) => people + model + rules > 0),
    [summary],
  );
  const { agreement } = summary;
  if (used.length === 0) return null;
  return (
    <>
      <DataTable
        caption={t("labels")}
        rows={used}
        columns={columns}
        rowKey={({ contestant, label }) => `${contestant} ${label}`}
      />
      <p className="soft">
        {t("agreement")}: {agreement.alpha === null ? agreement.alphaReason : agreement.alpha.toFixed(3)}
      </p>
    </>
  );
}

function columnsOf(t: Translate): readonly Column<LabelCount>[] {
  const counted = (id: "people" | "model" | "rules", title: string): Column<LabelCount> => ({
    id,
    title,
    align: "right",
    value: (count) => count[id],
    cell: (count) => count[id],
  });
  return [
    {
      id: "contestant",
      title: t("contestant"),
      names: true,
      value: ({ contestant }) => contestant,
      cell: ({ contestant }) => contestant,
    },
    {
      id: "label",
      title: t("label"),
      value: ({ label }) => label,
      cell: (count) => (
        <>
          {count.label} <span className="soft">{count.class}</span>
        </>
      ),
    },
    counted("people", t("byPeople")),
    counted("model", t("model")),
    counted("rules", t("byRules")),
  ];
}
