import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Clock } from "../../contract/clock.ts";
import { answerRequest } from "./answer-request.ts";
import type { Script } from "./script.ts";
import type { ScriptedCall } from "./scripted-call.ts";

export interface ScriptedModelOptions {
  readonly script: Script;
  /** Times slow answers and stamps them. */
  readonly clock: Clock;
  /** Names for lists of models; default `scripted`. Any other name is answered as well. */
  readonly models?: readonly string[];
  /** Default: a free one. */
  readonly port?: number;
}

/** A server on loopback that speaks all four wires and does as its script says. */
export interface ScriptedModel extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly port: number;
  /** Every request so far, in order of arrival. */
  readonly calls: readonly ScriptedCall[];
}

/** Starts it. Keys are neither asked for nor checked; what was sent is in {@link ScriptedCall.headers}. */
export async function createScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const calls: ScriptedCall[] = [];
  const sockets = new Set<Socket>();
  let failure: unknown;
  const models = options.models ?? ["scripted"];
  const over = new AbortController();
  const context = { script: options.script, clock: options.clock, models, calls, over: over.signal };
  const server = createServer((request, response) => {
    answerRequest(context, request, response).catch((error: unknown) => {
      if (!over.signal.aborted) failure ??= error;
      response.destroy();
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    calls,
    async [Symbol.asyncDispose]() {
      over.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      // A script that threw is the test's own mistake, and told where the server is closed.
      if (failure !== undefined) throw failure;
    },
  };
}
