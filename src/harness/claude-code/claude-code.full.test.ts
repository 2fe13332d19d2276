import { cliConformance } from "../../../test/support/cli-conformance.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import { claudeCodeProgram } from "./claude-code-program.ts";

cliConformance({
  program: claudeCodeProgram,
  effortIn: (body) => fieldAt(body, "output_config", "effort"),
  efforts: { none: null, minimal: "low", xhigh: "xhigh", max: "max" },
  pictures: "kept",
  counts: ["calls", "input", "cached", "cacheWrite", "output", "reasoning"],
  afterCut: "recovers",
  afterGarbage: "recovers",
});
