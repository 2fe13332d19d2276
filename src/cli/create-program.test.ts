import type { Command } from "commander";
import { expect, test } from "vitest";
import type { CliContext } from "./cli-context.ts";
import { createProgram } from "./create-program.ts";
import { runCommandLine } from "./run-command-line.ts";
import { createSilentContext } from "./silent-context.ts";

function commandPaths(command: Command, path: readonly string[] = []): (readonly string[])[] {
  return [path, ...command.commands.flatMap((child) => commandPaths(child, [...path, child.name()]))];
}

test.each(
  commandPaths(createProgram(createSilentContext())).map((path) => [["ale", ...path].join(" "), path]),
)("the help of %s ends with an example", async (_, path) => {
  let said = "";
  const silent = createSilentContext();
  const context: CliContext = { ...silent, out: { ...silent.out, write: (text: string) => (said += text) } };
  await runCommandLine([...path, "--help"], context);
  expect(said.slice(said.lastIndexOf("\n\n"))).toMatch(/^\n\nExamples?:/);
});
