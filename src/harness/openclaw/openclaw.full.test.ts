import { doesATask } from "../../../test/support/does-a-task.ts";
import { openclawProgram } from "./openclaw-program.ts";

doesATask("OpenClaw", openclawProgram, "exec");
