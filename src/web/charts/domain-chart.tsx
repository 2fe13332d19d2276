import { type ReactNode, useCallback } from "react";
import type { DomainScore } from "../../server/api/board-view.ts";
import { useText } from "../settings.tsx";
import { PlotFigure } from "./plot.tsx";

/** A dot for each contestant in each domain, with its interval. */
export function DomainChart({ figures }: { readonly figures: readonly DomainScore[] }): ReactNode {
  const t = useText();
  const draw = useCallback(
    (plot: Parameters<Parameters<typeof PlotFigure>[0]["draw"]>[0], width: number) => {
      const known = figures.filter((figure) => figure.value !== null);
      const domains = [...new Set(known.map((figure) => figure.domain))];
      const contestants = new Set(known.map((figure) => figure.contestant)).size;
      return plot.plot({
        width,
        style: { fontSize: "13px" },
        marginLeft: Math.min(170, width * 0.42),
        height: 60 + domains.length * (18 + 14 * contestants),
        x: { domain: [0, 100], label: null, tickFormat: (value: number) => `${value}%`, grid: true },
        fy: { label: null },
        y: { label: null, axis: null },
        color: { legend: true, scheme: "Tableau10" },
        marks: [
          plot.link(known, {
            x1: (figure: DomainScore) => (figure.low ?? figure.value ?? 0) * 100,
            x2: (figure: DomainScore) => (figure.high ?? figure.value ?? 0) * 100,
            y: "contestant",
            fy: "domain",
            stroke: "contestant",
            strokeWidth: 5,
            strokeOpacity: 0.3,
          }),
          plot.dot(known, {
            x: (figure: DomainScore) => (figure.value ?? 0) * 100,
            y: "contestant",
            fy: "domain",
            fill: "contestant",
            r: 5,
          }),
          plot.axisFy({ label: null, anchor: "left", textAnchor: "end", dx: -8 }),
        ],
      });
    },
    [figures],
  );
  return <PlotFigure label={t("byDomain")} draw={draw} />;
}
