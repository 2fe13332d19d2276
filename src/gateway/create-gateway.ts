import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { CallContext } from "./calls/call-context.ts";
import { handleRequest } from "./calls/handle-request.ts";
import { tokenOf } from "./calls/upstream-headers.ts";
import { checkContestant } from "./check-contestant.ts";
import { endpointsAt } from "./endpoints.ts";
import type { Gateway, GatewayOptions } from "./gateway.ts";
import { listenOnPort, listenOnSocket } from "./listen-locally.ts";
import { createPriceBook } from "./money/price-book.ts";
import { type OpenTrial, openTrial } from "./open-trial.ts";
import { keyForms } from "./record/key-mask.ts";
import { createHttpUpstream } from "./upstream/http-upstream.ts";
import { createSpacer, type Spacer } from "./upstream/spacer.ts";

const defaultDrainMs = 30_000;

/**
 * Starts listening on a free port of 127.0.0.1. Rejects with an `AleError` coded `gateway-listen` when it cannot. Disposing
 * of it closes its trials, then the servers.
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { clock, models, keys } = options;
  const trials = new Map<string, OpenTrial>();
  const spacers = new Map<string, Spacer>();
  const upstream = options.upstream ?? createHttpUpstream();
  const prices = createPriceBook(models);
  const context: CallContext = {
    models,
    keys,
    keyForms: keyForms(Object.values(keys)),
    clock,
    random: options.random,
    upstream,
    prices,
    spacer(name) {
      const spacer = spacers.get(name) ?? createSpacer(models.upstreams[name]?.rate ?? {}, clock);
      spacers.set(name, spacer);
      return spacer;
    },
  };

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const url = targetOf(request);
    if (url === undefined) {
      response.writeHead(400, { connection: "close" }).end();
      return;
    }
    const owner = trials.get(tokenOf(request.headers, url) ?? "");
    const mcp = owner?.mcp(url.pathname);
    const answered =
      mcp === undefined
        ? handleRequest(context, owner?.session, url, request, response)
        : mcp(request, response);
    const work = answered.catch((error: unknown) => {
      response.destroy();
      // A request that its own client broke off is nobody's failure.
      if (!request.destroyed || request.complete) throw error;
    });
    if (owner !== undefined) owner.track(work, request, response);
    else work.catch(() => undefined);
  }

  const name = "the model gateway";
  const newServer = (): Server => createServer({ requestTimeout: 0 }, onRequest);
  const listener = await listenOnPort(name, newServer());
  const { origin } = listener;

  return {
    origin,
    listenOn: (path) => listenOnSocket(name, newServer(), path),
    wiresOf: ({ model }) => models.upstreams[models.models[model ?? ""]?.upstream ?? ""]?.wires ?? [],
    check: (contestant, limits) => checkContestant(models, keys, prices, clock.now(), contestant, limits),
    openTrial(grant) {
      const token = options.token();
      const trial = openTrial(grant, clock, [...Object.values(keys), token]);
      trials.set(token, trial);
      let closed: ReturnType<OpenTrial["close"]> | undefined;
      const close = (judging?: AbortSignal): ReturnType<OpenTrial["close"]> => {
        trials.delete(token);
        closed ??= trial.close(options.drainMs ?? defaultDrainMs, judging);
        return closed;
      };
      return {
        token,
        endpoints: endpointsAt(origin),
        meter: trial.meter,
        close,
        async [Symbol.asyncDispose]() {
          // What a close has told is not told again.
          await (closed === undefined ? close() : closed.catch(() => undefined));
        },
      };
    },
    async [Symbol.asyncDispose]() {
      const open = [...trials.values()];
      trials.clear();
      const closed = await Promise.allSettled(open.map((trial) => trial.close(0)));
      await listener[Symbol.asyncDispose]();
      upstream[Symbol.dispose]();
      for (const end of closed) if (end.status === "rejected") throw end.reason;
    },
  };
}

/** What is asked for; `undefined` for what is no address. A path is taken as it is, also one that begins with `//`. */
function targetOf({ url = "/" }: IncomingMessage): URL | undefined {
  return URL.parse(url.startsWith("/") ? `http://gateway${url}` : url) ?? undefined;
}
