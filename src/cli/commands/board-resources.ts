import { type ResourceUse, resourceUse } from "../../board/views/resource-use.ts";
import { figureText, points } from "../output/figure-text.ts";
import { formatDollars, formatDuration } from "../output/format-number.ts";
import { textTable } from "../output/text-table.ts";
import type { BoardView } from "./board-views.ts";

const thousands = (value: number): string => `${(value / 1000).toFixed(1)}k`;

/** `ale board resources` */
export const resourcesView: BoardView<readonly ResourceUse[]> = {
  name: "resources",
  description:
    "Cost, tokens and time per trial and per full pass, and the Pareto front of score against cost.",
  build: ({ entries, policy }, measure) => resourceUse(entries, { policy, measure }),
  text: (rows) =>
    textTable<ResourceUse>(
      [
        { title: "contestant", cell: (row) => row.contestant },
        { title: "trials", align: "right", cell: (row) => String(row.trials) },
        { title: "score", cell: (row) => figureText(row.score, points) },
        { title: "$/trial", cell: (row) => figureText(row.costUsd.perTrial, formatDollars) },
        { title: "$/pass", cell: (row) => figureText(row.costUsd.perPass, formatDollars) },
        { title: "in/trial", align: "right", cell: (row) => short(row.inputTokens.perTrial, thousands) },
        { title: "out/trial", align: "right", cell: (row) => short(row.outputTokens.perTrial, thousands) },
        { title: "time/trial", align: "right", cell: (row) => short(row.wallMs.perTrial, formatDuration) },
        { title: "time/pass", align: "right", cell: (row) => short(row.wallMs.perPass, formatDuration) },
        {
          title: "front",
          cell: (row) => (row.onParetoFront === null ? "unknown" : row.onParetoFront ? "yes" : ""),
        },
      ],
      rows,
    ),
};

function short(figure: { readonly value: number | null }, format: (value: number) => string): string {
  return figure.value === null ? "unknown" : format(figure.value);
}
