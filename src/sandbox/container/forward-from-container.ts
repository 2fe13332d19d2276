import { AleError } from "../../contract/ale-error.ts";
import { CarriedConnections } from "../forward/carried-connections.ts";
import type { ForwardedPort } from "../forward/forwarded-port.ts";
import { decodeList } from "./frame.ts";
import { StewardConnection } from "./steward-connection.ts";
import type { StewardLink } from "./steward-link.ts";

/** Connects a port of the container's loopback, held by its steward, to a unix socket. Rejects with `sandbox-forward`. */
export async function forwardFromContainer(link: StewardLink, hostSocket: string): Promise<ForwardedPort> {
  const connections = new CarriedConnections(hostSocket);
  const listening = Promise.withResolvers<number>();
  const fail = (why: string): void => {
    const message = `No port of the container can be forwarded: ${why}.`;
    listening.reject(new AleError({ code: "sandbox-forward", message }));
    connections.close();
  };
  const channel = link.open({
    frame(type, payload) {
      if (type === "R") listening.resolve(Number(decodeList(payload)[0]));
      else if (type === "C") connections.carry(new StewardConnection(link, payload.readUInt32BE()));
      else if (type === "r") fail(payload.toString());
      else if (type === "Z") connections.close();
    },
    gone: () => fail("it has ended"),
  });
  link.send("L", channel);
  try {
    return {
      port: await listening.promise,
      [Symbol.asyncDispose]: async () => {
        // The port first: nobody is to be let in while the others are broken off.
        link.send("D", channel);
        link.closeChannel(channel);
        connections.close();
      },
    };
  } catch (error) {
    link.closeChannel(channel);
    throw error;
  }
}
