import { type ScoreVariance, scoreVariance } from "../../board/views/score-variance.ts";
import { formatPercent } from "../output/format-number.ts";
import { textTable } from "../output/text-table.ts";
import type { BoardView } from "./board-views.ts";

/** `ale board variance` */
export const varianceView: BoardView<ScoreVariance> = {
  name: "variance",
  description: "How much of the variance of scores lies with harness, model, effort and workflow.",
  build: ({ entries, policy }, measure) => scoreVariance(entries, { policy, measure }),
  text: ({ result, constant }) => {
    const left = constant.map(({ factor, level }) => `${factor} is ${level} throughout: left out\n`).join("");
    if (result.kind === "refused") return `${left}no split: ${result.reason}\n`;
    const table = textTable<(typeof result.components)[number]>(
      [
        { title: "factor", cell: (row) => row.factor },
        { title: "levels", align: "right", cell: (row) => String(row.levels) },
        { title: "variance", align: "right", cell: (row) => row.variance.toFixed(5) },
        {
          title: "error",
          align: "right",
          cell: (row) => (row.standardError.known ? row.standardError.value.toFixed(5) : "–"),
        },
        { title: "share", align: "right", cell: (row) => formatPercent(row.share) },
      ],
      result.components,
    );
    return `${left}${table}`;
  },
};
