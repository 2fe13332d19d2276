// Makes a machine, tells its id, and waits to be killed.
import { providerOn } from "./conformance-target.ts";

const [socket = "", stateDir = "", image = ""] = process.argv.slice(2);
const sandbox = await providerOn(socket, stateDir, image).create({
  labels: { run: "abandoned", trial: "case", attempt: 1, role: "test" },
  leaseSeconds: 600,
  cpus: 1,
  memoryMb: 256,
  diskMb: 64,
  maxProcesses: 64,
  network: "off",
  mounts: [],
  env: {},
});
process.send?.(sandbox.id);
process.stdin.resume();
setInterval(() => undefined, 1000);
