import type { Random } from "ale/contract/random";
import { isoTime } from "../incident.ts";
import type { Params } from "../params.ts";
import { Capture } from "./capture.ts";
import { Log } from "./log.ts";

export type SshHost = "bastion" | "web01" | "app01" | "db01";

export interface WebRequest {
  readonly time: number;
  readonly ip: string;
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly status: number;
  readonly bytes: number;
  readonly agent: string;
  readonly body?: Buffer;
  readonly tag?: string;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const reasons: Readonly<Record<number, string>> = {
  200: "OK",
  302: "Found",
  304: "Not Modified",
  403: "Forbidden",
  404: "Not Found",
};

/** The network under observation: whatever happens in it leaves its traces in the capture and the logs. */
export class World {
  readonly capture: Capture;
  readonly web = new Log();
  readonly firewall = new Log();
  readonly auth: Readonly<Record<SshHost, Log>> = {
    bastion: new Log(),
    web01: new Log(),
    app01: new Log(),
    db01: new Log(),
  };
  readonly start: number;
  readonly #params: Params;
  readonly #random: Random;

  constructor(random: Random, params: Params) {
    this.#random = random;
    this.#params = params;
    this.capture = new Capture(random.fork("capture"));
    this.start = Date.parse(params.start) / 1000;
  }

  /** A line of a host's auth.log; db01 writes UTC, the others local time, each by its own clock. */
  syslog(host: SshHost, time: number, text: string, tag?: string): void {
    const error = host === "app01" ? this.#params.app01_clock : host === "db01" ? this.#params.db01_clock : 0;
    const own = time + error + (host === "db01" ? 0 : this.#params.offset_minutes * 60);
    const date = new Date(Math.floor(own) * 1000);
    const day = String(date.getUTCDate()).padStart(2, " ");
    const clock = date.toISOString().slice(11, 19);
    this.auth[host].add(own, `${months[date.getUTCMonth()]} ${day} ${clock} ${host} ${text}`, tag);
  }

  /** An SSH attempt: a connection in the capture, and what sshd says of it. */
  ssh(attempt: {
    readonly host: SshHost;
    readonly address: string;
    readonly time: number;
    readonly ip: string;
    readonly user: string;
    readonly result: "password" | "publickey" | "failed" | "invalid";
    readonly tag?: string;
    readonly capture?: boolean;
  }): void {
    const { host, time, ip, user, result, tag } = attempt;
    const port = this.#random.integer(32_768, 60_999);
    const pid = this.#random.integer(800, 32_000);
    const isIn = result === "password" || result === "publickey";
    if (attempt.capture !== false) this.sshTraffic(time - 0.6, ip, attempt.address, isIn ? 24 : 6, tag);
    const who = result === "invalid" ? `invalid user ${user}` : user;
    const key = `SHA256:${this.#letters(43)}`;
    const text = isIn
      ? `Accepted ${result} for ${user} from ${ip} port ${port} ssh2${result === "publickey" ? `: ED25519 ${key}` : ""}`
      : `Failed password for ${who} from ${ip} port ${port} ssh2`;
    this.syslog(host, time, `sshd[${pid}]: ${text}`, tag);
    if (!isIn) return;
    this.syslog(
      host,
      time + 0.2,
      `sshd[${pid}]: pam_unix(sshd:session): session opened for user ${user} by (uid=0)`,
    );
    const end = time + this.#random.integer(60, 1500);
    this.syslog(host, end, `sshd[${pid}]: pam_unix(sshd:session): session closed for user ${user}`);
  }

  sshTraffic(time: number, client: string, server: string, exchanges: number, tag?: string): void {
    const banner = (text: string) => Buffer.from(`SSH-2.0-${text}\r\n`, "latin1");
    const sealed = Array.from({ length: exchanges }, (_unused, index) => ({
      from: index % 2 === 0 ? ("client" as const) : ("server" as const),
      data: this.bytes(this.#random.integer(60, 400)),
    }));
    const turns = [
      { from: "server" as const, data: banner("OpenSSH_9.2p1 Debian-2+deb12u3") },
      { from: "client" as const, data: banner("OpenSSH_9.2p1 Debian-2+deb12u3") },
      ...sealed,
    ];
    this.capture.tcp({ time, client, server, port: 22, turns, ...(tag === undefined ? {} : { tag }) });
  }

  /** A request to the shop: HTTP in the capture, a line in the access log. */
  request(request: WebRequest): void {
    const { time, ip, method, target, status, bytes, agent, body, tag } = request;
    const length =
      body === undefined
        ? ""
        : `Content-Length: ${body.length}\r\nContent-Type: multipart/form-data; boundary=----b7\r\n`;
    const head = `${method} ${target} HTTP/1.1\r\nHost: shop.corp.example\r\nUser-Agent: ${agent}\r\n${length}Accept: */*\r\n\r\n`;
    const answer = `HTTP/1.1 ${status} ${reasons[status] ?? "OK"}\r\nServer: nginx\r\nContent-Length: ${bytes}\r\n\r\n`;
    const shown = Buffer.concat([Buffer.from(answer, "latin1"), this.bytes(bytes)]);
    const turns = [
      {
        from: "client" as const,
        data: Buffer.concat([Buffer.from(head, "latin1"), body ?? Buffer.alloc(0)]),
      },
      { from: "server" as const, data: shown },
    ];
    const marked = tag === undefined ? {} : { tag };
    this.capture.tcp({ time, client: ip, server: "10.20.1.10", port: 80, turns, ...marked });
    const local = new Date((Math.floor(time) + this.#params.offset_minutes * 60) * 1000);
    const sign = this.#params.offset_minutes < 0 ? "-" : "+";
    const minutes = Math.abs(this.#params.offset_minutes);
    const zone = `${sign}${String(Math.floor(minutes / 60)).padStart(2, "0")}${String(minutes % 60).padStart(2, "0")}`;
    const day = `${String(local.getUTCDate()).padStart(2, "0")}/${months[local.getUTCMonth()]}/${local.getUTCFullYear()}`;
    const stamp = `${day}:${local.toISOString().slice(11, 19)} ${zone}`;
    this.web.add(
      time,
      `${ip} - - [${stamp}] "${method} ${target} HTTP/1.1" ${status} ${bytes} "-" "${agent}"`,
      tag,
    );
  }

  /** A line of the firewall's log, in UTC. */
  filter(time: number, action: "ALLOW" | "DROP", from: string, to: string, port: number, tag?: string): void {
    const text = `${isoTime(time)} fw01 action=${action} proto=tcp src=${from} dst=${to} dport=${port}`;
    this.firewall.add(time, text, tag);
  }

  bytes(count: number): Buffer {
    const buffer = Buffer.alloc(count);
    for (let index = 0; index < count; index++) buffer[index] = Math.floor(this.#random.next() * 256);
    return buffer;
  }

  #letters(count: number): string {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    return Array.from({ length: count }, () => this.#random.pick([...alphabet])).join("");
  }
}
