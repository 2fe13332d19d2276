import { proveTask } from "../../../test/support/prove-task.ts";

await proveTask(import.meta.dirname, ["pdftotext"]);
