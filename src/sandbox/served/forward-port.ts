import { AleError } from "../../contract/ale-error.ts";
import { numberAt, textAt } from "../../contract/json-fields.ts";
import { CarriedConnections } from "../forward/carried-connections.ts";
import type { ForwardedPort } from "../forward/forwarded-port.ts";
import type { InsideConnection } from "../forward/inside-connection.ts";
import type { MachineClient } from "./machine-client.ts";

/** Connects a port of the machine's loopback to a unix socket of the host. Rejects with `sandbox-forward`. */
export async function forwardPort(client: MachineClient, hostSocket: string): Promise<ForwardedPort> {
  const connections = new CarriedConnections(hostSocket);
  const listening = Promise.withResolvers<number>();
  const channel = client.channel({ op: "listen" });
  channel.onEvent = (event) => {
    const port = numberAt(event, "listening");
    if (port !== undefined) listening.resolve(port);
    const number = numberAt(event, "accepted");
    if (number !== undefined) connections.carry(accepted(client, number));
  };
  // An answer is the end of it: it could not listen, or was quiesced.
  channel.answer.then(
    (answer) => {
      const message = `No port of the machine can be forwarded: ${textAt(answer, "message")}.`;
      listening.reject(new AleError({ code: "sandbox-forward", message }));
      connections.close();
    },
    (error: unknown) => {
      listening.reject(error);
      connections.close();
    },
  );
  return {
    port: await listening.promise,
    [Symbol.asyncDispose]: async () => {
      // The port first: nobody is to be let in while the others are broken off.
      if (!client.lost) client.forget(channel);
      connections.close();
    },
  };
}

function accepted(client: MachineClient, number: number): InsideConnection {
  const channel = client.accepted(number);
  return {
    input: channel.stdin,
    output: channel.stdout,
    over: channel.answer.then((answer) => (answer["broken"] === true ? "broken" : "ended")),
    close: () => client.forget(channel),
  };
}
