import type { Clock } from "../../contract/clock.ts";
import type { AttachedMachine, MachineTransport } from "./attached-machine.ts";
import { CuaTransport } from "./cua/cua-transport.ts";
import { SshTransport } from "./ssh/ssh-transport.ts";

/** The way to a machine; nothing is connected yet. */
export function openTransport(machine: AttachedMachine, clock: Clock): MachineTransport {
  return machine.kind === "ssh" ? new SshTransport(machine) : new CuaTransport(machine, clock);
}
