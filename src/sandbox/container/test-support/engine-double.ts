import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A daemon that answers what it is told to, and keeps what it is asked. */
export interface EngineDouble extends AsyncDisposable {
  readonly socket: string;
  /** Each call with its method, path without version and query, and body, in order. */
  readonly calls: readonly EngineCall[];
}

export interface EngineCall {
  readonly call: string;
  readonly body: unknown;
}

/** A status other than 200 is told as `[status, body]`. */
export type EngineAnswers = Readonly<Record<string, object | readonly [number, object]>>;

/** Docker 20.10 on a host with control groups of version 1, as far as machines depend on it. */
export const dockerAnswers: EngineAnswers = {
  "GET /info": {
    Driver: "overlay2",
    MemTotal: 8e9,
    NCPU: 2,
    MemoryLimit: true,
    CpuCfsQuota: true,
    PidsLimit: true,
    SecurityOptions: ["name=seccomp,profile=default"],
    Runtimes: { runc: { path: "runc" } },
  },
  "GET /version": { Version: "20.10.24", ApiVersion: "1.41", Components: [{ Name: "Engine" }] },
  "GET /networks": [{ Name: "bridge", Driver: "bridge" }],
};

/** Podman 4.3: of limits its answer to Docker's question says what the host can, whoever runs it. */
export const podmanAnswers: EngineAnswers = {
  "GET /info": { ...dockerAnswers["GET /info"], Driver: "overlay", Rootless: false },
  "GET /version": { Version: "4.3.1", ApiVersion: "1.41", Components: [{ Name: "Podman Engine" }] },
  "GET /networks": [{ Name: "podman", Driver: "bridge" }],
  "GET /libpod/info": { host: { cgroupVersion: "v1", cgroupControllers: ["cpu", "memory", "pids"] } },
};

export async function startEngineDouble(answers: EngineAnswers): Promise<EngineDouble> {
  const folder = await mkdtemp(join(tmpdir(), "ale-engine-"));
  const socket = join(folder, "docker.sock");
  const calls: EngineCall[] = [];
  // Clients repeat the body in the address.
  const server = createServer({ maxHeaderSize: 1 << 20 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const path = (request.url ?? "").replace(/^\/v[\d.]+/, "").replace(/\?.*$/, "");
    const call = `${request.method} ${path}`;
    calls.push({ call, body: text === "" ? undefined : (JSON.parse(text) as unknown) });
    const answer = answers[call] ?? [404, { message: `page not found: ${call}` }];
    const [status, body] = Array.isArray(answer) && typeof answer[0] === "number" ? answer : [200, answer];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  server.listen(socket);
  await once(server, "listening");
  return {
    socket,
    calls,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
