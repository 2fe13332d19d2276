import { defineTask } from "ale/task";
import { collect } from "./collect.ts";
import { generate } from "./generate/generate.ts";
import { grade } from "./grade/grade.ts";
import type { Params } from "./params.ts";
import { probes } from "./probes.ts";
import { setup } from "./setup.ts";
import { solve } from "./solve/solve.ts";

export default defineTask<Params>({ generate, setup, collect, grade, solve, probes });
