import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { create as createTar } from "tar";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSystemClock } from "../../cli/system-clock.ts";
import type { HarnessInstall } from "../../contract/harness-file.ts";
import { createHarnessStore } from "./create-harness-store.ts";
import type { HarnessStore, InstallProgress } from "./harness-store.ts";
import { removeSealed } from "./sealed-folder.ts";

const clock = createSystemClock();
let scratch = "";
let tarball = "";
let integrity = "";

/** A program of one file, whose install script leaves a mark. */
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "ale-store-"));
  const source = join(scratch, "source", "package");
  await mkdir(source, { recursive: true });
  await writeFile(
    join(source, "package.json"),
    JSON.stringify({
      name: "tiny-agent",
      version: "1.2.3",
      bin: { tiny: "main.js" },
      scripts: { postinstall: "node -e \"require('fs').writeFileSync('mark','ran')\"" },
    }),
  );
  await writeFile(join(source, "main.js"), "#!/usr/bin/env node\nconsole.log('tiny 1.2.3')\n", {
    mode: 0o755,
  });
  tarball = join(scratch, "tiny-agent-1.2.3.tgz");
  await createTar({ file: tarball, cwd: dirname(source), gzip: true }, ["package"]);
  integrity = `sha512-${createHash("sha512")
    .update(await readFile(tarball))
    .digest("base64")}`;
});

afterAll(() => removeSealed(scratch));

interface Place {
  readonly pinsDir: string;
  readonly storeDir: string;
  readonly store: HarnessStore;
}

async function place(name: string): Promise<Place> {
  const pinsDir = join(scratch, name, "pins");
  const storeDir = join(scratch, name, "store");
  const env = { PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter), HOME: scratch };
  const options = { pinsDir, storeDir, npm: { argv: ["npm"], env }, clock, ownerPid: process.pid };
  return { pinsDir, storeDir, store: createHarnessStore(options) };
}

async function pin(
  pinsDir: string,
  options: { readonly scripts?: boolean; readonly integrity?: string } = {},
) {
  const dir = join(pinsDir, "tiny");
  await mkdir(dir, { recursive: true });
  const dependencies = { "tiny-agent": `file:${tarball}` };
  const allowScripts = options.scripts === true ? { allowScripts: { "tiny-agent": true } } : {};
  await writeFile(
    join(dir, "package.json"),
    JSON.stringify({ name: "pin", version: "0.0.0", private: true, dependencies, ...allowScripts }),
  );
  const locked = {
    version: "1.2.3",
    resolved: `file:${tarball}`,
    integrity: options.integrity ?? integrity,
    hasInstallScript: true,
    bin: { tiny: "main.js" },
  };
  await writeFile(
    join(dir, "package-lock.json"),
    JSON.stringify({
      name: "pin",
      version: "0.0.0",
      lockfileVersion: 3,
      requires: true,
      packages: {
        "": { name: "pin", version: "0.0.0", dependencies },
        "node_modules/tiny-agent": locked,
      },
    }),
  );
}

test("a pinned program is installed once, read-only, without its install script", async () => {
  const { pinsDir, storeDir, store } = await place("once");
  await pin(pinsDir);
  expect(await store.find("tiny")).toBeUndefined();
  const told: InstallProgress[] = [];
  const installed = await store.install("tiny", (progress) => told.push(progress));
  expect(told.map(({ state }) => state)).toEqual(["installing", "installed"]);
  expect(installed).toMatchObject({ name: "tiny", version: "1.2.3" });
  expect(installed.dir).toBe(join(storeDir, `tiny-1.2.3-${installed.digest.slice(0, 12)}`));
  const program = join(installed.dir, "node_modules", "tiny-agent");
  expect(await readdir(program)).toEqual(["main.js", "package.json"]);
  expect((await stat(join(program, "main.js"))).mode & 0o777).toBe(0o555);
  expect((await stat(join(program, "package.json"))).mode & 0o777).toBe(0o444);
  expect((await stat(program)).mode & 0o777).toBe(0o555);
  expect(await readdir(join(installed.dir, "node_modules", ".bin"))).toEqual(["tiny"]);

  expect(await store.install("tiny")).toEqual(installed);
  expect(await store.find("tiny")).toEqual(installed);
  expect(await readdir(storeDir)).toEqual([`tiny-1.2.3-${installed.digest.slice(0, 12)}`]);
  const [listed] = await store.list();
  expect(listed).toMatchObject(installed);
  expect(listed?.bytes).toBeGreaterThan(100);
});

test("install scripts run for the packages that the pin allows", async () => {
  const { pinsDir, store } = await place("scripts");
  await pin(pinsDir, { scripts: true });
  const { dir } = await store.install("tiny");
  expect(await readFile(join(dir, "node_modules", "tiny-agent", "mark"), "utf8")).toBe("ran");
});

test("what npm cannot install is told in npm's words, and leaves nothing behind", async () => {
  const { pinsDir, storeDir, store } = await place("broken");
  await pin(pinsDir, { integrity: `sha512-${Buffer.alloc(64).toString("base64")}` });
  await expect(store.install("tiny")).rejects.toMatchObject({
    code: "harness-install",
    message: expect.stringMatching(/tiny \(tiny-agent 1\.2\.3\)[\s\S]*EINTEGRITY/),
  });
  expect(await readdir(storeDir)).toEqual([]);
});

test("without npm, or a pin of that name, the remedy is told", async () => {
  const { pinsDir, storeDir } = await place("absent");
  await pin(pinsDir);
  const npm = { argv: [join(scratch, "no-npm")], env: {} };
  const store = createHarnessStore({ pinsDir, storeDir, npm, clock, ownerPid: process.pid });
  await expect(store.install("tiny")).rejects.toMatchObject({
    code: "harness-install",
    remedy: "install npm: it comes with Node",
  });
  await expect(store.install("tinny")).rejects.toMatchObject({ code: "unknown-harness" });
  expect(await store.pinned("../tiny")).toBeUndefined();
});

test("two installations at once make one entry", async () => {
  const { pinsDir, storeDir, store } = await place("twice");
  await pin(pinsDir);
  const told: InstallProgress[] = [];
  const [first, second] = await Promise.all([
    store.install("tiny"),
    store.install("tiny", (progress) => told.push(progress)),
  ]);
  expect(second).toEqual(first);
  expect(await readdir(storeDir)).toHaveLength(1);
});

test("the lock and the partial folder of a killed process are passed", async () => {
  const { pinsDir, storeDir, store } = await place("killed");
  await pin(pinsDir);
  const { digest } = (await store.pinned("tiny")) as { readonly digest: string };
  const entry = `tiny-1.2.3-${digest.slice(0, 12)}`;
  const child = spawn(process.execPath, ["-e", ""]);
  const dead = child.pid as number;
  await new Promise((resolve) => child.once("close", resolve));
  await mkdir(join(storeDir, `${entry}.${dead}-1.partial`, "node_modules"), { recursive: true });
  await symlink(`${dead}:1`, join(storeDir, `.${entry}.lock`));
  await store.install("tiny");
  expect(await readdir(storeDir)).toEqual([entry]);
});

test("prune removes what no pin names any more", async () => {
  const { pinsDir, storeDir, store } = await place("prune");
  await pin(pinsDir);
  const old = await store.install("tiny");
  expect(await store.prune()).toEqual({ removed: [], kept: [] });
  await pin(pinsDir, { scripts: true });
  const current = await store.install("tiny");
  expect(await store.prune()).toEqual({ removed: [old], kept: [] });
  expect(await readdir(storeDir)).toEqual([current.dir.split("/").at(-1)]);
  await rm(pinsDir, { recursive: true });
  expect(await store.prune()).toEqual({ removed: [current], kept: [] });
});

test("two prunes at once remove each entry once", async () => {
  const { pinsDir, store } = await place("prune-twice");
  await pin(pinsDir);
  const old = await store.install("tiny");
  await rm(pinsDir, { recursive: true });
  const pruned = await Promise.all([store.prune(), store.prune()]);
  expect(pruned.flatMap(({ removed }) => removed)).toEqual([old]);
});

test("prune keeps what a live process holds, and tells who; what a dead one held is removed", async () => {
  const { pinsDir, storeDir, store } = await place("held");
  await pin(pinsDir);
  const old = await store.install("tiny");
  const first = await store.hold(["tiny", "tiny", "unheard-of"]);
  const second = await store.hold(["tiny"]);
  await pin(pinsDir, { scripts: true });
  const users = ["1", "2"].map((note) => ({
    host: hostname(),
    pid: process.pid,
    note: join(storeDir, "uses", old.dir.split("/").at(-1) ?? "", note),
  }));
  expect(await store.prune()).toEqual({ removed: [], kept: [{ ...old, users }] });
  await first[Symbol.asyncDispose]();
  expect((await store.prune()).kept).toEqual([{ ...old, users: users.slice(1) }]);
  await second[Symbol.asyncDispose]();
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.once("close", resolve));
  await symlink(`${hostname()}:${child.pid}:1`, users[0]?.note ?? "");
  await symlink("elsewhere:1:1", users[1]?.note ?? "");
  expect((await store.prune()).kept[0]?.users).toEqual([{ host: "elsewhere", pid: 1, note: users[1]?.note }]);
  await rm(users[1]?.note ?? "");
  expect(await store.prune()).toEqual({ removed: [old], kept: [] });
  expect(await readdir(join(storeDir, "uses"))).toEqual([]);
});

/** A registry of the one package, on loopback. */
async function tinyRegistry(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.url === "/tiny.tgz") {
      createReadStream(tarball).pipe(response);
    } else if (request.url === "/tiny-agent") {
      const version = {
        name: "tiny-agent",
        version: "1.2.3",
        bin: { tiny: "main.js" },
        dist: { tarball: `http://127.0.0.1:${port}/tiny.tgz`, integrity },
      };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ name: "tiny-agent", versions: { "1.2.3": version } }));
    } else {
      response.writeHead(404).end("{}");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function declaredStore(name: string, install: Partial<HarnessInstall>, registry: string) {
  const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const home = join(scratch, name);
  await mkdir(home, { recursive: true });
  return createHarnessStore({
    pinsDir: join(home, "pins"),
    storeDir: join(home, "store"),
    declared: new Map([["mine", { npm: "tiny-agent", version: "1.2.3", scripts: [], ...install }]]),
    npm: { argv: ["npm"], env: { PATH, HOME: home, npm_config_registry: registry } },
    clock,
    ownerPid: process.pid,
  });
}

test("a declared program is locked once, then installed as locked, without the registry's word", async () => {
  let store: HarnessStore;
  {
    await using registry = await tinyRegistry();
    store = await declaredStore("declared", { integrity }, registry.url);
    expect(await store.pinned("mine")).toEqual({ name: "mine", package: "tiny-agent", version: "1.2.3" });
    expect(await store.find("mine")).toBeUndefined();
    expect(await store.install("mine")).toMatchObject({ name: "mine", version: "1.2.3" });
  }
  const installed = await store.find("mine");
  expect(await store.pinned("mine")).toMatchObject({ digest: installed?.digest });
  expect(await store.install("mine")).toEqual(installed);
  expect(await store.prune()).toEqual({ removed: [], kept: [] });
});

test("a declared program of another integrity, or that is not there, is refused", async () => {
  await using registry = await tinyRegistry();
  const other = await declaredStore("other", { integrity: "sha512-AAAA" }, registry.url);
  await expect(other.install("mine")).rejects.toMatchObject({
    code: "harness-install",
    message: expect.stringContaining("not sha512-AAAA"),
  });
  const gone = await declaredStore("gone", { npm: "no-such-agent" }, registry.url);
  await expect(gone.install("mine")).rejects.toMatchObject({
    code: "harness-install",
    message: expect.stringMatching(/E404/),
  });
  expect(await readdir(join(scratch, "gone", "store", "pins"))).toEqual([]);
});

test("an installation killed in the middle is done by the next one", async () => {
  const { pinsDir, storeDir, store } = await place("killed-for-real");
  await pin(pinsDir);
  // An npm that never ends, but with its parent.
  const npm = join(scratch, "endless-npm.mjs");
  await writeFile(
    npm,
    "const parent = process.ppid; setInterval(() => process.ppid === parent || process.exit(), 20);",
  );
  const main = join(scratch, "installs.mjs");
  await writeFile(
    main,
    `import { createHarnessStore } from ${JSON.stringify(join(import.meta.dirname, "create-harness-store.ts"))};
const npm = { argv: [process.execPath, ${JSON.stringify(npm)}], env: {} };
const options = ${JSON.stringify({ pinsDir, storeDir })};
const store = createHarnessStore({ ...options, npm, clock: {}, ownerPid: process.pid });
await store.install("tiny", ({ state }) => process.stdout.write(state));`,
  );
  const child = spawn(process.execPath, [main], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  expect(await store.find("tiny")).toBeUndefined();
  child.kill("SIGKILL");
  await ended;
  const { dir } = await store.install("tiny");
  expect((await readdir(storeDir)).map((name) => join(storeDir, name))).toEqual([dir]);
});
