import type { ConformanceSkips } from "../conformance/run-conformance.ts";

const own = "root is the administrator of a kernel of its own: nothing of the host's is behind it";
const guest = "they are those of the guest's own system";
const loopback = "the host's loopback is not the guest's";

/** Where a machine with a kernel of its own differs from what every provider is asked for, and why. */
export const vmSkips: ConformanceSkips = {
  "only the machine's own processes are seen": "a kernel's own threads are seen, too",
  "a fork bomb is quiesced": "it is; but a kernel's own threads are counted by the case",
  "kernel settings cannot be changed, not even by root": own,
  "nothing can be mounted or unmounted, by agent or root": own,
  "devices are the harmless few": own,
  "no environment of the host can be read": guest,
  "the host's secrets are not there, whoever looks": guest,
  "a trusted command may use the host's network": loopback,
  "with an open network the host's network is there": loopback,
};
