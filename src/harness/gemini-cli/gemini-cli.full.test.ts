import { cliConformance } from "../../../test/support/cli-conformance.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import { geminiCliProgram } from "./gemini-cli-program.ts";

cliConformance({
  program: geminiCliProgram,
  effortIn: (body) => fieldAt(body, "generationConfig", "thinkingConfig", "thinkingLevel"),
  efforts: { none: "MINIMAL", medium: "MEDIUM", max: "HIGH" },
  pictures: "counted",
  search: "google_web_search",
  counts: ["calls", "input", "cached", "cacheWrite", "output", "reasoning"],
  afterCut: "gives up",
  afterGarbage: "gives up",
});
