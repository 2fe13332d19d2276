import { fieldAt, listAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import type { ScriptTool, ScriptToolCall } from "./script.ts";

const shellNames =
  /^(?:.*__)?(bash|shell|shell_command|exec_command|run_shell_command|execute_command|run_commands|execute|container\.exec|local_shell|run|exec)$/i;
const commandKeys = ["command", "cmd", "commands", "script", "argv"];

/** Asked of a shell tool that takes a limit: a script's commands are to come to their end. */
const patienceMs = 600_000;

/** A call of the harness's own shell tool with this command line, or `undefined` when it offers none. */
export function pickShellTool(tools: readonly ScriptTool[], command: string): ScriptToolCall | undefined {
  const tool = tools.find(({ name }) => shellNames.test(name));
  if (tool === undefined) return undefined;
  const key = commandKeys.find((name) => fieldAt(tool.schema, "properties", name) !== undefined) ?? "command";
  const isList = textAt(tool.schema, "properties", key, "type") === "array";
  const list = key === "commands" ? [command] : ["bash", "-lc", command];
  const given: { [name: string]: JsonValue } = { [key]: isList ? list : command };
  for (const name of listAt(tool.schema, "required")) {
    if (typeof name === "string" && given[name] === undefined) {
      given[name] = fillIn(fieldAt(tool.schema, "properties", name));
    }
  }
  const limit = fieldAt(tool.schema, "properties", "timeout");
  if (limit !== undefined && /milliseconds|\bms\b/i.test(textAt(limit, "description") ?? "")) {
    given["timeout"] = patienceMs;
  }
  if (fieldAt(tool.schema, "properties", "timeout_seconds") !== undefined) {
    given["timeout_seconds"] = patienceMs / 1000;
  }
  const { name, namespace } = tool;
  return { name, ...(namespace === undefined ? {} : { namespace }), arguments: given };
}

/** The plainest value that a required argument's schema allows. */
function fillIn(schema: JsonValue | undefined): JsonValue {
  const [choice] = listAt(schema, "enum");
  if (choice !== undefined) return choice;
  switch (textAt(schema, "type")) {
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 10_000;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "as the script says";
  }
}
