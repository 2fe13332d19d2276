import { defineTask } from "ale/task";
import { generate } from "./generate/generate.ts";
import { grade } from "./grade/grade.ts";
import type { Params } from "./params.ts";
import { probes } from "./probes.ts";
import { solve } from "./solve/solve.ts";

export default defineTask<Params>({ generate, grade, solve, probes });
