// Builds the publishable package in dist/: JavaScript, declarations, tasks, schemas. `--into DIR` builds elsewhere; `--check` builds in a
// temporary folder, lints the package and compiles a consumer against its packed form.
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
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
    process.stdout.write("the package builds, passes its lint, and a consumer compiles against it\n");
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
