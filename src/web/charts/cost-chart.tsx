import { type ReactNode, useCallback, useMemo } from "react";
import { useText } from "../settings.tsx";
import { PlotFigure } from "./plot.tsx";

interface CostPoint {
  readonly contestant: string;
  readonly value: number | null;
  readonly costUsd: number | null;
}

/** Score against cost, where both are known. */
export function CostChart({ rows }: { readonly rows: readonly CostPoint[] }): ReactNode {
  const t = useText();
  const known = useMemo(() => rows.filter((row) => row.value !== null && (row.costUsd ?? 0) > 0), [rows]);
  const draw = useCallback(
    (plot: Parameters<Parameters<typeof PlotFigure>[0]["draw"]>[0], width: number) =>
      plot.plot({
        width,
        style: { fontSize: "13px" },
        height: 320,
        x: { type: "log", label: `${t("cost")} (US$) →`, grid: true },
        y: { domain: [0, 100], label: `↑ ${t("value")} (%)`, grid: true },
        marks: [
          plot.dot(known, {
            x: "costUsd",
            y: (row: CostPoint) => (row.value ?? 0) * 100,
            fill: "var(--accent)",
            r: 4,
            channels: { contestant: "contestant" },
            tip: true,
          }),
        ],
      }),
    [known, t],
  );
  if (known.length === 0) return <p className="soft">{t("costMissing")}</p>;
  return <PlotFigure label={t("costValue")} draw={draw} />;
}
