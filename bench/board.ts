import { createRandom } from "../src/contract/random.ts";
import { rankScores } from "../src/stats/rank-scores.ts";
import { addScore, createScoreTable, type ScoreTable } from "../src/stats/score-table.ts";
import type { Bench } from "./main.ts";

const tasks = 5000;
const contestants = 40;
const repeats = 5;
const resamples = 10_000;
const goal = { seconds: 2, megabytes: 1024 };

/** Synthetic trials: contestants of rising ability, tasks of every difficulty, scores in [0, 1] or passes. */
function load(lane: "mean" | "full-pass"): ScoreTable {
  const random = createRandom(20261129);
  const table = createScoreTable(
    contestants,
    Array.from({ length: tasks }, (_, task) => `synthetic/w${String(task).padStart(4, "0")}`),
  );
  for (let task = 0; task < tasks; task++) {
    const difficulty = random.normal(0.8, 1.5);
    for (let contestant = 0; contestant < contestants; contestant++) {
      const chance = 1 / (1 + Math.exp(difficulty - contestant / 40));
      for (let repeat = 0; repeat < repeats; repeat++) {
        const passed = random.next() < chance;
        addScore(table, contestant, task, passed ? 1 : lane === "mean" ? random.next() * chance : 0);
      }
    }
  }
  return table;
}

/**
 * A full board over 1,000,000 synthetic trials: estimates, t and bootstrap intervals, all pairs, tie bands. Wall time is
 * what a user waits for; processor time tells a busy machine from slow code. Exit status 1 beyond the goal.
 */
export const bench: Bench = async () => (["full-pass", "mean"] as const).flatMap(measure);

function measure(lane: "mean" | "full-pass"): readonly string[] {
  const table = load(lane);
  const [started, used] = [performance.now(), process.cpuUsage()];
  const rows = rankScores(table, {
    estimand: "workflow",
    level: 0.95,
    range: [0, 1],
    bootstrap: { random: createRandom(1), resamples },
  });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(used);
  const processor = (user + system) / 1e6;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const bands = new Set(rows.map(({ place }) => (place.known ? place.value.band : 0))).size;
  const intervals = rows.filter(({ bootstrap }) => bootstrap.known).length;
  if (seconds > goal.seconds || megabytes > goal.megabytes) process.exitCode = 1;
  return [
    `${lane}: ${tasks * contestants * repeats} trials, ${contestants} rows in ${bands} bands, ${intervals} bootstrap intervals of ${resamples} resamples`,
    `  ${seconds.toFixed(2)} s (goal ${goal.seconds} s), processor ${processor.toFixed(2)} s, ${megabytes.toFixed(0)} MB at most (goal ${goal.megabytes} MB)`,
  ];
}
