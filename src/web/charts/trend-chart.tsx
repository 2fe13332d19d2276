import { type ReactNode, useCallback } from "react";
import type { Trend } from "../../server/api/board-view.ts";
import { useText } from "../settings.tsx";
import { PlotFigure } from "./plot.tsx";

/** Contestants over the dates of their runs. A line breaks where what moves a score besides the contestant changed. */
export function TrendChart({ trends }: { readonly trends: readonly Trend[] }): ReactNode {
  const t = useText();
  const draw = useCallback(
    (plot: Parameters<Parameters<typeof PlotFigure>[0]["draw"]>[0], width: number) => {
      const points = trends.flatMap(({ contestant, points: own }) => {
        let stretch = 0;
        return own.flatMap(({ at, value, low, high, comparableToLast }) => {
          if (!comparableToLast) stretch += 1;
          if (value === null) return [];
          return [
            {
              contestant,
              stretch: `${contestant} ${stretch}`,
              at: new Date(at),
              value: value * 100,
              low: (low ?? value) * 100,
              high: (high ?? value) * 100,
            },
          ];
        });
      });
      return plot.plot({
        width,
        style: { fontSize: "13px" },
        height: 320,
        marginTop: 28,
        marginBottom: 44,
        x: { type: "utc", label: null, inset: 30 },
        y: { domain: [0, 100], label: `↑ ${t("value")} (%)`, grid: true },
        color: { legend: true, scheme: "Tableau10" },
        marks: [
          ...[...Map.groupBy(points, (point) => point.contestant).values()].flatMap((own, index, lines) => {
            const dx = (index - (lines.length - 1) / 2) * 7;
            return [
              plot.ruleX(own, {
                x: "at",
                y1: "low",
                y2: "high",
                stroke: "contestant",
                strokeWidth: 5,
                strokeOpacity: 0.3,
                dx,
              }),
              plot.line(own, { x: "at", y: "value", z: "stretch", stroke: "contestant", strokeWidth: 2, dx }),
              plot.dot(own, { x: "at", y: "value", fill: "contestant", r: 4, dx }),
            ];
          }),
        ],
      });
    },
    [trends, t],
  );
  return (
    <>
      <PlotFigure label={t("trend")} draw={draw} />
      <p className="soft note">{t("trendNote")}</p>
    </>
  );
}
