import { cliConformance } from "../../../test/support/cli-conformance.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import { qwenCodeProgram } from "./qwen-code-program.ts";

cliConformance({
  program: qwenCodeProgram,
  effortIn: (body) => fieldAt(body, "reasoning_effort"),
  efforts: { none: "none", medium: "medium", max: "xhigh" },
  pictures: "counted",
  counts: ["calls", "input", "cached", "cacheWrite", "output"],
  afterCut: "recovers",
  afterGarbage: "gives up",
  givesUpSoon: false,
});
