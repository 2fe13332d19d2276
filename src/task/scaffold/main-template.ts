interface KindParts {
  readonly parse: string;
  readonly print: string;
  readonly imports: string;
}

const parts: Readonly<Record<"csv" | "json", KindParts>> = {
  csv: {
    imports: `import { readText } from "ale/grade/rubric/read-artifact";`,
    parse: `/** The totals handed in, or what is wrong with the file. */
async function readTotals(dir: string): Promise<Totals | string> {
  const read = await readText(dir, output);
  if (read.kind === "bad") return read.outcome.message;
  const [header, ...rows] = read.value.trim().split(/\\r?\\n/);
  if (header !== "group,total") return \`The header of \${output} is not group,total.\`;
  const totals = new Map<string, number>();
  for (const row of rows) {
    const [group, total, ...rest] = row.split(",");
    if (group === undefined || total === undefined || total.trim() === "" || rest.length > 0) {
      return \`\${output} has a row that is not group,total.\`;
    }
    if (totals.has(group)) return \`\${output} lists a group twice.\`;
    totals.set(group, Number(total));
  }
  return totals;
}`,
    print: `function printTotals(totals: Totals): string {
  const rows = [...totals].map(([group, total]) => \`\${group},\${total.toFixed(2)}\`);
  return \`group,total\\n\${rows.join("\\n")}\\n\`;
}`,
  },
  json: {
    imports: `import { readJson } from "ale/grade/rubric/read-artifact";`,
    parse: `/** The totals handed in, or what is wrong with the file. */
async function readTotals(dir: string): Promise<Totals | string> {
  const read = await readJson(dir, output);
  if (read.kind === "bad") return read.outcome.message;
  const { totals } = Object(read.value) as { readonly totals?: unknown };
  if (typeof totals !== "object" || totals === null || Array.isArray(totals)) {
    return \`\${output} has no object called totals.\`;
  }
  return new Map(Object.entries(totals).map(([group, total]) => [group, typeof total === "number" ? total : Number.NaN]));
}`,
    print: `function printTotals(totals: Totals): string {
  const rounded = [...totals].map(([group, total]) => [group, Number(total.toFixed(2))] as const);
  return \`\${JSON.stringify({ totals: Object.fromEntries(rounded) }, null, 2)}\\n\`;
}`,
  },
};

/** `main.ts` of a new package: a small whole task that works, for the author to replace piece by piece. */
export function mainTemplate(output: string, kind: "csv" | "json"): string {
  const { imports, parse, print } = parts[kind];
  return `// [[fill: replace the sample work, totals by group, with your own: generate, solve, grade and probes]]
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { closeTo } from "ale/grade/number/close-to";
import { check } from "ale/grade/rubric/check";
import { gateAndScore } from "ale/grade/rubric/gate-and-score";
${imports}
import { defineTask } from "ale/task";

type Totals = ReadonlyMap<string, number>;

const output = ${JSON.stringify(output)};

${print}

${parse}

async function addUp(input: string): Promise<Totals> {
  const totals = new Map<string, number>();
  const [, ...rows] = (await readFile(join(input, "items.csv"), "utf8")).trim().split("\\n");
  for (const row of rows) {
    const [group = "", amount = ""] = row.split(",");
    totals.set(group, (totals.get(group) ?? 0) + Number(amount));
  }
  return totals;
}

/** The probes start from the oracle's output; each writes what a certain contestant would hand in. */
async function change(dir: string, edit: (totals: Map<string, number>) => void): Promise<void> {
  const totals = await readTotals(dir);
  if (typeof totals === "string") throw new TypeError(totals);
  const edited = new Map(totals);
  edit(edited);
  await writeFile(join(dir, output), printTotals(edited));
}

export default defineTask<{ currency: string }>({
  async generate({ input, reference, random }) {
    const rows = ["group,amount"];
    for (let index = 0; index < 400; index++) {
      const group = random.pick(["Rent", "Travel", "Licences", "Wages", "Repairs"]);
      rows.push(\`\${group},\${(random.integer(100, 500_000) / 100).toFixed(2)}\`);
    }
    await writeFile(join(input, "items.csv"), \`\${rows.join("\\n")}\\n\`);
    await writeFile(join(reference, output), printTotals(await addUp(input)));
  },

  async solve({ input, output: folder }) {
    await writeFile(join(folder, output), printTotals(await addUp(input)));
  },

  async grade({ artifacts, reference }) {
    const wanted = await readTotals(reference);
    if (typeof wanted === "string") throw new TypeError(\`the reference is broken: \${wanted}\`);
    const found = await readTotals(artifacts);
    const readable = typeof found !== "string";
    const totals: Totals = readable ? found : new Map();
    const sameGroups = totals.size === wanted.size && [...wanted.keys()].every((group) => totals.has(group));
    return gateAndScore(
      [
        check({
          id: "readable",
          stage: "hand-in",
          gate: true,
          outcome: { score: readable ? 1 : 0, message: readable ? "The file can be read." : found },
        }),
        check({
          id: "groups",
          stage: "hand-in",
          gate: true,
          outcome: { score: sameGroups ? 1 : 0, message: sameGroups ? "Every group, once." : "Groups are missing or made up." },
        }),
      ],
      [...wanted].map(([group, total]) =>
        check({
          id: \`total-\${group}\`,
          stage: "totals",
          outcome: closeTo(totals.get(group), total, { absolute: 0.005 }),
        }),
      ),
    );
  },

  probes: [
    {
      name: "empty-file",
      kind: "empty",
      expected: 0,
      because: "Nothing was worked out.",
      make: ({ output: dir }) => writeFile(join(dir, output), ""),
    },
    {
      name: "one-group-wrong",
      kind: "near-miss",
      expected: 0.8,
      because: "Four of five totals are right.",
      make: ({ output: dir }) => change(dir, (totals) => totals.set("Rent", (totals.get("Rent") ?? 0) + 100)),
    },
    {
      name: "off-by-two-cents",
      kind: "off-tolerance",
      expected: 0.8,
      because: "One total is off by more than half a cent.",
      make: ({ output: dir }) => change(dir, (totals) => totals.set("Wages", (totals.get("Wages") ?? 0) + 0.02)),
    },
    {
      name: "in-cents",
      kind: "unit-error",
      expected: 0,
      because: "All totals are a hundred times too large.",
      make: ({ output: dir }) =>
        change(dir, (totals) => {
          for (const [group, total] of totals) totals.set(group, total * 100);
        }),
    },
    {
      name: "a-group-left-out",
      kind: "truncated",
      expected: 0,
      because: "A list that lacks a group cannot be used.",
      make: ({ output: dir }) => change(dir, (totals) => void totals.delete("Travel")),
    },
    {
      name: "the-input-handed-back",
      kind: "copied-input",
      expected: 0,
      because: "The input is not the answer.",
      make: ({ input, output: dir }) => copyFile(join(input, "items.csv"), join(dir, output)),
    },
    {
      name: "zeros",
      kind: "format-only",
      expected: 0,
      because: "The right shape without any of the work.",
      make: ({ output: dir }) =>
        change(dir, (totals) => {
          for (const group of totals.keys()) totals.set(group, 0);
        }),
    },
    {
      name: "another-order",
      kind: "valid-alternative",
      expected: 1,
      because: "The instruction leaves the order free.",
      make: ({ output: dir }) =>
        change(dir, (totals) => {
          const reversed = [...totals].reverse();
          totals.clear();
          for (const [group, total] of reversed) totals.set(group, total);
        }),
    },
  ],
});
`;
}
