import type { TextSink } from "../cli-context.ts";

/** Writes one JSON document, indented, with a newline at the end. */
export function printJson(value: unknown, sink: TextSink): void {
  sink.write(`${JSON.stringify(value, null, 2)}\n`);
}
