import { type ReactNode, useCallback, useMemo } from "react";
import { useText } from "../settings.tsx";
import { type CostPoint, paretoFront } from "./pareto-front.ts";
import { PlotFigure } from "./plot.tsx";

export interface CostRow {
  readonly contestant: string;
  readonly value: number | null;
  readonly costUsd: number | null;
  /** Comparability key: each has a front of its own. */
  readonly group: string;
}

/** Score against cost, where both are known, with the front of those whom nobody beats for less. */
export function CostChart({ rows }: { readonly rows: readonly CostRow[] }): ReactNode {
  const t = useText();
  const known = useMemo(
    () =>
      rows.flatMap(({ value, costUsd, ...row }): CostPoint[] =>
        value === null || costUsd === null || costUsd <= 0 ? [] : [{ ...row, value, costUsd }],
      ),
    [rows],
  );
  const front = useMemo(
    () => [...Map.groupBy(known, (point) => point.group).values()].flatMap(paretoFront),
    [known],
  );
  const draw = useCallback(
    (plot: Parameters<Parameters<typeof PlotFigure>[0]["draw"]>[0], width: number) => {
      const y = (point: CostPoint): number => point.value * 100;
      return plot.plot({
        width,
        style: { fontSize: "13px" },
        height: 340,
        marginTop: 28,
        x: { type: "log", label: `${t("cost")} (US$) →`, grid: true },
        y: { domain: [0, 100], label: `↑ ${t("value")} (%)`, grid: true },
        marks: [
          plot.line(front, {
            x: "costUsd",
            y,
            z: "group",
            curve: "step-after",
            stroke: "var(--pass)",
            strokeWidth: 1.5,
            strokeDasharray: "4 3",
          }),
          plot.dot(known, { x: "costUsd", y, fill: "var(--accent)", r: 4 }),
          plot.dot(front, { x: "costUsd", y, fill: "var(--pass)", r: 5 }),
          plot.tip(
            known,
            plot.pointer({ x: "costUsd", y, channels: { contestant: "contestant" }, fill: "var(--raised)" }),
          ),
        ],
      });
    },
    [known, front, t],
  );
  if (known.length === 0) return <p className="soft">{t("costMissing")}</p>;
  return (
    <>
      <PlotFigure label={t("costValue")} draw={draw} />
      <p className="soft note">
        {t("onFront")}: {front.map((point) => point.contestant).join(", ")}
      </p>
    </>
  );
}
