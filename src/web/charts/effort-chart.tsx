import { type ReactNode, useCallback } from "react";
import type { EffortCurve } from "../../server/api/board-view.ts";
import { useText } from "../settings.tsx";
import { PlotFigure } from "./plot.tsx";

const order = ["default", "none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** How a harness and model do as their effort goes up, with intervals. */
export function EffortChart({ curves }: { readonly curves: readonly EffortCurve[] }): ReactNode {
  const t = useText();
  const draw = useCallback(
    (plot: Parameters<Parameters<typeof PlotFigure>[0]["draw"]>[0], width: number) => {
      const points = curves.flatMap(({ harness, model, points: own }) =>
        own.flatMap(({ effort, value, low, high }) =>
          value === null
            ? []
            : [
                {
                  line: `${harness} ${model}`,
                  effort,
                  value: value * 100,
                  low: (low ?? value) * 100,
                  high: (high ?? value) * 100,
                },
              ],
        ),
      );
      const used = new Set(points.map((point) => point.effort as string));
      return plot.plot({
        width,
        style: { fontSize: "13px" },
        height: 320,
        marginTop: 28,
        x: { type: "point", domain: order.filter((effort) => used.has(effort)), label: null },
        y: { domain: [0, 100], label: `↑ ${t("value")} (%)`, grid: true },
        color: { legend: true, scheme: "Tableau10" },
        marks: [
          ...[...Map.groupBy(points, (point) => point.line).values()].flatMap((own, index, lines) => {
            const dx = (index - (lines.length - 1) / 2) * 7;
            return [
              plot.ruleX(own, {
                x: "effort",
                y1: "low",
                y2: "high",
                stroke: "line",
                strokeWidth: 5,
                strokeOpacity: 0.3,
                dx,
              }),
              plot.line(own, { x: "effort", y: "value", stroke: "line", strokeWidth: 2, dx }),
              plot.dot(own, { x: "effort", y: "value", fill: "line", r: 4, dx }),
            ];
          }),
        ],
      });
    },
    [curves, t],
  );
  return <PlotFigure label={t("byEffort")} draw={draw} />;
}
