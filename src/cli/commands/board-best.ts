import { type BestOnTask, bestPerTask } from "../../board/views/best-per-task.ts";
import { textTable } from "../output/text-table.ts";
import type { BoardView } from "./board-views.ts";

/** `ale board best` */
export const bestView: BoardView<readonly BestOnTask[]> = {
  name: "best",
  description: "Who did best on each instance, and how many passed it.",
  build: ({ entries, policy }, measure) => bestPerTask(entries, { policy, measure }),
  text: (rows) =>
    textTable<BestOnTask>(
      [
        { title: "instance", cell: (row) => row.instance },
        { title: "best", align: "right", cell: (row) => (row.kind === "best" ? row.value.toFixed(3) : "–") },
        {
          title: "passed by",
          align: "right",
          cell: (row) => (row.kind === "best" ? `${row.passedBy}/${row.known}` : "–"),
        },
        { title: "who", cell: (row) => (row.kind === "best" ? row.contestants.join(", ") : row.reason) },
      ],
      rows,
    ),
};
