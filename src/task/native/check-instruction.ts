import type { Finding } from "../../contract/finding.ts";
import type { TaskManifest } from "../../contract/task-manifest.ts";
import { nearest } from "../../yaml/nearest.ts";
import type { YamlPlaces } from "../../yaml/yaml-places.ts";
import { fillInstruction, findPlaceholders } from "./instruction-template.ts";

interface InstructionText {
  readonly path: string;
  readonly text: string;
  /** Of the manifest, for faults that stand there. */
  readonly places: YamlPlaces;
}

/**
 * Does the instruction fit the manifest? Errors: a placeholder that some instance does not fill, an empty text.
 * Warnings: a parameter that neither the instruction nor the program names, an output that is named nowhere.
 * @param source text of the task's modules; absent for a sealed package.
 */
export function checkInstruction(
  manifest: TaskManifest,
  instruction: InstructionText,
  source: string | undefined,
): readonly Finding[] {
  const { path, text, places } = instruction;
  const findings: Finding[] = [];
  if (text.trim() === "") {
    findings.push({
      severity: "error",
      code: "empty-instruction",
      message: "the instruction is empty",
      path,
    });
  }

  const placeholders = findPlaceholders(text);
  for (const { name, line, column } of placeholders) {
    const without = manifest.instances.find(({ params }) => !Object.hasOwn(params, name));
    if (without === undefined) continue;
    const meant = nearest(name, Object.keys(without.params));
    findings.push({
      severity: "error",
      code: "unknown-placeholder",
      message: `{{${name}}} has no value in instance ${without.variant}`,
      remedy: meant === undefined ? `add ${name} to its params` : `did you mean {{${meant}}}?`,
      path,
      line,
      column,
    });
  }

  const seen = new Set<string>();
  for (const [index, { params }] of manifest.instances.entries()) {
    for (const name of Object.keys(params)) {
      const inText = placeholders.some((item) => item.name === name);
      const used = inText || source === undefined || namesWord(source, name);
      if (used || seen.has(name)) continue;
      seen.add(name);
      findings.push({
        severity: "warning",
        code: "unused-param",
        message: `the parameter ${name} is used neither in instruction.md nor in the task's program`,
        remedy: "use it or remove it",
        ...places.findKey(["instances", index, "params"], name),
      });
    }
  }

  for (const [index, output] of manifest.outputs.entries()) {
    const name = output.path.replace(/\/$/, "");
    const named = manifest.instances.every(({ params }) => fillInstruction(text, params).includes(name));
    if (named) continue;
    findings.push({
      severity: "warning",
      code: "output-not-mentioned",
      message: `the instruction never names the output ${output.path}: an agent cannot know of it`,
      remedy: `say in instruction.md what to write to output/${output.path}`,
      ...places.find(["outputs", index, "path"]),
    });
  }
  return findings;
}

function namesWord(source: string, name: string): boolean {
  return new RegExp(`(?<![A-Za-z0-9_$])${name.replaceAll(/[^A-Za-z0-9_]/g, "\\$&")}(?![A-Za-z0-9_$])`).test(
    source,
  );
}
