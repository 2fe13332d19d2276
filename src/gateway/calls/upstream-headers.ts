import type { IncomingHttpHeaders } from "node:http";
import type { UpstreamAuthentication, UpstreamSpec } from "../../contract/models-file.ts";
import { maskKeys } from "../record/key-mask.ts";
import type { Wire } from "../wires/wire.ts";

/** Belong to one connection, or carry the trial's token, or would make the answer unreadable for us. */
const dropped: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "content-length",
  "accept-encoding",
  "authorization",
  "x-api-key",
  "x-goog-api-key",
  "cookie",
]);

/** Of an answer: those that belong to the connection. */
const droppedFromAnswer: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "trailer",
  "upgrade",
  "set-cookie",
]);

/** The client's headers as they go on: all that are about the call, none that are about the way. */
export function upstreamHeaders(
  headers: IncomingHttpHeaders,
  wire: Wire,
  upstream: UpstreamSpec,
  key: string | undefined,
): Readonly<Record<string, string | readonly string[]>> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || dropped.has(name) ? [] : [[name, value] as const],
  );
  const own = Object.entries(upstream.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(own),
    "accept-encoding": "identity",
    ...keyHeader(upstream.authentication ?? wire.authentication, key),
  };
}

function keyHeader(style: UpstreamAuthentication, key: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined || style === "none") return {};
  return style === "bearer" ? { authorization: `Bearer ${key}` } : { [style]: key };
}

/** An answer's headers with every key in them overwritten. */
export function withoutKeys(headers: IncomingHttpHeaders, forms: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? maskKeys(value, forms) : value?.map((one) => maskKeys(one, forms)),
    ]),
  );
}

/** The answer's headers as the client gets them. */
export function answerHeaders(
  headers: IncomingHttpHeaders,
  lengthKept: boolean,
): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined || droppedFromAnswer.has(name)) return [];
      return name === "content-length" && !lengthKept ? [] : [[name, value]];
    }),
  );
}

/** The token of a request, wherever its wire's client puts it. */
export function tokenOf(headers: IncomingHttpHeaders, url: URL): string | undefined {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const named = headers["x-api-key"] ?? headers["x-goog-api-key"];
  return (
    bearer ?? (typeof named === "string" ? named : undefined) ?? url.searchParams.get("key") ?? undefined
  );
}
