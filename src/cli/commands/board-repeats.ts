import { type RepeatPasses, repeatPasses } from "../../board/views/repeat-passes.ts";
import { figureText, points } from "../output/figure-text.ts";
import { textTable } from "../output/text-table.ts";
import type { BoardView } from "./board-views.ts";

/** `ale board repeats` */
export const repeatsView: BoardView<readonly RepeatPasses[]> = {
  name: "repeats",
  description:
    "Chance that one of k runs passes in full (pass@k), and that all do (pass^k). On the full-pass lane.",
  build: ({ entries, policy }) => repeatPasses(entries, policy),
  text: (rows) =>
    textTable<RepeatPasses>(
      [
        { title: "contestant", cell: (row) => row.contestant },
        { title: "k", align: "right", cell: (row) => String(row.k) },
        { title: "one of k", cell: (row) => figureText(row.any, points) },
        { title: "all of k", cell: (row) => figureText(row.all, points) },
        {
          title: "",
          cell: (row) => (row.tooFewRuns === 0 ? "" : `${row.tooFewRuns} instances have fewer runs`),
        },
      ],
      rows,
    ),
};
