import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { CuaDesktop } from "./cua-desktop.ts";
import { ServerWebSocket } from "./web-socket.ts";

export interface CuaServerOptions {
  /** What goes before a command to run it on the machine that is served, such as nsenter; empty: this host. */
  readonly prefix: readonly string[];
  readonly desktop: CuaDesktop;
  /** With one, every request must bring it, as a server does that was started with a container's name. */
  readonly key?: string;
  readonly containerName?: string;
  /** As `/status` tells it. */
  readonly system?: string;
  /** Number of the display that its desktop is on, such as `:1`; absent: it has no X display. */
  readonly display?: string;
}

/**
 * A public double of the CUA computer-server: `/status`, `/cmd` with one event per reply, `/pty` with its web socket.
 * Commands run where the prefix leads, files are those of there, terminals are real ones.
 */
export class CuaServer implements AsyncDisposable {
  /** Every command of `/cmd` by name, in order. */
  readonly commands: string[] = [];
  readonly #options: CuaServerOptions;
  readonly #server: Server;
  readonly #terminals: Map<number, ChildProcess> = new Map();
  readonly #sockets: Set<Duplex> = new Set();
  /** Connections on which nothing is said any more. */
  readonly #mute: Set<Duplex> = new Set();

  private constructor(options: CuaServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#attach(request, socket, head),
    );
  }

  static async start(options: CuaServerOptions): Promise<CuaServer> {
    const server = new CuaServer(options);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  /** `http://127.0.0.1:<port>`. */
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Breaks every terminal's connection, as a lost network does. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets nothing more through on any terminal's connection and closes none, as a cable that is pulled does. */
  pullCable(): void {
    for (const socket of this.#sockets) this.#mute.add(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const terminal of this.#terminals.values()) terminal.kill("SIGKILL");
    this.cut();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { pathname } = new URL(request.url ?? "/", "http://server");
    if (pathname === "/status") {
      reply(200, { status: "ok", os_type: this.#options.system ?? "linux", features: [] });
      return;
    }
    const { headers } = request;
    if (!this.#admits(headers["x-api-key"], headers["x-container-name"])) {
      reply(401, { detail: "Authentication failed" });
      return;
    }
    let body: { command?: string; params?: Record<string, unknown> };
    try {
      body = pieces.length === 0 ? {} : JSON.parse(Buffer.concat(pieces).toString("utf8"));
    } catch {
      reply(400, { detail: "Invalid JSON body" });
      return;
    }
    if (pathname === "/cmd" && request.method === "POST") await this.#command(body, response, reply);
    else if (pathname === "/pty" && request.method === "POST") reply(200, this.#open(body.command ?? "bash"));
    else if (request.method === "DELETE" && /^\/pty\/\d+$/.test(pathname)) {
      const killed = this.#terminals.get(Number(pathname.slice(5)))?.kill("SIGKILL") ?? false;
      reply(200, { killed });
    } else reply(404, { detail: "Not Found" });
  }

  async #command(
    body: { command?: string; params?: Record<string, unknown> },
    response: ServerResponse,
    reply: (status: number, body: unknown) => void,
  ): Promise<void> {
    const { command, params = {} } = body;
    if (command === undefined) return reply(400, { detail: "Command is required" });
    this.commands.push(command);
    const answer =
      (await this.#onMachine(command, params)) ?? (await this.#options.desktop.answer(command, params));
    if (answer === undefined) return reply(400, { detail: `Unknown command: ${command}` });
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
    response.end(`data: ${JSON.stringify({ success: true, ...answer })}\n\n`);
  }

  async #onMachine(
    command: string,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown> | undefined> {
    const path = String(params["path"] ?? "");
    const done = (code: number, stderr: string): Record<string, unknown> =>
      code === 0 ? { success: true } : { success: false, error: stderr.trim() };
    switch (command) {
      case "version":
        return { protocol: 1, package: "0.0.0" };
      case "run_command": {
        const printed = this.#options.desktop.printed(String(params["command"]));
        if (printed !== undefined) return { success: true, stdout: printed, stderr: "", return_code: 0 };
        const { code, stdout, stderr } = await this.#run(["sh", "-c", String(params["command"])]);
        return { success: true, stdout: stdout.toString(), stderr, return_code: code };
      }
      case "write_bytes": {
        const content = Buffer.from(String(params["content_b64"]), "base64");
        const mode = params["append"] === true ? ">>" : ">";
        const { code, stderr } = await this.#run(["sh", "-c", `cat ${mode} "$1"`, "sh", path], content);
        return done(code, stderr);
      }
      case "read_bytes": {
        const { code, stdout, stderr } = await this.#run(["cat", "--", path]);
        return code === 0 ? { content_b64: stdout.toString("base64") } : done(code, stderr);
      }
      case "delete_file": {
        const { code, stderr } = await this.#run(["rm", "--", path]);
        return done(code, stderr);
      }
      case "file_exists":
        return { exists: (await this.#run(["test", "-f", path])).code === 0 };
      case "directory_exists":
        return { exists: (await this.#run(["test", "-d", path])).code === 0 };
      default:
        return undefined;
    }
  }

  async #run(
    argv: readonly string[],
    input?: Buffer,
  ): Promise<{ code: number; stdout: Buffer; stderr: string }> {
    const { prefix, display } = this.#options;
    const environment = display === undefined ? ["-u", "DISPLAY"] : [`DISPLAY=${display}`];
    const [program = "", ...rest] = [...prefix, "env", ...environment, ...argv];
    const child = spawn(program, rest, { stdio: ["pipe", "pipe", "pipe"], cwd: "/" });
    child.stdin.on("error", () => child.stdin.destroy());
    child.stdin.end(input);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => stdout.push(piece));
    child.stderr.on("data", (piece: Buffer) => stderr.push(piece));
    const [code] = (await once(child, "close")) as [number | null];
    return { code: code ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
  }

  #open(command: string): Record<string, unknown> {
    const [program = "", ...rest] = [...this.#options.prefix, "script", "-qefc", command, "/dev/null"];
    const child = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"], cwd: "/" });
    child.stdin.on("error", () => child.stdin.destroy());
    const pid = child.pid ?? 0;
    this.#terminals.set(pid, child);
    child.once("exit", () => this.#terminals.delete(pid));
    // What a terminal shows while nobody looks is lost.
    child.stdout.resume();
    return { pid, cols: 80, rows: 24 };
  }

  #attach(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? "/", "http://server");
    const pid = Number(/^\/pty\/(\d+)\/ws$/.exec(url.pathname)?.[1]);
    const terminal = this.#terminals.get(pid);
    const admitted = this.#admits(
      url.searchParams.get("api_key") ?? undefined,
      url.searchParams.get("container_name") ?? undefined,
    );
    if (terminal?.stdin === null || terminal?.stdout === null || terminal === undefined || !admitted) {
      socket.end(`HTTP/1.1 ${admitted ? "404 Not Found" : "403 Forbidden"}\r\n\r\n`);
      return;
    }
    const { stdin, stdout } = terminal;
    this.#sockets.add(socket);
    const web = new ServerWebSocket(request, socket, head);
    const show = (piece: Buffer): void => {
      if (!this.#mute.has(socket))
        web.send(JSON.stringify({ type: "output", data: piece.toString("base64") }));
    };
    const ended = (code: number | null): void => {
      web.send(JSON.stringify({ type: "exit", code: code ?? -1 }));
      web.close();
    };
    stdout.on("data", show);
    terminal.once("close", ended);
    web.onText = (text) => {
      if (this.#mute.has(socket)) return;
      const told = JSON.parse(text) as { type?: string; data?: string };
      if (told.type === "stdin") stdin.write(Buffer.from(told.data ?? "", "base64"));
    };
    web.onClose = () => {
      this.#sockets.delete(socket);
      this.#mute.delete(socket);
      stdout.off("data", show);
      terminal.off("close", ended);
      stdout.resume();
    };
  }

  #admits(key: string | string[] | undefined, containerName: string | string[] | undefined): boolean {
    if (this.#options.key === undefined) return true;
    return key === this.#options.key && containerName === this.#options.containerName;
  }
}
