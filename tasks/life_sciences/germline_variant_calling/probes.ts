import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe, ProbeContext } from "ale/task";
import { readFasta } from "./genome/read-fasta.ts";
import type { Params } from "./params.ts";

type Context = ProbeContext<Params>;
type Fields = [string, string, string, string, string, string, string, string, string, string];

function editCalls(
  context: Context,
  edit: (records: readonly Fields[]) => readonly (readonly string[])[],
): void {
  const path = join(context.output, "calls.vcf");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const header = lines.filter((line) => line.startsWith("#"));
  const records = lines.filter((line) => !line.startsWith("#")).map((line) => line.split("\t") as Fields);
  writeFileSync(path, `${[...header, ...edit(records).map((fields) => fields.join("\t"))].join("\n")}\n`);
}

function editMetrics({ output }: Context, edit: (metrics: Record<string, number>) => object): void {
  const path = join(output, "metrics.json");
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, "utf8")))));
}

/** The same change written as far to the right as the sequence allows, with a base of context on both sides. */
function spreadOut(fields: Fields, sequence: string): readonly string[] {
  let [position, ref, alt] = [Number(fields[1]), fields[3].toUpperCase(), fields[4].toUpperCase()];
  if (ref.length !== alt.length && Math.min(ref.length, alt.length) === 1) {
    for (;;) {
      const next = sequence[position - 1 + ref.length] ?? "";
      const longer = ref.length > alt.length ? ref : alt;
      if (next === "" || longer[1] !== next) break;
      [ref, alt] = [ref.slice(1) + next, alt.slice(1) + next];
      position++;
    }
  }
  const before = sequence[position - 2] ?? "";
  const after = sequence[position - 1 + ref.length] ?? "";
  if (before === "" || before === "N") return fields;
  const wide = [before + ref + after, before + alt + after];
  return [
    fields[0],
    String(position - 1),
    ".",
    wide[0] ?? "",
    wide[1] ?? "",
    ".",
    ".",
    ".",
    "GT",
    genotypeOf(fields),
  ];
}

function genotypeOf(fields: Fields): string {
  return fields[9].split(":", 1)[0] as string;
}

export const probes: readonly Probe<Params>[] = [
  {
    name: "empty-files",
    kind: "empty",
    expected: 0,
    because: "Two files without content are no call set.",
    make({ output }) {
      for (const name of ["calls.vcf", "metrics.json"]) writeFileSync(join(output, name), "");
    },
  },
  {
    name: "one-base-off",
    kind: "unit-error",
    expected: 0,
    because: "Positions counted from 0 name other bases: no variant is found.",
    make: (context) =>
      editCalls(context, (records) => records.map((fields) => fields.with(1, String(Number(fields[1]) - 1)))),
  },
  {
    name: "a-fifth-missing",
    kind: "near-miss",
    expected: [0.55, 0.9],
    because: "Recall of 0.8 is far from the required one, the rest of the work stands.",
    make: (context) => editCalls(context, (records) => records.filter((_fields, index) => index % 5 !== 0)),
  },
  {
    name: "all-heterozygous",
    kind: "near-miss",
    expected: [0.7, 0.9],
    because: "Every variant is found, a third of the genotypes is wrong.",
    make: (context) =>
      editCalls(context, (records) => records.map((fields) => fields.with(9, "0/1").with(8, "GT"))),
  },
  {
    name: "metrics-off",
    kind: "off-tolerance",
    expected: [0.9, 0.98],
    because: "The calls are right, two figures of the report are not.",
    make: (context) =>
      editMetrics(context, (metrics) => ({
        ...metrics,
        duplicate_fraction: (metrics["duplicate_fraction"] ?? 0) + 0.03,
        mean_depth: (metrics["mean_depth"] ?? 0) * 1.1,
      })),
  },
  {
    name: "first-contig-only",
    kind: "truncated",
    expected: [0, 0.6],
    because: "The file stops after a third of the calls.",
    make: (context) => editCalls(context, (records) => records.slice(0, Math.floor(records.length / 3))),
  },
  {
    name: "copied-input",
    kind: "copied-input",
    expected: 0,
    because: "A region file is no call set.",
    make({ input, output }) {
      copyFileSync(join(input, "targets.bed"), join(output, "calls.vcf"));
      rmSync(join(output, "metrics.json"));
    },
  },
  {
    name: "header-only",
    kind: "format-only",
    expected: 0,
    because: "A valid VCF without calls finds nothing.",
    make(context) {
      editCalls(context, () => []);
      editMetrics(context, (metrics) => ({ ...metrics, snvs: 0, indels: 0, ts_tv: 0, het_hom_ratio: 0 }));
    },
  },
  {
    name: "other-representation",
    kind: "valid-alternative",
    expected: 1,
    because: "Right-shifted, padded, unsorted and phased, the same variants are the same variants.",
    make(context) {
      const assembly = readFasta(readFileSync(join(context.input, "reference.fa"), "utf8"));
      editCalls(context, (records) =>
        context.random
          .shuffle(records.map((fields) => spreadOut(fields, assembly.get(fields[0]) as string)))
          .map((fields) => fields.with(9, (fields[9] as string).replace("/", "|"))),
      );
    },
  },
  {
    name: "filtered-and-reference-records",
    kind: "valid-alternative",
    expected: 1,
    because: "Records that failed a filter, or say that the sample is like the reference, are no calls.",
    make: (context) =>
      editCalls(context, (records) =>
        records.flatMap((fields, index) => {
          const other = fields[4].length === 1 && fields[3] !== "A" && fields[4] !== "A" ? "A" : undefined;
          if (index % 3 !== 0 || other === undefined) return [fields];
          const noise = fields.with(4, other).with(8, "GT");
          return [fields, noise.with(6, "LowQual").with(9, "0/1"), noise.with(9, "0/0")];
        }),
      ),
  },
];
