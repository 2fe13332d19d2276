import { providerIn } from "./conformance-target.ts";

// A process of its own: makes a machine in the state folder given, says its id, and waits to be killed.
const [stateDir = ""] = process.argv.slice(2);
const sandbox = await providerIn(stateDir).create({
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
