import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { runInWine, type WineGuest } from "./wine-guest.ts";

/**
 * A double of QEMU whose guest is Wine: it opens the sockets that the arguments name, speaks as much of QEMU's monitor as
 * is asked of it, and joins the machine's port to the program that serves Windows machines, which runs in Wine. The
 * machine's state is its Wine prefix: the state file names it. Usage:
 * `node qemu-in-wine.ts TEMPLATE-PREFIX ARGUMENTS-OF-QEMU…`
 */
const [template = "", ...words] = process.argv.slice(2);

if (words.includes("--version")) {
  process.stdout.write("QEMU emulator version 0.0.0 (a double in Wine)\n");
  process.exit(0);
}

const monitor = /^unix:([^,]+)/.exec(words[words.indexOf("-qmp") + 1] ?? "")?.[1] ?? "";
const port = words.map((word) => /^socket,id=server,path=([^,]+)/.exec(word)?.[1]).find(Boolean) ?? "";
const folder = dirname(monitor);
// Not in the machine's folder, which is removed with QEMU: Wine's own server outlives that by some seconds.
const prefix = join(dirname(template), "guests", randomUUID());

let guest: WineGuest | undefined;
let host: Socket | undefined;
let events: Socket | undefined;
const nodes = new Set<string>();

/** What one host did not take is nobody's, and what is said before the guest runs waits for it, as in QEMU's port. */
async function boot(from: string): Promise<void> {
  await mkdir(dirname(prefix), { recursive: true });
  // Wine writes no file of its own anew but by renaming: links will do.
  execFileSync("/bin/cp", ["-al", "--", from, prefix]);
  guest = runInWine(prefix, join(folder, "wine.log"));
  guest.stdout.on("data", (piece: Buffer) => host?.write(piece));
  guest.ended.then(() => host?.destroy());
  host?.pipe(guest.stdin, { end: false });
}

createServer((socket) => {
  host?.destroy();
  host = socket;
  socket.on("error", () => undefined);
  socket.on("close", () => {
    if (guest !== undefined) socket.unpipe(guest.stdin);
  });
  if (guest !== undefined) socket.pipe(guest.stdin, { end: false });
}).listen(port);

/** A file of the shell command that a state is moved by, in quotes. */
function fileOf(uri: unknown): string {
  return /'(.+)'/.exec(String(uri))?.[1] ?? "";
}

type Fields = Readonly<Record<string, unknown>>;
type Command = (given: Fields) => unknown;

const commands: Readonly<Record<string, Command>> = {
  qmp_capabilities: () => ({}),
  stop: () => ({}),
  cont() {
    tell("RESUME", {});
    return {};
  },
  "migrate-set-parameters": () => ({}),
  async migrate({ uri }) {
    // What the guest holds in memory goes with it: Wine's registry is written when the last program has ended.
    guest?.stdin.end();
    await guest?.ended;
    await writeFile(fileOf(uri), prefix);
    return {};
  },
  async "migrate-incoming"({ uri }) {
    await boot(await readFile(fileOf(uri), "utf8"));
    return {};
  },
  "query-migrate": () => ({ status: "completed" }),
  "input-send-event": () => ({}),
  async screendump({ filename }) {
    const picture = Buffer.alloc(1280 * 800 * 3, 0x55);
    await writeFile(String(filename), Buffer.concat([Buffer.from("P6\n1280 800\n255\n"), picture]));
    return {};
  },
  "blockdev-add"(given) {
    nodes.add(String(given["node-name"]));
    return {};
  },
  netdev_add: () => ({}),
  netdev_del: () => ({}),
  device_add({ drive }) {
    if (drive !== undefined && !nodes.has(String(drive)))
      throw new Error(`there is no node ${String(drive)}`);
    return {};
  },
  device_del({ id }) {
    tell("DEVICE_DELETED", { device: id });
    return {};
  },
  system_powerdown: () => process.exit(0),
};

function tell(event: string, data: Fields): void {
  events?.write(`${JSON.stringify({ event, data, timestamp: { seconds: 0, microseconds: 0 } })}\n`);
}

async function answer(line: string, socket: Socket): Promise<void> {
  const asked = JSON.parse(line) as { execute: string; arguments?: Fields; id: number };
  const command = commands[asked.execute];
  try {
    if (command === undefined) throw new Error(`The command ${asked.execute} has not been found`);
    const result = await command(asked.arguments ?? {});
    socket.write(`${JSON.stringify({ return: result, id: asked.id })}\n`);
  } catch (error) {
    const told = { class: "GenericError", desc: (error as Error).message };
    socket.write(`${JSON.stringify({ error: told, id: asked.id })}\n`);
  }
}

const qmp = createServer((socket) => {
  events = socket;
  socket.on("error", () => undefined);
  socket.write(`${JSON.stringify({ QMP: { version: {}, capabilities: [] } })}\n`);
  createInterface({ input: socket }).on("line", (line) => void answer(line, socket));
});

if (!words.includes("-incoming")) await boot(template);
qmp.listen(monitor);
await once(qmp, "listening");
