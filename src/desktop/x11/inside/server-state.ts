import * as fs from "node:fs";

/**
 * How the kernel has the X server of a display, by its letter: `T` stopped, `t` traced, `S` asleep, `R` at work. Of several
 * with its number a stopped one is told; empty where none is found.
 */
export function serverState(display: string): string {
  const states = fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => stateOf(pid, display));
  return states.find((state) => /^t$/i.test(state)) ?? states.find((state) => state !== "") ?? "";
}

/** Empty for any other process, and for one that has just ended. */
function stateOf(pid: string, display: string): string {
  try {
    const [program = "", number] = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    if (!/(^|\/)Xvfb$/.test(program) || number !== `:${display}`) return "";
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).slice(0, 1);
  } catch {
    return "";
  }
}
