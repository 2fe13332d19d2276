// `npm test`: set up this checkout, then everything a contributor must pass.
// `npm run test:full` (`--full`): the heavy real parts, in files named *.full.test.ts.
// `npm run test:nightly` (`--nightly`): what is too long for every landing, in files named *.nightly.test.ts.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureDebian, ensureNpm, pinnedNode, root } from "./setup.mjs";

const nightly = process.argv.includes("--nightly");
const full = nightly || process.argv.includes("--full");
ensureNpm();
ensureDebian(nightly ? "nightly" : full ? "full" : "test");

const binaries = join(root, "node_modules", ".bin");
const scratch = mkdtempSync(join(tmpdir(), "ale-test-"));
const report = join(scratch, "vitest.json");
const tool = (name, ...args) => [join(binaries, name), ...args];
const vitest = tool("vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`);
const quick = [
  ["types", tool("tsc", "-p", ".")],
  ["types of tasks", tool("tsc", "-p", "tasks")],
  ["types of the web client", tool("tsc", "-p", "src/web")],
  ["lint", tool("biome", "check", "--error-on-warnings", ".")],
  ["unused files and packages", tool("knip", "--no-progress")],
  ["generated schemas", [join(root, "scripts", "generate-schemas.ts"), "--check"]],
  ["generated reference", [join(root, "scripts", "generate-reference.ts"), "--check"]],
  ["published package", [join(root, "scripts", "build.ts"), "--check"]],
];
const steps = full ? [] : quick;

let passed = 0;
/** One text for each, told again at the end: what fails early is far up by then. */
const failures = [];
for (const [title, argv] of steps) {
  if (runStep(title, argv)) passed++;
  else failures.push(`failed: ${title}\n`);
}
const testsRan = runStep("tests", vitest);
const counts = readReport();
passed += counts.passed;
failures.push(...counts.failures);
// A runner that died without a report, or failed outside any test, is a failure too.
if (!testsRan && counts.failures.length === 0)
  failures.push("failed: the test runner, outside of any test\n");
rmSync(scratch, { recursive: true, force: true });

process.stdout.write(`\n${failures.join("")}${passed} passed, ${failures.length} failed\n`);
process.exit(failures.length === 0 && passed > 0 ? 0 : 1);

function runStep(title, argv) {
  process.stdout.write(`\n== ${title}\n`);
  const env = {
    ...process.env,
    ALE_TEST_FULL: nightly ? "nightly" : full ? "1" : "",
    PATH: `${binaries}${delimiter}${process.env.PATH}`,
  };
  const result = spawnSync(pinnedNode, argv, { stdio: "inherit", cwd: root, env });
  return result.status === 0;
}

function readReport() {
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    const failures = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map((test) => tell(`${relative(root, name)} > ${test.fullName}`, test.failureMessages)),
    );
    return { passed: numPassedTests, failures };
  } catch {
    return { passed: 0, failures: [] };
  }
}

/** The test's name, and the first lines of what it said. */
function tell(title, messages) {
  const lines = stripVTControlCharacters(messages.join("\n")).split("\n").slice(0, 12);
  return `failed: ${title}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
