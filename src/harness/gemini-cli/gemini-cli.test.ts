import { doesATask } from "../../../test/support/does-a-task.ts";
import { geminiCliProgram } from "./gemini-cli-program.ts";

doesATask("Gemini CLI", geminiCliProgram, "run_shell_command");
