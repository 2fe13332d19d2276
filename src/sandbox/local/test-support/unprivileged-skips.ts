import type { ConformanceSkips } from "../../conformance/run-conformance.ts";

const noLimits = "this user was given no control group to hold a machine to a limit";
const noGroups = "without control groups a process that left its family is found only by quiescing";
const oneUser = "without privilege the agent and the machine's root are one user on the host";
const readOnlySystem = "without privilege the system is read-only for everybody inside";
/** What local machines cannot be held to when ale runs as a user without privilege. */
export const unprivilegedSkips: ConformanceSkips = {
  "a program that takes too much memory is killed, the machine is not": noLimits,
  "whom the kernel killed for want of memory is told from whom others killed": noLimits,
  "processor time is limited": noLimits,
  "a command over its time is ended, with all it started": noGroups,
  "a fork bomb is held, and the machine serves on once it is ended": noGroups,
  "the agent cannot read or change what belongs to root": oneUser,
  "root's files are told from the agent's": oneUser,
  "root can hand a file to the agent": oneUser,
  "root can write anywhere on the machine, and the agent sees it": readOnlySystem,
  "a change to the system's own files is listed where it is": readOnlySystem,
};
