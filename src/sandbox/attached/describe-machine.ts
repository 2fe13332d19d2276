import type { Clock } from "../../contract/clock.ts";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import { textAt } from "../../contract/json-fields.ts";
import { MachineClient } from "../served/machine-client.ts";
import type { AttachedMachine } from "./attached-machine.ts";
import { openTransport } from "./open-transport.ts";

/** Connects to a machine and says how it is: what keeps it from being used, or what it is. */
export async function describeMachine(machine: AttachedMachine, clock: Clock): Promise<readonly Finding[]> {
  await using transport = openTransport(machine, clock);
  const began = clock.monotonic();
  try {
    const client = await MachineClient.open(await transport.link());
    const told = await client.request({ op: "describe" });
    client.close();
    const ms = Math.round(clock.monotonic() - began);
    return [
      {
        severity: "note",
        code: "machine-ready",
        message: `The machine ${machine.name} answers in ${ms} ms: ${textAt(told, "os")}, kernel ${textAt(told, "kernel")}.`,
      },
      {
        severity: "warning",
        code: "machine-limits",
        message: `On ${machine.name} a task's disk is not limited, and memory, processors and processes only where its kernel has control groups of version 2 to give.`,
        remedy: "Give each machine the size its tasks ask for; use the provider vm where limits must hold.",
      },
    ];
  } catch (error) {
    return [findingOf(error)];
  }
}
