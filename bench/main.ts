// Runs one benchmark: node bench/main.ts <name> [options]. Without a name, lists what there is.
import { readdir } from "node:fs/promises";

/** Measures and reports, one line after the other. What it may take is in its own lines. */
export type Bench = (args: readonly string[]) => Promise<readonly string[]>;

const files = await readdir(import.meta.dirname);
const names = files
  .filter((file) => file.endsWith(".ts") && !file.endsWith("-worker.ts") && file !== "main.ts")
  .map((file) => file.slice(0, -3))
  .sort();
const [name = "", ...rest] = process.argv.slice(2);
if (names.includes(name)) {
  const { bench } = (await import(`./${name}.ts`)) as { readonly bench: Bench };
  process.stdout.write(`${(await bench(rest)).join("\n")}\n`);
} else {
  process.stderr.write(`usage: node bench/main.ts <name> [options], where name is ${names.join(" or ")}\n`);
  process.exitCode = 2;
}
