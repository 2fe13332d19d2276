import { doesATask } from "../../../test/support/does-a-task.ts";
import { piProgram } from "./pi-program.ts";

doesATask("pi", piProgram, "bash");
