import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Random } from "../../contract/random.ts";
import { copyWritable } from "../copy-writable.ts";
import { mapLimited } from "../map-limited.ts";
import { listFiles } from "../package-files.ts";
import { type CheckContext, crashed } from "./check-context.ts";
import type { InstanceReport } from "./instance-report.ts";
import { mutationOperators } from "./mutation/mutation-operators.ts";
import type { Mutant } from "./mutation/operator.ts";

/** Larger files are left alone: a mutation holds the whole file in memory. */
const mostBytes = 64 * 1024 * 1024;

interface PlacedMutant extends Mutant {
  readonly path: string;
}

/**
 * Damages the oracle's outputs in many small ways, one at a time, and counts how often the grader takes points
 * off. The same seed makes the same mutations.
 * @param budget most mutations tried.
 */
export async function checkMutations(
  context: CheckContext,
  oracleArtifacts: string,
  budget: number,
): Promise<InstanceReport["mutations"]> {
  const mutants = await makeMutants(oracleArtifacts, budget, context.random);
  const verdicts = await mapLimited(mutants, context.concurrency, async (mutant) => {
    const dir = await context.folder("mutant");
    await copyWritable(oracleArtifacts, dir);
    await writeFile(join(dir, mutant.path), mutant.bytes);
    const outcome = await context.workbench.grade(context.task, context.instance, dir);
    await rm(dir, { recursive: true, force: true });
    if (outcome.kind === "verifier-error") {
      context.report(crashed(`a mutation (${mutant.path}: ${mutant.what})`, outcome.message));
    }
    return outcome;
  });
  const survivors = mutants
    .filter((_, index) => {
      const outcome = verdicts[index];
      return outcome?.kind === "verdict" && outcome.verdict.score === 1;
    })
    .map(({ path, what }) => ({ path, what }));
  const killed = verdicts.filter((outcome) => outcome.kind === "verdict" && outcome.verdict.score < 1).length;
  return { tried: mutants.length, killed, survivors };
}

/** Different mutants, spread evenly over files and kinds of damage. */
async function makeMutants(dir: string, budget: number, random: Random): Promise<readonly PlacedMutant[]> {
  const files = (await listFiles(dir)).files.filter((file) => file.bytes <= mostBytes && file.bytes > 0);
  const sources = await Promise.all(
    files.map(async ({ path }) => {
      const bytes = new Uint8Array(await readFile(join(dir, path)));
      return { path, bytes, operators: mutationOperators(path, bytes) };
    }),
  );
  const seen = new Set(sources.map(({ path, bytes }) => keyOf(path, bytes)));
  const mutants: PlacedMutant[] = [];
  for (let round = 0; round < 3 * budget && mutants.length < budget; round++) {
    for (const { path, bytes, operators } of sources) {
      const operator = operators[round % operators.length];
      if (operator === undefined || mutants.length >= budget) continue;
      const mutant = operator(bytes, random.fork(`${path}/${round}`));
      if (mutant === undefined || seen.has(keyOf(path, mutant.bytes))) continue;
      seen.add(keyOf(path, mutant.bytes));
      mutants.push({ path, ...mutant });
    }
  }
  return mutants;
}

function keyOf(path: string, bytes: Uint8Array): string {
  return `${path}\n${createHash("sha256").update(bytes).digest("base64")}`;
}
