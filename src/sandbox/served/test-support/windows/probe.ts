import { readdir, readFile } from "node:fs/promises";
import type { CommandOptions, CommandResult } from "../../../command.ts";
import { describeEnd } from "../../../command.ts";
import { text, violated } from "../../../conformance/expectations.ts";
import type { Sandbox } from "../../../sandbox.ts";

/** The probe's place in every machine of the tests. */
export const probe = "/ale/bin/probe";

/** Runs an act of the probe. */
export function act(
  sandbox: Sandbox,
  words: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return sandbox.exec([probe, ...words], { timeoutMs: 60_000, ...options });
}

/** Standard output of an act that must succeed. */
export async function told(
  sandbox: Sandbox,
  words: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  return said(await act(sandbox, words, options), words.join(" "));
}

/** Standard output of a line of cmd's that must succeed, with the ends of lines that others have. */
export async function cmd(sandbox: Sandbox, line: string, options: CommandOptions = {}): Promise<string> {
  const result = await cmdResult(sandbox, line, options);
  return said(result, line).replaceAll("\r\n", "\n").trim();
}

/** How a line of cmd's ends. */
export function cmdResult(
  sandbox: Sandbox,
  line: string,
  options: CommandOptions = {},
): Promise<CommandResult> {
  return sandbox.exec(["cmd", "/d", "/c", ...line.split(" ")], { timeoutMs: 60_000, ...options });
}

function said(result: CommandResult, what: string): string {
  if (result.end.kind === "exited" && result.end.code === 0) return text(result.stdout);
  throw violated(`${what}: ${describeEnd(result.end)}: ${text(result.stderr).trim()}`);
}

/** Processes of any machine that have the word on their command line: those of Wine are this host's, too. */
export async function countOf(word: string): Promise<number> {
  let count = 0;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (line.includes("probe") && line.includes(word)) count++;
  }
  return count;
}

/** Whether the acts `sleep` of these words have begun, in the agent's home. */
export async function haveBegun(sandbox: Sandbox, words: readonly string[]): Promise<boolean> {
  const names = await sandbox.list("/home/agent");
  return words.every((word) => names.includes(word));
}

/** What the act `tree` of a word starts. */
export function treeOf(word: string): readonly string[] {
  return [1, 2, 3].map((number) => `${word}-${number}`);
}
