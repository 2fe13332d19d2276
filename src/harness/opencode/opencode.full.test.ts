import { cliConformance } from "../../../test/support/cli-conformance.ts";
import { cliWires } from "../../../test/support/cli-wires.ts";
import { fieldAt } from "../../contract/json-fields.ts";
import { opencodeProgram } from "./opencode-program.ts";

cliConformance({
  program: opencodeProgram,
  effortIn: (body) => fieldAt(body, "output_config", "effort") ?? fieldAt(body, "thinking", "type"),
  efforts: { none: "disabled", high: "high", max: "max" },
  pictures: "kept",
  // The call that makes the session's title is not in its stream.
  counts: [],
  afterCut: "recovers",
  afterGarbage: "recovers",
  givesUpSoon: false,
});

cliWires(opencodeProgram);
