import { cliConformance } from "../../../test/support/cli-conformance.ts";
import { cliWires } from "../../../test/support/cli-wires.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import { clineProgram } from "./cline-program.ts";

cliConformance({
  program: clineProgram,
  effortIn: (body) => fieldAt(body, "output_config", "effort") ?? fieldAt(body, "thinking", "type"),
  efforts: { none: "disabled", high: "high", max: "max" },
  pictures: "kept",
  search: "web_search",
  counts: ["calls", "input", "cached", "cacheWrite", "output"],
  afterCut: "either",
  afterGarbage: "gives up",
});

cliWires(clineProgram);
