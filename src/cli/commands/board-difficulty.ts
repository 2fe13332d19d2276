import { instanceDifficulty } from "../../board/views/instance-difficulty.ts";
import type { Maybe } from "../../contract/absence.ts";
import type { ItemEstimate, ItemResponse } from "../../stats/item-response.ts";
import { textTable } from "../output/text-table.ts";
import type { BoardView } from "./board-views.ts";

/** `ale board difficulty` */
export const difficultyView: BoardView<ItemResponse> = {
  name: "difficulty",
  description: "How hard each instance is, and how well it tells contestants apart. On the full-pass lane.",
  build: ({ entries, policy }) => instanceDifficulty(entries, policy),
  text: (fit) => {
    if (fit.kind === "refused") return `no fit: ${fit.reason}\n`;
    return textTable<ItemEstimate>(
      [
        { title: "instance", cell: (row) => row.task },
        { title: "difficulty", align: "right", cell: (row) => number(row.difficulty) },
        { title: "error", align: "right", cell: (row) => number(row.difficultyError) },
        { title: "discrimination", align: "right", cell: (row) => number(row.discrimination) },
        { title: "error", align: "right", cell: (row) => number(row.discriminationError) },
        { title: "", cell: (row) => (row.difficulty.known ? "" : row.difficulty.reason) },
      ],
      fit.items,
    );
  },
};

function number(value: Maybe<number>): string {
  return value.known ? value.value.toFixed(2) : "–";
}
