import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Upstream } from "./upstream.ts";

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
          const { statusCode = 502, headers: answered } = incoming;
          resolve({ status: statusCode, headers: answered, body: incoming });
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
