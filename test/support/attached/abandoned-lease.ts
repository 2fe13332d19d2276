import type { AttachedMachine } from "../../../src/sandbox/attached/attached-machine.ts";
import { attachedIn } from "./attached-target.ts";

// A process of its own: takes a machine, says the lease's id, and waits to be killed.
const [stateDir = "", machines = "[]"] = process.argv.slice(2);
const provider = attachedIn(stateDir, JSON.parse(machines) as readonly AttachedMachine[]);
const sandbox = await provider.create({
  labels: { run: "abandoned", trial: "trial", attempt: 1, role: "test" },
  leaseSeconds: 600,
  cpus: 1,
  memoryMb: 128,
  diskMb: 32,
  maxProcesses: 50,
  network: "off",
  mounts: [],
  env: {},
});
await sandbox.exec(["/bin/sh", "-c", "sleep 4000 & setsid sleep 4001 &"]);
process.send?.(sandbox.id);
setInterval(() => undefined, 1000);
