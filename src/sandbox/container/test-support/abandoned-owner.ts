// Makes a machine, and others ahead where it is told how many may stand ready; tells its id, and waits to be killed.
import type { SandboxSpec } from "../../provider.ts";
import { providerOn } from "./conformance-target.ts";

const [socket = "", stateDir = "", image = "", ready = "0"] = process.argv.slice(2);
const provider = providerOn(socket, stateDir, image, Number(ready));
const spec: SandboxSpec = {
  labels: { run: "abandoned", trial: "case", attempt: 1, role: "test" },
  leaseSeconds: 600,
  cpus: 1,
  memoryMb: 256,
  diskMb: 64,
  maxProcesses: 64,
  network: "off",
  mounts: [],
  env: {},
};
const sandbox = await provider.create(spec);
await provider.warm(spec);
process.send?.(sandbox.id);
process.stdin.resume();
setInterval(() => undefined, 1000);
