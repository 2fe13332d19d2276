import type { ConformanceSkips } from "../conformance/run-conformance.ts";

/** Where a container differs from what every provider is asked for, and why. */
export const containerSkips: ConformanceSkips = {
  "a change to the system's own files is listed where it is":
    "the daemon mounts /etc/hostname, so that not even root can delete it; other files of the system are listed",
  "a trusted command may use the host's network":
    "a container that is lent a network gets the daemon's bridge, on which the host's loopback is not",
};

/** Further, where the daemon has a bridge. */
export const bridgeSkips: ConformanceSkips = {
  "with an open network the host's network is there":
    "an open network is the daemon's bridge, on which the host's loopback is not",
};

const files = "Podman limits the size of a disk in memory, and not the number of files on it";

/** Further, with Podman 4. */
export const podmanSkips: ConformanceSkips = {
  ...bridgeSkips,
  "links lead to the machine's files, never to the host's":
    "Podman writes /etc/hostname, which the case reads, without a final newline",
  "a disk filled with empty files is full too": files,
  "a disk the agent filled with files still takes trusted files after quiesce": files,
};

const noLimits =
  "a daemon of an ordinary user can hold machines to limits only where control groups of version 2 are delegated to it";

/** Further, with a daemon of an ordinary user, where nothing is delegated. */
export const rootlessSkips: ConformanceSkips = {
  "a program that takes too much memory is killed, the machine is not": noLimits,
  "whom the kernel killed for want of memory is told from whom others killed": noLimits,
  "the number of processes is limited": noLimits,
  "processor time is limited": noLimits,
};
