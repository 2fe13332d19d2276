import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../../contract/finding.ts";
import { listFiles } from "../package-files.ts";
import { readDelimited, separatorOf } from "../read-delimited.ts";
import type { TaskInstance, TaskPackage } from "../task-package.ts";

const mostRead = 8 * 1024 * 1024;

/**
 * Is all that the grader can ask for by name said where the agent can read it? Warns of each column and each
 * JSON key of the oracle's outputs that stands neither in the instruction nor in a text file of the input.
 */
export async function lintStatedNames(
  task: TaskPackage,
  instance: TaskInstance,
  input: string,
  oracleArtifacts: string,
): Promise<readonly Finding[]> {
  const { files } = await listFiles(input);
  const texts = [await task.instruction(instance), ...files.map((file) => file.path)];
  for (const { path, bytes } of files) {
    if (bytes <= mostRead) texts.push(await readFile(join(input, path), "utf8"));
  }
  const said = texts.join("\n").toLowerCase();

  const findings: Finding[] = [];
  for (const { path, bytes } of (await listFiles(oracleArtifacts)).files) {
    if (bytes > mostRead) continue;
    const names = namesIn(path, await readFile(join(oracleArtifacts, path), "utf8"));
    const unsaid = names.filter((name) => !said.includes(name.toLowerCase()));
    if (unsaid.length === 0) continue;
    findings.push({
      severity: "warning",
      code: "name-not-stated",
      message: `the oracle's ${path} uses names the agent is told nowhere: ${unsaid.slice(0, 8).join(", ")}`,
      remedy: "state them in instruction.md or in a file of the input",
    });
  }
  return findings;
}

function namesIn(path: string, text: string): readonly string[] {
  if (/\.json$/i.test(path)) return [...new Set(keysOf(parseJson(text), 4))];
  if (/\.(csv|tsv)$/i.test(path)) {
    const [header = []] = readDelimited(text, separatorOf(path, text)) ?? [];
    return header.filter((name) => name.trim() !== "");
  }
  return [];
}

function keysOf(value: unknown, depth: number): readonly string[] {
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => keysOf(item, depth - 1));
  return Object.entries(value).flatMap(([key, item]) => [key, ...keysOf(item, depth - 1)]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
