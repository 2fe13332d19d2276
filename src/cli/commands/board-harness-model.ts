import { type HarnessModelMap, harnessModelMaps } from "../../board/views/harness-model.ts";
import { figureText, points } from "../output/figure-text.ts";
import { textTable } from "../output/text-table.ts";
import type { BoardView } from "./board-views.ts";

/** `ale board harness-model` */
export const harnessModelView: BoardView<readonly HarnessModelMap[]> = {
  name: "harness-model",
  description: "Harnesses by models: a table of scores for each effort.",
  build: ({ entries, policy }, measure) => harnessModelMaps(entries, { policy, measure }),
  text: (maps) =>
    maps.length === 0 ? "no contestant of these runs has a model\n" : maps.map(mapText).join("\n"),
};

function mapText(map: HarnessModelMap): string {
  const table = textTable<string>(
    [
      { title: "harness", cell: (harness) => harness },
      ...map.models.map((model) => ({
        title: model,
        cell: (harness: string) => {
          const own = map.cells.filter((cell) => cell.harness === harness && cell.model === model);
          return own.length === 0 ? "not run" : own.map((cell) => figureText(cell, points)).join(" / ");
        },
      })),
    ],
    map.harnesses,
  );
  return `effort ${map.effort}\n${table}`;
}
