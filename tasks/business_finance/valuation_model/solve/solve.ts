import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SolveContext } from "ale/task";
import type { Params } from "../params.ts";
import { planWorkbook } from "./plan-workbook.ts";
import { readInputs } from "./read-inputs.ts";

/** The oracle: types every number and formula into LibreOffice Calc through its own scripting interface (UNO). */
export function solve({ input, output, scratch, params }: SolveContext<Params>): void {
  const plan = join(scratch, "plan.json");
  writeFileSync(plan, JSON.stringify(planWorkbook(readInputs(input, params), params)));
  const profile = join(scratch, "profile");
  mkdirSync(profile);
  const program = join(import.meta.dirname, "drive-calc.py");
  const child = spawnSync("/usr/bin/python3", [program, plan, join(output, "valuation.xlsx"), profile], {
    encoding: "utf8",
    timeout: 240_000,
  });
  if (child.error !== undefined) throw child.error;
  if (child.status !== 0) throw new Error(`drive-calc.py: ${child.stderr.trim().slice(-800)}`);
}
