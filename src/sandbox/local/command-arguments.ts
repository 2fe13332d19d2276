import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { CommandOptions } from "../command.ts";
import { commandEnvironment, homeOf } from "../command-environment.ts";
import type { HostTools } from "./host-tools.ts";
import type { Machine } from "./machine.ts";

/** Written on descriptor 3 just before the program takes over; anything else there is why it did not. */
export const startedMark = "started";

/** What a trusted command keeps of the administrator's powers, inside the machine's own namespaces only. */
const rootCapabilities = [
  "chown",
  "dac_override",
  "fowner",
  "fsetid",
  "kill",
  "setgid",
  "setuid",
  "net_bind_service",
  "sys_chroot",
];

/** On the host: join the control groups, then enter. Arguments: groups, `--`, what enters. */
const joinScript = [
  'while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs" || exit 1; shift; done; shift',
  "umask 022; ulimit -c 0",
  'exec "$@"',
].join("\n");

/** Inside, as the command's user: environment, working directory, program. */
const programScript = [
  // bash and busybox know -u, dash knows -p; a limit that cannot be set is one the preflight warned of.
  'if [ -n "$1" ]; then ulimit -u "$1" 2>/dev/null || ulimit -p "$1" 2>/dev/null; fi; shift',
  'while [ "$1" != -- ]; do export "$1"; shift; done; shift',
  `cd -- "$1" 2>/dev/null || { printf 'the working directory %s cannot be entered' "$1" >&3; exit 1; }`,
  "unset OLDPWD; shift",
  'ale_is_program() { [ -f "$1" ] && [ -x "$1" ]; }',
  'case "$1" in',
  '*/*) ale_is_program "$1" ;;',
  '*) (IFS=:; for folder in $PATH; do ale_is_program "$folder/$1" && exit 0; done; exit 1) ;;',
  `esac || { printf 'there is no program %s' "$1" >&3; exit 1; }`,
  `printf ${startedMark} >&3`,
  'exec "$@" 3>&-',
].join("\n");

export interface EnterContext {
  readonly tools: HostTools;
  readonly machine: Machine;
  /** The agent has a host user number of its own. */
  readonly privileged: boolean;
  /** The machine has no network of its own: its policy is `open`. */
  readonly sharesNetwork: boolean;
  /** Where no control group counts processes, the agent's number of them is limited command by command. */
  readonly processLimit: number | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** The host's argument vector that runs `argv` inside the machine. */
export function commandArguments(
  context: EnterContext,
  argv: readonly string[],
  options: CommandOptions,
  groups: readonly string[],
): readonly string[] {
  const environment = Object.entries(commandEnvironment(context.env, options)).map(
    ([name, value]) => `${name}=${value}`,
  );
  return [
    ...[context.tools.path("sh"), "-c", joinScript, "ale", ...groups, "--"],
    ...enterArguments(context, options),
    ...["/usr/bin/setsid", "/bin/sh", "-c", programScript, "ale"],
    ...[options.user === "root" ? "" : String(context.processLimit ?? "")],
    ...environment,
    ...["--", options.cwd ?? homeOf(options), ...argv],
  ];
}

/** Into the machine as its administrator with every power over its namespaces: for our own mounts and signals. */
export function enterForMounting(context: EnterContext): readonly string[] {
  return [
    ...namespaceArguments(context, {}),
    ...(context.privileged ? [] : ["--preserve-credentials"]),
    "--",
  ];
}

function namespaceArguments(context: EnterContext, options: CommandOptions): readonly string[] {
  const { machine, tools, privileged } = context;
  return [
    ...[
      tools.path("nsenter"),
      "--target",
      String(machine.initPid),
      "--mount",
      "--pid",
      "--ipc",
      "--uts",
      "--cgroup",
    ],
    ...(options.network === "host" || context.sharesNetwork ? [] : ["--net"]),
    // Without privilege the machine's namespaces belong to the outer user namespace, the monitor's.
    privileged ? "--user" : `--user=/proc/${machine.monitorPid}/ns/user`,
  ];
}

/** From the host into the namespaces, as the wanted user, without a way back to more power. */
function enterArguments(context: EnterContext, options: CommandOptions): readonly string[] {
  const enter = namespaceArguments(context, options);
  const root = options.user === "root";
  const capabilities = `--bounding-set=-all,${rootCapabilities.map((name) => `+${name}`).join(",")}`;
  const restrict = ["/usr/bin/setpriv", "--no-new-privs", ...(root ? [capabilities] : [])];
  if (context.privileged) {
    const id = String(sandboxLayout.agentUid);
    return [...enter, ...(root ? [] : ["--setuid", id, "--setgid", id]), "--", ...restrict];
  }
  // The maker of a user namespace has every power in it, whatever capabilities it lays down: both users get
  // a namespace further in, the agent the machine's own, root a new one.
  const further = root
    ? ["/usr/bin/unshare", "--user", "--map-root-user"]
    : ["/usr/bin/nsenter", "--user=/proc/1/ns/user", "--preserve-credentials"];
  return [...enter, "--preserve-credentials", "--", ...further, "--", ...restrict];
}
