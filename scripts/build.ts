// Builds the publishable package in dist/: JavaScript, declarations, tasks, schemas. `--into DIR` builds elsewhere; `--check` builds in a
// temporary folder, lints the package, compiles a consumer against its packed form and runs its program as installed there.
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buildWeb } from "./build-web.ts";

const root = join(import.meta.dirname, "..");
const copied = [
  "bin",
  "data",
  "images",
  "schemas",
  "exams",
  "tasks",
  "README.md",
  "README.zh-CN.md",
  "CHANGELOG.md",
  "LICENSE",
];

interface PackageFile {
  [key: string]: unknown;
  readonly exports: Readonly<Record<string, string>>;
}

function run(command: string, args: readonly string[], cwd: string): void {
  const result = spawnSync(command, args, { cwd, stdio: ["ignore", 2, 2] });
  if (result.status !== 0) {
    process.stderr.write(`build: failed: ${[command, ...args].join(" ")}\n`);
    process.exit(1);
  }
}

function tool(name: string): string {
  return join(root, "node_modules", ".bin", name);
}

async function build(into: string): Promise<void> {
  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  run(tool("tsc"), ["-p", "tsconfig.build.json", "--outDir", into], root);
  await buildWeb(join(into, "web"));
  for (const name of copied) {
    await cp(join(root, name), join(into, name), {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    });
  }
  await writeFile(join(into, "package.json"), `${JSON.stringify(await publishedManifest(), null, 2)}\n`);
}

/** The source manifest with paths to the built files, without what only a checkout needs. */
async function publishedManifest(): Promise<Record<string, unknown>> {
  const source = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as PackageFile;
  const {
    private: _private,
    devDependencies: _dev,
    scripts: _scripts,
    allowScripts: _allow,
    ...kept
  } = source;
  const entries = Object.entries(source.exports).map(([name, path]) => {
    if (!path.endsWith(".ts")) return [name, path] as const;
    const built = path.replace(/\.ts$/, "");
    return [name, { types: `${built}.d.ts`, default: `${built}.js` }] as const;
  });
  return { ...kept, engines: { node: ">=24" }, exports: Object.fromEntries(entries) };
}

const consumer = `import { AleError, type TaskManifest, type Verdict } from "ale";
import { defineTask } from "ale/task";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";

const task = defineTask({ grade: (): Verdict => weightedRubric([]) });
const manifest: TaskManifest["schema"] = "ale/task@1";
export const kept: readonly unknown[] = [task, manifest, AleError];
`;

/** Runs the program as it is installed in another project, where it finds the packages it names, and no others. */
async function tryInstalled(project: string): Promise<void> {
  const modules = join(project, "node_modules");
  const manifest = await publishedManifest();
  const named = manifest["dependencies"] as Readonly<Record<string, string>>;
  for (const name of Object.keys(named)) {
    await rm(join(modules, name), { recursive: true, force: true });
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(modules, name));
  }
  const program = join(modules, "ale", "bin", "ale.mjs");
  for (const args of [
    ["--version"],
    ["tasks", "ls"],
    ["models", "ls"],
    ["tasks", "new", "trade/stock_take"],
  ]) {
    run(process.execPath, [program, ...args], project);
  }
  run(process.execPath, [join("tasks", "trade", "stock_take", "main.ts"), "solve"], project);
  const missing = spawnSync(process.execPath, [program, "run", "nothing.yaml"], {
    cwd: project,
    encoding: "utf8",
  });
  const [path = ""] = /\S+demonstration\.yaml/.exec(missing.stderr) ?? [];
  await readFile(resolve(project, path), "utf8").catch(() => {
    process.stderr.write(`build: failed: the exam that ale names is not in the package: ${missing.stderr}\n`);
    process.exit(1);
  });
}

async function check(): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), "ale-build-"));
  try {
    const built = join(temporary, "ale");
    await build(built);
    run(tool("publint"), ["--strict", built], root);
    const project = join(temporary, "consumer");
    await mkdir(join(project, "node_modules"), { recursive: true });
    run("npm", ["pack", "--silent", "--pack-destination", temporary, built], temporary);
    run(
      "tar",
      ["xzf", join(temporary, `ale-${(await publishedManifest())["version"]}.tgz`), "-C", temporary],
      temporary,
    );
    await cp(join(temporary, "package"), join(project, "node_modules", "ale"), { recursive: true });
    for (const name of ["zod", "@types/node", "undici-types"]) {
      await cp(join(root, "node_modules", name), join(project, "node_modules", name), { recursive: true });
    }
    await writeFile(join(project, "consumer.ts"), consumer);
    await writeFile(join(project, "package.json"), `{ "type": "module" }\n`);
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "esnext", "--types", "node"];
    run(tool("tsc"), [...flags, "consumer.ts"], project);
    await tryInstalled(project);
    process.stdout.write(
      "the package builds, passes its lint, a consumer compiles against it, and its program and a new task of it run\n",
    );
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

if (process.argv.includes("--check")) {
  await check();
} else {
  const at = process.argv.indexOf("--into");
  const into = at < 0 ? join(root, "dist") : resolve(process.argv[at + 1] ?? "dist");
  await build(into);
  process.stdout.write(`built ${into}; publish with: npm publish ${into}\n`);
}
