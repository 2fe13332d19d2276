import { type DomainScore, domainScores } from "../../board/views/domain-scores.ts";
import { figureText, points } from "../output/figure-text.ts";
import { intervalLine } from "../output/interval-line.ts";
import { textTable } from "../output/text-table.ts";
import type { BoardView } from "./board-views.ts";

/** `ale board domains` */
export const domainsView: BoardView<readonly DomainScore[]> = {
  name: "domains",
  description: "Scores by domain, as a dot plot.",
  build: ({ entries, policy }, measure) => domainScores(entries, { policy, measure }),
  text: (rows) =>
    textTable<DomainScore>(
      [
        { title: "domain", cell: (row) => row.domain },
        { title: "contestant", cell: (row) => row.contestant },
        { title: "workflows", align: "right", cell: (row) => String(row.workflows) },
        { title: "score", cell: (row) => figureText(row, points) },
        {
          title: "0 to 100",
          cell: (row) => intervalLine(row.value, row.low, row.high, { from: 0, to: 1, width: 41 }),
        },
      ],
      rows,
    ),
};
