import { cliConformance } from "../../../test/support/cli-conformance.ts";
import { cliWires } from "../../../test/support/cli-wires.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import { copilotProgram } from "./copilot-program.ts";

cliConformance({
  program: copilotProgram,
  effortIn: (body) => fieldAt(body, "reasoning", "effort"),
  efforts: { none: "none", high: "high", max: "xhigh" },
  pictures: "kept",
  counts: "untold",
  afterCut: "recovers",
  afterGarbage: "recovers",
});

cliWires(copilotProgram);
