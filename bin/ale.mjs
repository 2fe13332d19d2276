#!/usr/bin/env node
// Starts the command line on a Node that can run it: this one when it is new enough, else the pinned one.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, "src", "cli", "main.ts");
const isCheckout = existsSync(sources);
const isNewEnough = Number(process.versions.node.split(".")[0]) >= 24;

if (!isCheckout && !isNewEnough) {
  process.stderr.write(`ale: needs Node 24 or newer, this is ${process.version}\n`);
  process.exit(2);
}
if (isCheckout && /[\\/]node_modules[\\/]/.test(root)) {
  process.stderr.write(
    "ale: the sources were installed, which Node does not run below node_modules; in the checkout, build and pack the package, then install that:\n" +
      "     npx node scripts/build.ts && npm pack ./dist\n",
  );
  process.exit(2);
}
const setup = isCheckout ? await import(pathToFileURL(join(root, "scripts", "setup.mjs")).href) : undefined;
setup?.ensureNpm();

if (isNewEnough) {
  await import(pathToFileURL(isCheckout ? sources : join(root, "src", "cli", "main.js")).href);
} else {
  delegate(setup.pinnedNode);
}

/** Runs the command line as a child that shares our terminal and does not outlive us. */
function delegate(node) {
  const child = spawn(node, [sources, ...process.argv.slice(2)], {
    // The channel closes when this process dies, however it dies; the child watches it.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, ALE_LAUNCHER: String(process.pid) },
  });
  // A terminal sends Ctrl-C to the child as well; only signals sent to us alone are passed on.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
