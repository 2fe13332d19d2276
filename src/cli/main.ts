import { createProcessContext } from "./process-context.ts";
import { runCommandLine } from "./run-command-line.ts";

const context = createProcessContext(process);
await runCommandLine(process.argv.slice(2), context);
