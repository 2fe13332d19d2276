import { spawnSync } from "node:child_process";
import { closeSync, copyFileSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import { contains, type Regions, readBed, sizeOf, subtract } from "./genome/intervals.ts";
import { callSetFigures } from "./metrics.ts";
import type { Params } from "./params.ts";

/** Runs a program to its end, its standard output into a file where one is named. */
function run(argv: readonly string[], stdout?: string): string {
  const [program, ...args] = argv as [string, ...string[]];
  const file = stdout === undefined ? undefined : openSync(stdout, "w");
  const child = spawnSync(program, args, {
    stdio: ["ignore", file ?? "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (file !== undefined) closeSync(file);
  if (child.error !== undefined) throw child.error;
  if (child.status !== 0) throw new Error(`${argv.join(" ")} ended with ${child.status}: ${child.stderr}`);
  return child.stdout ?? "";
}

/** Aligns, marks duplicates, calls, normalises and filters, as a small laboratory pipeline would. */
export function solve({ input, output, scratch }: SolveContext<Params>): void {
  const at = (name: string): string => join(scratch, name);
  const genome = at("reference.fa");
  copyFileSync(join(input, "reference.fa"), genome);
  run(["bwa", "index", genome]);
  run(["samtools", "faidx", genome]);

  const firsts = readdirSync(input)
    .filter((name) => name.endsWith("_R1.fastq.gz"))
    .toSorted();
  const sample = (firsts[0] as string).split("_L0")[0] as string;
  const lanes = firsts.map((first, index) => alignLane(join(input, first), sample, index, genome, scratch));
  run(["samtools", "merge", "-f", at("merged.bam"), ...lanes]);
  run(["samtools", "markdup", at("merged.bam"), at("marked.bam")]);
  run(["samtools", "index", at("marked.bam")]);

  const bed = (name: string): Regions => readBed(readFileSync(join(input, name), "utf8"));
  const callable = subtract(bed("targets.bed"), bed("excluded.bed"));
  const pileup = ["-q", "20", "-Q", "13", "-a", "AD,DP", "--max-depth", "1000", "-Ou"];
  run(["bcftools", "mpileup", "-f", genome, ...pileup, "-o", at("pileup.bcf"), at("marked.bam")]);
  run(["bcftools", "call", "-mv", "-Ou", "-o", at("called.bcf"), at("pileup.bcf")]);
  run(["bcftools", "norm", "-f", genome, "-m", "-any", "-Ou", "-o", at("split.bcf"), at("called.bcf")]);
  const weak = "QUAL<20 || FORMAT/AD[0:1]<4";
  const called = run(["bcftools", "view", "-e", weak, "-Ov", at("split.bcf")]);

  const lines = called
    .trimEnd()
    .split("\n")
    .filter((line) => {
      if (line.startsWith("#")) return true;
      const [contig = "", position] = line.split("\t");
      return contains(callable, contig, Number(position) - 1);
    });
  writeFileSync(join(output, "calls.vcf"), `${lines.join("\n")}\n`);

  const stats = flagCounts(run(["samtools", "flagstat", at("marked.bam")]));
  const depth = meanDepth(run(["samtools", "depth", "-a", at("marked.bam")]), callable);
  const figures = callSetFigures(lines.filter((line) => !line.startsWith("#")).map(toCall));
  const metrics = {
    sample,
    read_pairs: stats.reads / 2,
    duplicate_fraction: rounded(stats.duplicates / stats.reads, 4),
    mean_depth: rounded(depth, 2),
    snvs: figures.snvs,
    indels: figures.indels,
    ts_tv: rounded(figures.ts_tv, 3),
    het_hom_ratio: rounded(figures.het_hom_ratio, 3),
  };
  writeFileSync(join(output, "metrics.json"), `${JSON.stringify(metrics, null, 2)}\n`);
}

function alignLane(first: string, sample: string, index: number, genome: string, scratch: string): string {
  const lane = join(scratch, `lane${index}`);
  const group = `@RG\\tID:L00${index + 1}\\tSM:${sample}\\tLB:library1\\tPL:ILLUMINA`;
  const second = first.replace("_R1.fastq.gz", "_R2.fastq.gz");
  run(["bwa", "mem", "-R", group, genome, first, second], `${lane}.sam`);
  run(["samtools", "fixmate", "-m", "-u", `${lane}.sam`, `${lane}.fixed.bam`]);
  run(["samtools", "sort", "-o", `${lane}.bam`, `${lane}.fixed.bam`]);
  return `${lane}.bam`;
}

/** Primary reads and those marked as duplicates, from `samtools flagstat`. */
function flagCounts(text: string): { readonly reads: number; readonly duplicates: number } {
  const count = (label: string): number =>
    Number(new RegExp(`^(\\d+) \\+ \\d+ ${label}$`, "m").exec(text)?.[1] ?? Number.NaN);
  return { reads: count("primary"), duplicates: count("primary duplicates") };
}

function meanDepth(text: string, callable: Regions): number {
  let sum = 0;
  for (const line of text.split("\n")) {
    const [contig = "", position, depth] = line.split("\t");
    if (contains(callable, contig, Number(position) - 1)) sum += Number(depth);
  }
  return sum / sizeOf(callable);
}

function toCall(line: string): {
  contig: string;
  position: number;
  ref: string;
  alt: string;
  dosage: number;
} {
  const [contig = "", position, , ref = "", alt = "", , , , , sample = ""] = line.split("\t");
  const dosage = [...(sample.split(":", 1)[0] as string)].filter((letter) => letter === "1").length;
  return { contig, position: Number(position), ref, alt, dosage };
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
