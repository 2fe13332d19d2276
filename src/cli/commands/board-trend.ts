import { basename } from "node:path";
import { type Trend, type TrendPoint, trends } from "../../board/views/trend.ts";
import { figureText, points } from "../output/figure-text.ts";
import { intervalLine } from "../output/interval-line.ts";
import { textTable } from "../output/text-table.ts";
import type { BoardView } from "./board-views.ts";

/** `ale board trend` */
export const trendView: BoardView<readonly Trend[]> = {
  name: "trend",
  description: "Contestants over the dates of the runs that are named.",
  build: ({ runs, entries, policy }, measure) => {
    const instances = new Set(entries.flatMap((entry) => [...entry.conditions.keys()]));
    return trends(runs, { policy, measure, instances });
  },
  text: (lines) => lines.map(trendText).join("\n"),
};

function trendText({ contestant, points: dots }: Trend): string {
  const table = textTable<TrendPoint>(
    [
      { title: "date", cell: (point) => new Date(point.at).toISOString().slice(0, 16).replace("T", " ") },
      { title: "version", cell: (point) => point.harnessVersions.join(", ") },
      { title: "score", cell: (point) => figureText(point, points) },
      {
        title: "0 to 100",
        cell: (point) => intervalLine(point.value, point.low, point.high, { from: 0, to: 1, width: 41 }),
      },
      { title: "run", cell: (point) => basename(point.run) },
      {
        title: "",
        cell: (point) => (point === dots[0] || point.comparableToLast ? "" : "other key: not comparable"),
      },
    ],
    dots,
  );
  return `${contestant}\n${table}`;
}
