import type { ConformanceCase } from "../../../conformance/conformance-case.ts";
import { type ConformanceSkips, conformanceCases } from "../../../conformance/run-conformance.ts";

const accounts = "Wine has no accounts: the agent, root and this program are one user";
const links = "Wine 8 makes no links, and follows those of its host as if they were not there";
const disk = "the size of a disk is the provider's to set, by a quota of NTFS";
const network = "the network card is the provider's, on every system";
const host = "a Wine is no machine: it sees the host's files, devices and names";
const provider = "of the provider, which is a double here";
const limits = "Wine 8 heeds no limits of jobs";
const linux = "there is no such thing in Windows";

/** Behaviours of the suite that Wine cannot show or Windows does not have. Those of the Windows cases are not named here. */
const reasons: ConformanceSkips = {
  "an argument of 100 KiB arrives whole":
    "no command line of Windows' is longer than 32766 characters; the Windows cases ask for what fits",
  "a script written with mode 755 runs": `${linux}; the Windows cases ask for batch files`,
  "the time a command took is measured": "it is measured on the host, by the same code for all systems",
  "the machine's clock is the host's, in UTC": host,
  "a program ended by a signal is said to be, with the signal's name": linux,
  "an agent that signals every process it can leaves the machine running": accounts,
  "a program can open /dev/stdout, /dev/stderr and /dev/stdin by name": linux,
  "a reader that stops early breaks the pipe for the writer":
    "it is asked of a pipe between two programs, which is cmd's",
  "commands run as the unprivileged user agent, number 1000": accounts,
  "trusted commands run as root": accounts,
  "the environment is the small fixed one": "the environment is Windows' own of the user",
  "the agent holds no capability and can gain none": linux,
  "the agent cannot write where the system is": accounts,
  "the agent cannot become root with the programs of the machine": accounts,
  "the agent cannot read or change what belongs to root": accounts,
  "the agent can write in its home, its output and the temporary folders": accounts,
  "root can write anywhere on the machine, and the agent sees it": accounts,
  "root can hand a file to the agent": accounts,
  "the machine's host name is not the host's": host,
  "only the machine's own accounts are listed": accounts,
  "stat tells kinds apart and does not follow links": links,
  "root's files are told from the agent's": accounts,
  "links lead to the machine's files, never to the host's": links,
  "writing to a link replaces the link, not what it leads to": links,
  "a folder is copied in with its modes and links": links,
  "host folders are shown where the machine was to have them, read-only": accounts,
  "links that lead out are refused, and nothing they lead to is read": links,
  "a folder that is itself a link is not followed": links,
  "pipes and sockets are refused, and nothing hangs": "no file of Windows' is a pipe or a device",
  "a sparse file is refused": "Wine tells no stored size of a file",
  "a tree of thousands of levels is refused without harm": "no path of Windows' has thousands of levels",
  "two names of one file are both taken": links,
  "a tree that turns into links while it is copied leads nowhere": links,
  "a change to the system's own files is listed where it is":
    "what Windows itself writes below C:\\Windows is not told from what others write, and is not listed",
  "a daemon of a double fork lives on": linux,
  "orphans are collected when they end": linux,
  "a program that takes too much memory is killed, the machine is not": limits,
  "whom the kernel killed for want of memory is told from whom others killed": limits,
  "a program within its memory is left alone": limits,
  "shared memory is bounded": limits,
  "a fork bomb is held, and the machine serves on once it is ended": limits,
  "the number of processes is limited": limits,
  "processor time is limited": limits,
  "a full disk is an error to who writes, and to nobody else": disk,
  "home, /tmp and /var/tmp share one disk": disk,
  "a disk filled with empty files is full too": disk,
  "a disk the agent filled with bytes still takes trusted files after quiesce": disk,
  "a disk the agent filled with files still takes trusted files after quiesce": disk,
  "without network there is a loopback and nothing else": network,
  "the machine's own loopback works": "a process left behind that serves later commands does so over it",
  "the host's loopback cannot be reached": network,
  "the host's abstract sockets cannot be reached": network,
  "no address outside can be reached": network,
  "a trusted command may use the host's network": network,
  "with an open network the host's network is there": network,
  "only the machine's own processes are seen": host,
  "no environment of the host can be read": host,
  "no folder of the host's people or of its data is there": host,
  "a world-readable file of the host outside the system cannot be read": host,
  "the host's secrets are not there, whoever looks": host,
  "another machine's files and processes are not seen": host,
  "kernel settings cannot be changed, not even by root": linux,
  "devices are the harmless few": linux,
  "a pseudo-terminal can be had": linux,
  "nothing can be mounted or unmounted, by agent or root": linux,
  "the machine is described, equally for equal machines": provider,
  "a fork bomb is quiesced": limits,
  "a machine whose owner lives and whose lease runs is not reaped": provider,
  "reaping one run leaves the others' machines": provider,
  "a machine whose owner was killed is listed as ownerless and reaped": provider,
  "aborting while a machine is made leaves nothing behind": provider,
  "ten machines are made at once": provider,
};

/** What of the suite is not run as it is: its scripts are for a shell that Windows has not. */
export function windowsSkips(own: readonly ConformanceCase[]): ConformanceSkips {
  const names = new Set(conformanceCases.map(({ name }) => name));
  const asked = own
    .filter(({ name }) => names.has(name))
    .map(({ name }) => [name, "asked in the Windows cases"]);
  return { ...reasons, ...(Object.fromEntries(asked) as ConformanceSkips) };
}
