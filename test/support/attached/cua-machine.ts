import type { AttachedCua } from "../../../src/sandbox/attached/attached-machine.ts";
import { loadSharp } from "../../../src/sandbox/frame/load-sharp.ts";
import { CuaDesktop } from "../../../src/testing/cua-server/cua-desktop.ts";
import { CuaServer } from "../../../src/testing/cua-server/cua-server.ts";
import { startNamespaceMachine } from "./namespace-machine.ts";

export interface CuaTestMachine extends AsyncDisposable {
  readonly machine: AttachedCua;
  readonly server: CuaServer;
  readonly desktop: CuaDesktop;
}

export async function encodePng(pixels: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** A machine of namespaces behind the double of the computer-server. */
export async function startCuaMachine(name: string): Promise<CuaTestMachine> {
  const namespace = await startNamespaceMachine({ empty: "" }, ["sleep", "infinity"]);
  const desktop = new CuaDesktop(encodePng);
  const key = "cua-test-key";
  const server = await CuaServer.start({ prefix: namespace.prefix, desktop, key, containerName: name });
  const machine: AttachedCua = { kind: "cua", name, address: server.address, key, containerName: name };
  return {
    machine,
    server,
    desktop,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await namespace[Symbol.asyncDispose]();
    },
  };
}
