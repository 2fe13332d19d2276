import type { ConformanceSkips } from "../../../src/sandbox/conformance/run-conformance.ts";

const own = "the machine is its owner's: its system, processes and settings are as they are";
const unlimited = "an attached machine's memory, processors and disk are its own; the preflight warns of it";
const root = "root is the administrator of the machine itself";

/** What a machine that somebody else made and keeps cannot be held to. */
export const attachedSkips: ConformanceSkips = {
  "commands run as the unprivileged user agent, number 1000": "the number may be another's on the machine",
  "root can hand a file to the agent": "the number may be another's on the machine",
  "a program that takes too much memory is killed, the machine is not": unlimited,
  "whom the kernel killed for want of memory is told from whom others killed": unlimited,
  "shared memory is bounded": unlimited,
  "processor time is limited": unlimited,
  "a full disk is an error to who writes, and to nobody else": unlimited,
  "home, /tmp and /var/tmp share one disk": unlimited,
  "a disk filled with empty files is full too": unlimited,
  "a disk the agent filled with bytes still takes trusted files after quiesce": unlimited,
  "a disk the agent filled with files still takes trusted files after quiesce": unlimited,
  "only the machine's own processes are seen": own,
  "no environment of the host can be read": own,
  "no folder of the host's people or of its data is there": own,
  "the host's secrets are not there, whoever looks": own,
  "a fork bomb is quiesced": own,
  "kernel settings cannot be changed, not even by root": root,
  "nothing can be mounted or unmounted, by agent or root": root,
  "devices are the harmless few": own,
  "ten machines are made at once": "there are two",
  "the machine is described, equally for equal machines": "two machines are not one",
};
