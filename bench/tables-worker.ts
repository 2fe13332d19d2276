// One round of `bench -- tables`, in a process of its own: prints seconds and peak megabytes.
import { createReadStream } from "node:fs";
import { compareTables } from "../src/grade/table/compare-tables.ts";

const [mode, expected = "", actual = "", scratch = ""] = process.argv.slice(2);
const start = performance.now();
if (mode === "floor") {
  for (const path of [expected, actual]) {
    for await (const _piece of createReadStream(path, { encoding: "utf8", highWaterMark: 256 * 1024 }));
  }
} else {
  const comparison = await compareTables({
    expected,
    actual,
    key: ["id"],
    columns: { amount: { kind: "number", absolute: 0.01 } },
    scratch,
  });
  if (comparison.kind === "bad" || comparison.missingRows + comparison.extraRows > 0) process.exitCode = 1;
}
const seconds = (performance.now() - start) / 1000;
console.log(`${seconds} ${process.resourceUsage().maxRSS / 1024}`);
