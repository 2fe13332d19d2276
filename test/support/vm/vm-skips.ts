import type { ConformanceSkips } from "../../../src/sandbox/conformance/run-conformance.ts";

const own = "root is the administrator of a kernel of its own: nothing of the host's is behind it";
const speed = "an emulated machine takes minutes for it; it is the same code as over SSH, where it runs";
const memory = "each machine takes its own memory and system; one is run at a time here";

/** What a machine with a kernel of its own has otherwise, or what emulation makes too slow to try. */
export const vmSkips: ConformanceSkips = {
  "only the machine's own processes are seen": "a kernel's own threads are processes, too",
  "kernel settings cannot be changed, not even by root": own,
  "nothing can be mounted or unmounted, by agent or root": own,
  "devices are the harmless few": own,
  "no environment of the host can be read": "the variables are those of the guest's own system",
  "the host's secrets are not there, whoever looks": "the accounts are those of the guest's own system",
  "a fork bomb is quiesced": "a kernel's own threads are counted",
  "a trusted command may use the host's network": "the host's loopback is not the guest's",
  "with an open network the host's network is there": "the host's loopback is not the guest's",
  "ten machines are made at once": memory,
  "another machine's files and processes are not seen": memory,
  "reaping one run leaves the others' machines": memory,
  "50 MB of input and of output pass through": speed,
  "a file of 100 MB is written and read": speed,
  "a tree that turns into links while it is copied leads nowhere": speed,
  "a slow reader of a spawned program loses nothing": speed,
};
