import { AleError } from "../contract/ale-error.ts";
import { sandboxLayout } from "../contract/sandbox-layout.ts";
import type { CommandOptions } from "./command.ts";

/** The whole environment of a command: the small fixed one, the machine's, the command's own. Throws `sandbox-environment`. */
export function commandEnvironment(
  machine: Readonly<Record<string, string>>,
  options: CommandOptions,
): Readonly<Record<string, string>> {
  const environment = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: homeOf(options),
    USER: options.user === "root" ? "root" : sandboxLayout.agentUser,
    LANG: "C.UTF-8",
    TZ: "UTC",
    ...machine,
    ...options.env,
  };
  checkEnvironment(environment);
  return environment;
}

/** Home of the user that the command runs as. */
export function homeOf(options: Pick<CommandOptions, "user">): string {
  return options.user === "root" ? "/root" : sandboxLayout.home;
}

/** Throws `sandbox-environment` for a name or value that no program can be given. */
export function checkEnvironment(environment: Readonly<Record<string, string>>): void {
  const odd = Object.entries(environment).find(
    ([name, value]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes("\0"),
  );
  if (odd === undefined) return;
  throw new AleError({
    code: "sandbox-environment",
    message: `The environment variable ${JSON.stringify(odd[0])} cannot be set in a sandbox.`,
    remedy: "Use letters, digits and _ in its name, and no zero byte in its value.",
    fields: { name: odd[0] },
  });
}
