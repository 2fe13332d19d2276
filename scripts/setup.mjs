// Makes a checkout ready: npm packages, then the Debian packages that sandboxes and tasks need.
// Plain JavaScript for any Node from 20 on: it runs before the pinned Node is there.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
  const isReady = () => existsSync(stamp) && readFileSync(stamp, "utf8") === wanted && existsSync(pinnedNode);
  if (isReady()) return;
  alone(join(root, ".ale-setup"), () => {
    if (!isReady()) installNpm(wanted);
  });
}

function installNpm(wanted) {
  note("installing npm packages (once)");
  // Our standard output belongs to what is run next, perhaps with --json.
  const result = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: ["ignore", 2, 2],
    cwd: root,
  });
  if (result.error) fail(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0)
    fail("the npm packages could not be installed: mend what npm says above, and run again");
  if (!existsSync(pinnedNode)) {
    fail(
      "npm installed no Node at node_modules/node; allow the install script of the package `node` and run again",
    );
  }
  writeFileSync(stamp, wanted);
}

/**
 * Does the work while no other process of this machine does it: two installations into one folder ruin both. The lock
 * is a link that leads to its holder's process number, so it is whole as soon as it is there; a dead holder's is passed.
 */
export function alone(lock, work) {
  for (let said = false; ; ) {
    try {
      symlinkSync(String(process.pid), lock);
      break;
    } catch (error) {
      if (error.code !== "EEXIST") fail(`${lock} could not be made: ${error.message}`);
    }
    const holder = holderOf(lock);
    if (holder === undefined) continue;
    if (!isRunning(holder)) {
      rmSync(lock, { force: true });
      continue;
    }
    if (!said) note(`process ${holder} is setting this checkout up; waiting for it (its lock: ${lock})`);
    said = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  const release = () => rmSync(lock, { force: true });
  process.once("exit", release);
  try {
    work();
  } finally {
    process.removeListener("exit", release);
    release();
  }
}

/** `undefined`: released meanwhile. */
function holderOf(lock) {
  try {
    return Number(readlinkSync(lock));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
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
  // A program's package without windows is there too where the whole program is.
  const whole = (name) => name.replace(/-nogui$/, "");
  const query = spawnSync(
    "dpkg-query",
    ["--show", "--showformat", "${Package} ${db:Status-Status}\\n", ...names, ...names.map(whole)],
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
  return names.filter((name) => !installed.has(name) && !installed.has(whole(name)));
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
