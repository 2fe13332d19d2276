// Makes a checkout ready: npm packages, then the Debian packages that sandboxes and tasks need.
// Plain JavaScript for any Node from 20 on: it runs before the pinned Node is there.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const pinnedNode = join(root, "node_modules", "node", "bin", "node");
const stamp = join(root, "node_modules", ".ale-lock");

/** Runs a command with our streams; ends this process with the command's status when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: "inherit", cwd: root, ...options });
  if (result.error) fail(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Installs the locked npm packages when they are absent or of another lock. */
export function ensureNpm() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted && existsSync(pinnedNode)) return;
  note("installing npm packages (once)");
  // Our standard output belongs to what is run next, perhaps with --json.
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { stdio: ["ignore", 2, 2] });
  if (!existsSync(pinnedNode)) {
    fail(
      "npm installed no Node at node_modules/node; allow the install script of the package `node` and run again",
    );
  }
  writeFileSync(stamp, wanted);
}

/** Installs missing Debian packages where this user may; else says what is missing and how to get it. */
export function ensureDebian(group) {
  const list = spawnSync(pinnedNode, [join(root, "scripts", "host-packages.ts"), group], {
    cwd: root,
    encoding: "utf8",
  });
  if (list.status !== 0) fail(`the list of Debian packages could not be made:\n${list.stderr}`);
  const missing = missingPackages(list.stdout.split("\n").filter(Boolean));
  if (missing.length === 0) return;
  const install = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", ...missing];
  const become = administrator();
  if (become === undefined) {
    fail(`missing Debian packages: ${missing.join(" ")}\n  install them with: sudo ${install.join(" ")}`);
  }
  note(`installing Debian packages (once): ${missing.join(" ")}`);
  const quiet = {
    stdio: ["ignore", "ignore", 2],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  run(...split([...become, "apt-get", "update", "--quiet"]), quiet);
  run(...split([...become, "env", "DEBIAN_FRONTEND=noninteractive", ...install]), quiet);
  const still = missingPackages(missing);
  if (still.length > 0) fail(`these Debian packages are still missing: ${still.join(" ")}`);
}

function missingPackages(names) {
  const query = spawnSync(
    "dpkg-query",
    ["--show", "--showformat", "${Package} ${db:Status-Status}\\n", ...names],
    {
      encoding: "utf8",
    },
  );
  if (query.error) {
    note("this is no Debian system: packages are not checked here; `npx ale doctor` tells what is missing");
    return [];
  }
  const installed = new Set(
    query.stdout
      .split("\n")
      .filter((line) => line.endsWith(" installed"))
      .map((line) => line.split(" ")[0]),
  );
  return names.filter((name) => !installed.has(name));
}

function administrator() {
  if (process.getuid?.() === 0) return [];
  const sudo = spawnSync("sudo", ["--non-interactive", "true"], { stdio: "ignore" });
  return sudo.status === 0 ? ["sudo", "--non-interactive"] : undefined;
}

function split(argv) {
  return [argv[0], argv.slice(1)];
}

function note(message) {
  process.stderr.write(`ale: ${message}\n`);
}

function fail(message) {
  process.stderr.write(`ale: ${message}\n`);
  process.exit(1);
}
