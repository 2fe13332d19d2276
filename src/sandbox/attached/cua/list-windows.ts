import { readFile } from "node:fs/promises";
import { AleError } from "../../../contract/ale-error.ts";
import { numberAt, textAt } from "../../../contract/json-fields.ts";
import type { CuaClient } from "./cua-client.ts";

/**
 * The numbers of the windows of the server's display, the topmost last. The server itself lists windows only by a part of
 * their title, and none for an empty one.
 */
export async function listWindows(client: CuaClient): Promise<readonly number[]> {
  const script = await readFile(
    new URL("../../../../data/machine/list-windows.py", import.meta.url),
    "base64",
  );
  const told = await client.command("run_command", { command: `echo ${script} | base64 -d | python3 -` });
  const lines = (textAt(told, "stdout") ?? "").split("\n").filter((line) => line !== "");
  if (numberAt(told, "return_code") === 0) return lines.map(Number);
  throw new AleError({
    code: "screen-windows",
    message: `The machine ${client.name} does not list its windows: ${(textAt(told, "stderr") ?? "").trim()}.`,
    remedy: "Its display must be one of X, with libX11 and python3 on the machine.",
    fields: { machine: client.name },
  });
}
