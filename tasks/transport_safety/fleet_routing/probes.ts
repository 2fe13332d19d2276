import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import { parse } from "csv-parse/sync";
import type { Params } from "./params.ts";
import { formatClock, parseClock } from "./problem/clock-time.ts";
import type { Problem } from "./problem/problem.ts";
import { readProblem } from "./problem/read-problem.ts";
import { stringifyTable } from "./problem/stringify-table.ts";
import { planRows, summarise } from "./problem/write-plan.ts";
import { planRoutes } from "./solve/plan-routes.ts";

type Context = ProbeContext<Params>;
type Rows = readonly (readonly string[])[];

/** Changes the rows below the header. */
function editRoutes({ output }: Context, edit: (rows: Rows) => Rows): void {
  const path = join(output, "routes.csv");
  const [header = [], ...rows] = parse(readFileSync(path, "utf8")) as string[][];
  writeFileSync(path, stringifyTable([header, ...edit(rows)]));
}

function minuteEarlier(time: string | undefined): string {
  return formatClock((parseClock(time ?? "") ?? 0) - 1);
}

/** Hands in a plan after a short search over the problem as someone understood it. */
function handInPlan({ output, random }: Context, problem: Problem): void {
  const plan = planRoutes(problem, { iterations: 400, next: () => random.next() }) ?? [];
  writeFileSync(join(output, "routes.csv"), stringifyTable(planRows(problem, plan)));
  writeFileSync(join(output, "summary.json"), JSON.stringify(summarise(problem, plan)));
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Two files without content are no plan.",
    make({ output }) {
      for (const name of ["routes.csv", "summary.json"]) writeFileSync(join(output, name), "");
    },
  },
  {
    name: "one-vehicle-left-out",
    kind: "near-miss",
    expected: 0,
    because: "A plan that forgets the orders of one route does not serve the day.",
    make: (context) => editRoutes(context, (rows) => rows.filter((row) => row[0] !== rows[0]?.[0])),
  },
  {
    name: "arrives-a-minute-early",
    kind: "off-tolerance",
    expected: 0,
    because: "No road gets faster by being written down.",
    make: (context) =>
      editRoutes(context, (rows) => {
        const first = rows.findIndex((row) => row[3] !== "");
        return rows.map((row, index) => (index === first ? row.with(4, minuteEarlier(row[4])) : row));
      }),
  },
  {
    name: "times-in-minutes",
    kind: "unit-error",
    expected: 0,
    because: "Times are to be HH:MM.",
    make: (context) =>
      editRoutes(context, (rows) =>
        rows.map((row) => row.map((cell) => (cell.includes(":") ? String(parseClock(cell)) : cell))),
      ),
  },
  {
    name: "no-breaks",
    kind: "near-miss",
    expected: 0,
    because: "Breaks that are not recorded were not taken.",
    make: (context) => editRoutes(context, (rows) => rows.map((row) => row.with(7, "0"))),
  },
  {
    name: "first-plan-found",
    kind: "near-miss",
    expected: [0.3, 0.99],
    because: "A plan that keeps the rules and was hardly improved earns part of the marks for its cost.",
    make: (context) => handInPlan(context, readProblem(context.input, context.params.service_day)),
  },
  {
    name: "roads-as-if-dry",
    kind: "near-miss",
    expected: 0,
    because: "A plan over closed roads cannot be driven.",
    make: (context) => handInPlan(context, readProblem(context.input, "1900-01-01")),
  },
  {
    name: "roads-as-if-by-van",
    kind: "near-miss",
    expected: 0,
    because: "A truck on a road that carries only vans has not kept to the limits of weight.",
    make(context) {
      const problem = readProblem(context.input, context.params.service_day);
      const travel: Problem["travel"] = (_gross, from, to) => problem.travel(3500, from, to);
      handInPlan(context, { ...problem, travel });
    },
  },
  {
    name: "orders-as-first-received",
    kind: "near-miss",
    expected: 0,
    because: "Withdrawn orders are not to be driven, and changed ones not as they were.",
    make(context) {
      const copy = mkdtempSync(join(tmpdir(), "fleet-routing-"));
      try {
        cpSync(context.input, copy, { recursive: true });
        rmSync(join(copy, "changes.csv"), { force: true });
        writeFileSync(join(copy, "changes.csv"), "received_at,order_id,field,new_value\n");
        handInPlan(context, readProblem(copy, context.params.service_day));
      } finally {
        rmSync(copy, { recursive: true });
      }
    },
  },
  {
    name: "summary-off",
    kind: "off-tolerance",
    expected: [0.9, 0.95],
    because: "The plan stands; two figures about it are wrong.",
    make({ output }) {
      const path = join(output, "summary.json");
      const summary = JSON.parse(readFileSync(path, "utf8")) as Record<string, number>;
      const total_km = (summary["total_km"] ?? 0) * 1.02;
      writeFileSync(path, JSON.stringify({ ...summary, total_km, total_cost_eur: 1 }));
    },
  },
  {
    name: "half-the-rows",
    kind: "truncated",
    expected: 0,
    because: "The file breaks off.",
    make: (context) => editRoutes(context, (rows) => rows.slice(0, Math.floor(rows.length / 2))),
  },
  {
    name: "copied-orders",
    kind: "copied-input",
    expected: 0,
    because: "The list of orders is no plan.",
    make({ input, output }) {
      copyFileSync(join(input, "orders.csv"), join(output, "routes.csv"));
      rmSync(join(output, "summary.json"));
    },
  },
  {
    name: "header-only",
    kind: "format-only",
    expected: 0,
    because: "The right columns without a route deliver nothing.",
    make(context) {
      editRoutes(context, () => []);
    },
  },
  {
    name: "shuffled-rows",
    kind: "valid-alternative",
    expected: 1,
    because: "The stop numbers say the sequence, whatever the order of the rows; 7:05 is 07:05.",
    make: (context) =>
      editRoutes(context, (rows) =>
        context.random.shuffle(rows.map((row) => row.map((cell) => cell.replace(/^0(\d:)/, "$1")))),
      ),
  },
  {
    name: "spreadsheet-export",
    kind: "valid-alternative",
    expected: 1,
    because:
      "Semicolons, a byte order mark and Windows line ends are what a spreadsheet writes in half of Europe.",
    make({ output }) {
      const path = join(output, "routes.csv");
      const text = readFileSync(path, "utf8");
      writeFileSync(path, `\uFEFF${text.replaceAll(",", ";").replaceAll("\n", "\r\n")}`);
    },
  },
  {
    name: "twin-vehicles",
    kind: "valid-alternative",
    expected: 1,
    because: "Vehicles of one kind may swap their routes.",
    make(context) {
      const fleet = (parse(readFileSync(join(context.input, "vehicles.csv"), "utf8")) as string[][]).slice(1);
      const kindOf = (row: readonly string[]): string => row.slice(1).join();
      const twins = new Map<string, string>();
      for (const row of fleet) {
        const kind = fleet.filter((other) => kindOf(other) === kindOf(row));
        twins.set(row[0] as string, kind[(kind.indexOf(row) + 1) % kind.length]?.[0] as string);
      }
      editRoutes(context, (rows) => rows.map((row) => row.with(0, twins.get(row[0] as string) as string)));
    },
  },
];
