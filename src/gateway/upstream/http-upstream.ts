import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import type { Upstream, UpstreamAnswer } from "./upstream.ts";

/** Servers that pack their answers although they are asked not to. */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** POSTs over HTTP or HTTPS on connections that are kept open. */
export function createHttpUpstream(): Upstream {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  return {
    send({ url, headers, body }, signal) {
      const isPlain = url.protocol === "http:";
      const options = {
        method: "POST",
        headers: { ...headers, "content-length": String(body.byteLength) },
        agent: isPlain ? agents.http : agents.https,
        signal,
      };
      return new Promise((resolve, reject) => {
        const outgoing = (isPlain ? httpRequest : httpsRequest)(url, options);
        outgoing.setNoDelay(true);
        outgoing.on("response", (incoming: IncomingMessage) => {
          const { statusCode: status = 0 } = incoming;
          const packing = incoming.headers["content-encoding"] ?? "";
          const problem = !(status >= 200 && status <= 599)
            ? `its answer has the status ${status}, which HTTP does not know`
            : isReadable(packing)
              ? undefined
              : `its answer is packed as ${packing}, which cannot be read`;
          if (problem === undefined) return resolve(unpacked(status, incoming));
          incoming.destroy();
          reject(new Error(problem));
        });
        outgoing.on("upgrade", (_, socket) => {
          socket.destroy();
          reject(new Error("it wants to speak another protocol"));
        });
        outgoing.on("error", (error) => reject(signal.aborted ? signal.reason : error));
        outgoing.end(body);
      });
    },
    [Symbol.dispose]() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** What is passed on unread might tell anything. */
function isReadable(packing: string): boolean {
  return packing === "" || packing === "identity" || Object.hasOwn(unpackers, packing.toLowerCase());
}

function unpacked(status: number, incoming: IncomingMessage): UpstreamAnswer {
  const { "content-encoding": packing = "", ...headers } = incoming.headers;
  const unpacker = unpackers[packing.toLowerCase()]?.();
  if (unpacker === undefined) return { status, headers: incoming.headers, body: incoming };
  const { "content-length": _, ...kept } = headers;
  // An answer that breaks off, or is not packed so, fails the body that is read.
  const body: Readable = pipeline(incoming, unpacker, () => undefined);
  return { status, headers: kept, body };
}
