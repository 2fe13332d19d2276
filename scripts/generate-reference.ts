// Writes docs/reference/ from the command line's own tree and the committed schemas; `--check` only compares.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command, Option } from "commander";
import { createProgram } from "../src/cli/create-program.ts";
import { createSilentContext } from "../src/cli/silent-context.ts";
import { type ConformanceSkips, conformanceCases } from "../src/sandbox/conformance/run-conformance.ts";
import {
  bridgeSkips,
  containerSkips,
  podmanSkips,
  rootlessSkips,
} from "../src/sandbox/container/conformance-skips.ts";
import { unprivilegedSkips } from "../src/sandbox/local/test-support/unprivileged-skips.ts";
import { vmSkips } from "../src/sandbox/vm/conformance-skips.ts";
import { attachedSkips } from "../test/support/attached/attached-skips.ts";

const root = join(import.meta.dirname, "..");

/** What an option may be set to, where that is a list. */
function choices(option: Option): string {
  return option.argChoices === undefined
    ? ""
    : `; one of ${option.argChoices.map((one) => `\`${one}\``).join(", ")}`;
}

function commandSection(command: Command, path: string): string {
  const name = `${path} ${command.name()}`.trim();
  const usage = `${name} ${command.usage()}`.trim();
  const options = command.options
    .filter((option) => !option.hidden)
    .map(
      (option) =>
        `| \`${option.flags.replaceAll("|", "\\|")}\` | ${cell(`${option.description}${choices(option)}`)} |`,
    );
  const table = options.length === 0 ? "" : `\n| option | meaning |\n| --- | --- |\n${options.join("\n")}\n`;
  const own =
    path === "" ? "" : `## ${name}\n\n${command.description()}\n\n\`\`\`\n${usage}\n\`\`\`\n${table}\n`;
  return own + command.commands.map((child) => commandSection(child, name)).join("");
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  /** Told apart by a key that each has a constant for. */
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
}

function schemaRows(schema: Schema, path: string): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const name = path === "" ? key : `${path}.${key}`;
    const need =
      schema.required?.includes(key) === true && value.default === undefined ? "required" : standard(value);
    const row = `| \`${name}\` | ${cell(kindOf(value))} | ${need} | ${cell(value.description ?? "")} |`;
    const [one, inside] = value.items === undefined ? [value, name] : [value.items, `${name}[]`];
    return [row, ...(one.oneOf === undefined ? schemaRows(one, inside) : kindRows(one.oneOf, inside))];
  });
}

/** The keys of each kind, those that another has already had left out. */
function kindRows(kinds: readonly Schema[], path: string): readonly string[] {
  const rows = kinds.flatMap((kind) => {
    const name = Object.values(kind.properties ?? {}).find(
      (value) => value.const !== undefined && value.default === undefined,
    )?.const;
    return schemaRows(kind, path).map((row) => ({ row, name: String(name) }));
  });
  const shared = (row: string): boolean => rows.filter((other) => other.row === row).length === kinds.length;
  return [
    ...new Set(
      rows.map(({ row, name }) => (shared(row) ? row : row.replace(/^\| `([^`]*)`/, `| \`$1\` (${name})`))),
    ),
  ];
}

function standard(schema: Schema): string {
  return schema.default === undefined ? "optional" : `\`${JSON.stringify(schema.default)}\``;
}

function kindOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(kindOf).join(" or ");
  if (schema.items !== undefined) return `list of ${kindOf(schema.items)}`;
  if (schema.oneOf !== undefined) return "maps of keys";
  return String(schema.type ?? "any");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

async function schemaPage(name: string, title: string): Promise<string> {
  const schema = JSON.parse(await readFile(join(root, "schemas", `${name}.schema.json`), "utf8")) as Schema;
  return `# ${title}\n\nMade from \`schemas/${name}.schema.json\`. An unknown key is an error.\n\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n${schemaRows(schema, "").join("\n")}\n`;
}

/** What each kind of machine cannot be held to, of the behaviours asked of all. */
const differences: Readonly<Record<string, ConformanceSkips>> = {
  "local, without privilege": unprivilegedSkips,
  "container, Docker": { ...containerSkips, ...bridgeSkips },
  "container, Podman": { ...containerSkips, ...podmanSkips },
  "container, rootless": { ...containerSkips, ...bridgeSkips, ...rootlessSkips },
  vm: vmSkips,
  attached: attachedSkips,
};

function providersPage(): string {
  const kinds = Object.keys(differences);
  const rows = conformanceCases
    .filter(({ name }) => kinds.some((kind) => differences[kind]?.[name] !== undefined))
    .map(
      ({ name }) =>
        `| ${cell(name)} | ${kinds.map((kind) => cell(differences[kind]?.[name] ?? "yes")).join(" | ")} |`,
    );
  const text = [
    "# How providers differ",
    `Made from the conformance suite. All providers are asked for the same ${conformanceCases.length} behaviours; \`local\`, as root, has every one. Those below are not had by all: \`yes\`, or why not.`,
    [`| behaviour | ${kinds.join(" | ")} |`, `| --- |${" --- |".repeat(kinds.length)}`, ...rows].join("\n"),
  ];
  return `${text.join("\n\n")}\n`;
}

const program = createProgram(createSilentContext());
const pages: Readonly<Record<string, string>> = {
  "command-line.md": `# Command line\n\nMade from the program itself. Every command also has \`--help\`.\n\n${commandSection(program, "").trimEnd()}\n`,
  "task-yaml.md": await schemaPage("task", "task.yaml"),
  "providers.md": providersPage(),
  "machines-yaml.md": await schemaPage("machines", "machines.yaml"),
  "exam-yaml.md": await schemaPage("exam", "exam.yaml"),
};

const folder = join(root, "docs", "reference");
const stale: string[] = [];
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(pages)) {
  const path = join(folder, name);
  const current = await readFile(path, "utf8").catch(() => "");
  if (current === text) continue;
  if (process.argv.includes("--check")) stale.push(name);
  else await writeFile(path, text);
}
if (stale.length > 0) {
  process.stderr.write(
    `docs/reference is stale: ${stale.join(", ")}\n  run: node scripts/generate-reference.ts\n`,
  );
  process.exitCode = 1;
}
