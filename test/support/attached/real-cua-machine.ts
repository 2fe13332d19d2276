import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AttachedCua } from "../../../src/sandbox/attached/attached-machine.ts";
import { freePort, startNamespaceMachine } from "./namespace-machine.ts";

export interface RealCuaMachine extends AsyncDisposable {
  readonly machine: AttachedCua;
}

/** A display with a window manager, and the server at it. */
const script = `
mkfifo /tmp/display
Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp > /dev/null 2>&1 3> /tmp/display &
read -r number < /tmp/display
export DISPLAY=":$number" HOME=/root CUA_TELEMETRY_ENABLED=false
unset CONTAINER_NAME
openbox > /dev/null 2>&1 &
# Without a window manager the server's library for windows does not load, and is not tried again.
until xprop -root _NET_SUPPORTING_WM_CHECK | grep -q '#'; do sleep 0.05; done
exec "$1" -m computer_server --host 127.0.0.1 --port "$2"
`;

/**
 * A machine of namespaces behind the real computer-server.
 * @param python with `cua-computer-server` installed, somewhere below `/opt` or `/usr`.
 */
export async function startRealCuaMachine(name: string, python: string): Promise<RealCuaMachine> {
  const namespace = await startNamespaceMachine({ empty: "" }, ["sleep", "infinity"]);
  const port = await freePort();
  const [command = "", ...prefix] = namespace.prefix;
  const argv = [...prefix, "sh", "-c", script, "ale", python, String(port)];
  const server = spawn(command, argv, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  server.stderr.on("data", (piece: Buffer) => {
    said = `${said}${piece.toString()}`.slice(-4000);
  });
  const machine: AttachedCua = { kind: "cua", name, address: `http://127.0.0.1:${port}` };
  while (!(await answers(machine.address))) {
    if (server.exitCode !== null) throw new Error(`the computer-server did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    machine,
    async [Symbol.asyncDispose]() {
      const gone = once(server, "exit");
      await namespace[Symbol.asyncDispose]();
      if (server.exitCode === null && server.signalCode === null) await gone;
    },
  };
}

async function answers(address: string): Promise<boolean> {
  return fetch(`${address}/status`).then(
    ({ ok }) => ok,
    () => false,
  );
}
