import { cliConformance } from "../../../test/support/cli-conformance.ts";
import { cliWires } from "../../../test/support/cli-wires.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import { openclawProgram } from "./openclaw-program.ts";

cliConformance({
  program: openclawProgram,
  effortIn: (body) => fieldAt(body, "output_config", "effort") ?? fieldAt(body, "thinking", "type"),
  efforts: { none: "disabled", high: "high", max: "max" },
  pictures: "kept",
  counts: ["calls", "input", "cached", "cacheWrite", "output", "reasoning"],
  afterCut: "recovers",
  afterGarbage: "recovers",
});

cliWires(openclawProgram);
