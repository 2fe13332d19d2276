import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { AleError } from "../contract/ale-error.ts";
import { orAbsent } from "../files/or-absent.ts";
import { systemCode } from "../files/system-code.ts";
import type { ApiProblem } from "./api/api-problem.ts";

export interface ServeOptions {
  /** The read API. */
  readonly app: Hono;
  /** Folder of the built web client. */
  readonly webDir: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** A server that is listening. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self' blob:; frame-src 'self'; object-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves API and client on 127.0.0.1 alone. Requests that name another host are refused: no page of the internet reads
 * records by way of a name that resolves to this machine. Throws an `AleError` coded `port-taken`.
 */
export async function serveApp({ app, webDir, port }: ServeOptions): Promise<RunningServer> {
  const root = new Hono();
  let allowed: ReadonlySet<string> = new Set();
  root.use(async (context, next) => {
    if (allowed.has(context.req.header("Host") ?? "")) return next();
    const problem: ApiProblem = {
      code: "wrong-host",
      message: "this server answers on 127.0.0.1 and localhost only",
    };
    return context.json(problem, 421);
  });
  root.all("/api/*", (context) => app.fetch(context.req.raw, context.env));
  root.get("*", async (context) => {
    const name = context.req.path === "/" ? "/index.html" : context.req.path;
    const type = contentTypes[extname(name)];
    if (type === undefined || !/^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(name)) return context.notFound();
    const content = await orAbsent(readFile(join(webDir, name)));
    if (content === undefined) return context.notFound();
    return new Response(content, {
      headers: {
        "Content-Type": type,
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": pagePolicy,
        "Referrer-Policy": "no-referrer",
        // Names of built files carry their content's hash, that of the page does not.
        "Cache-Control": name === "/index.html" ? "no-store" : "max-age=31536000, immutable",
      },
    });
  });
  const server = createAdaptorServer({ fetch: root.fetch });
  await listen(server, port);
  const taken = (server.address() as AddressInfo).port;
  allowed = new Set([`127.0.0.1:${taken}`, `localhost:${taken}`]);
  return {
    url: `http://127.0.0.1:${taken}/`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed.promise;
    },
  };
}

async function listen(server: ReturnType<typeof createAdaptorServer>, port: number): Promise<void> {
  const started = Promise.withResolvers<void>();
  server.once("error", started.reject);
  server.listen(port, "127.0.0.1", () => started.resolve());
  try {
    await started.promise;
  } catch (error) {
    if (systemCode(error) !== "EADDRINUSE") throw error;
    throw new AleError({
      code: "port-taken",
      message: `port ${port} of 127.0.0.1 is in use`,
      remedy: "name another with --port, or 0 for any free one",
      fields: { port },
      cause: error,
    });
  }
}
