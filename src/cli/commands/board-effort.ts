import { type EffortCurve, type EffortPoint, effortCurves } from "../../board/views/effort-curves.ts";
import { figureText, points } from "../output/figure-text.ts";
import { formatDollars } from "../output/format-number.ts";
import { intervalLine } from "../output/interval-line.ts";
import { textTable } from "../output/text-table.ts";
import type { BoardView } from "./board-views.ts";

/** `ale board effort` */
export const effortView: BoardView<readonly EffortCurve[]> = {
  name: "effort",
  description: "How the score changes with reasoning effort, all else equal.",
  build: ({ entries, policy }, measure) => effortCurves(entries, { policy, measure }),
  text: (curves) =>
    curves.length === 0
      ? "no harness and model was run at two efforts under one comparability key\n"
      : curves.map(curveText).join("\n"),
};

function curveText(curve: EffortCurve): string {
  const table = textTable<EffortPoint>(
    [
      { title: "effort", cell: (point) => point.effort },
      { title: "score", cell: (point) => figureText(point, points) },
      {
        title: "0 to 100",
        cell: (point) => intervalLine(point.value, point.low, point.high, { from: 0, to: 1, width: 41 }),
      },
      {
        title: "cost",
        align: "right",
        cell: (point) => (point.costUsd === null ? "unknown" : formatDollars(point.costUsd)),
      },
    ],
    curve.points,
  );
  return `${curve.harness} ${curve.model}\n${table}`;
}
