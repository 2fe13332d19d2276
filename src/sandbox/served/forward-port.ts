import { connect } from "node:net";
import { AleError } from "../../contract/ale-error.ts";
import { numberAt, textAt } from "../../contract/json-fields.ts";
import type { MachineClient } from "./machine-client.ts";

/** Connects `127.0.0.1:<port>` of the machine to a unix socket of the host until disposed of. */
export async function forwardPort(
  client: MachineClient,
  hostSocket: string,
  port: number,
): Promise<AsyncDisposable> {
  const channel = client.channel({ op: "listen", port });
  const listening = Promise.withResolvers<void>();
  channel.onEvent = (event) => {
    if (event["listening"] === true) listening.resolve();
    const number = numberAt(event, "accepted");
    if (number !== undefined) carry(client, number, hostSocket);
  };
  channel.answer.then(
    (answer) => {
      const message = `The machine's port ${port} cannot be forwarded: ${textAt(answer, "message")}.`;
      listening.reject(new AleError({ code: "sandbox-forward", message }));
    },
    (error: unknown) => listening.reject(error),
  );
  await listening.promise;
  return {
    [Symbol.asyncDispose]: async () => {
      if (!client.lost) client.forget(channel);
    },
  };
}

/** One connection, until both sides have said all or either breaks off. */
function carry(client: MachineClient, number: number, hostSocket: string): void {
  const inside = client.accepted(number);
  const outside = connect({ path: hostSocket, allowHalfOpen: true });
  const close = (): void => {
    outside.destroy();
    client.forget(inside);
  };
  outside.on("error", close);
  inside.stdin.on("error", close);
  inside.answer.catch(close);
  inside.stdout.pipe(outside);
  outside.pipe(inside.stdin);
  outside.once("close", close);
}
