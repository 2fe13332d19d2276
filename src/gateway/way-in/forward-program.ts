import type * as FileSystem from "node:fs";
import type * as Net from "node:net";

/** How the line begins that the forwarder writes once it listens; the ports follow, in order. */
export const forwarderReady = "forwarding";

/**
 * Runs inside a sandbox, as a program of its own: everything it needs is in it. For every pair of arguments it listens
 * on that port of 127.0.0.1, or on a free one for 0, and joins each connection to a new one to that unix socket.
 */
function forward(ready: string): void {
  const net = process.getBuiltinModule("node:net") as typeof Net;
  const { writeSync } = process.getBuiltinModule("node:fs") as typeof FileSystem;
  const words = process.argv.slice(1);
  const ports: number[] = [];
  let pending = words.length / 2;
  for (let index = 0; index < words.length; index += 2) {
    const path = String(words[index + 1]);
    const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (inner) => {
      const outer = net.connect({ path, allowHalfOpen: true });
      inner.on("error", () => outer.destroy());
      outer.on("error", () => inner.destroy());
      inner.on("close", () => outer.destroy());
      outer.on("close", () => inner.destroy());
      inner.pipe(outer);
      outer.pipe(inner);
    });
    server.listen(Number(words[index]), "127.0.0.1", () => {
      const address = server.address() as Net.AddressInfo;
      ports[index / 2] = address.port;
      if (--pending === 0) writeSync(1, `${ready} ${ports.join(" ")}\n`);
    });
  }
}

/** The program as text for `node -e`, so that nothing has to be copied in. */
export const forwardProgram: string = `(${forward.toString()})(${JSON.stringify(forwarderReady)})`;
