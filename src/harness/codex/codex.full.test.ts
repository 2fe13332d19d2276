import { cliConformance } from "../../../test/support/cli-conformance.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import { codexProgram } from "./codex-program.ts";

cliConformance({
  program: codexProgram,
  effortIn: (body) => fieldAt(body, "reasoning", "effort"),
  efforts: { none: "none", minimal: "minimal", high: "high", max: "xhigh" },
  pictures: "kept",
  search: "web_search",
  counts: ["input", "cached", "cacheWrite", "output", "reasoning"],
  afterCut: "recovers",
  afterGarbage: "recovers",
});
