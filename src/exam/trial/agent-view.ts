import { AleError } from "../../contract/ale-error.ts";
import type { CommandOptions } from "../../sandbox/command.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

/**
 * The machine as a harness gets it: more in the environment of every command, and of no more use once `over` is
 * aborted, so that a harness left behind cannot touch what is being collected. Disposing stays with the owner.
 */
export function agentView(
  sandbox: Sandbox,
  env: Readonly<Record<string, string>>,
  over: AbortSignal,
): Sandbox {
  const within = (options: CommandOptions = {}): CommandOptions => ({
    ...options,
    env: { ...env, ...options.env },
  });
  const open = async (): Promise<Sandbox> => {
    if (!over.aborted) return sandbox;
    throw new AleError({ code: "sandbox-gone", message: "the agent phase is over" });
  };
  return {
    id: sandbox.id,
    provider: sandbox.provider,
    ...(sandbox.os === undefined ? {} : { os: sandbox.os }),
    exec: async (argv, options) => (await open()).exec(argv, within(options)),
    spawn: async (argv, options) => (await open()).spawn(argv, within(options)),
    readFile: async (path, options) => (await open()).readFile(path, options),
    writeFile: async (path, content, options) => (await open()).writeFile(path, content, options),
    upload: async (hostPath, path, options) => (await open()).upload(hostPath, path, options),
    download: async (path, hostPath, limits) => (await open()).download(path, hostPath, limits),
    stat: async (path) => (await open()).stat(path),
    list: async (path) => (await open()).list(path),
    remove: async (path) => (await open()).remove(path),
    markBaseline: async () => (await open()).markBaseline(),
    changes: async (limit) => (await open()).changes(limit),
    quiesce: async () => (await open()).quiesce(),
    fingerprint: async () => (await open()).fingerprint(),
    renewLease: async (seconds) => (await open()).renewLease(seconds),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
