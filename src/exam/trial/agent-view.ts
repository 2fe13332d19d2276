import type { CommandOptions } from "../../sandbox/command.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

/** The same machine, with more in the environment of every command. Disposing stays with the owner. */
export function agentView(sandbox: Sandbox, env: Readonly<Record<string, string>>): Sandbox {
  const within = (options: CommandOptions = {}): CommandOptions => ({
    ...options,
    env: { ...env, ...options.env },
  });
  return {
    id: sandbox.id,
    provider: sandbox.provider,
    exec: (argv, options) => sandbox.exec(argv, within(options)),
    spawn: (argv, options) => sandbox.spawn(argv, within(options)),
    readFile: (path, options) => sandbox.readFile(path, options),
    writeFile: (path, content, options) => sandbox.writeFile(path, content, options),
    upload: (hostPath, path, options) => sandbox.upload(hostPath, path, options),
    download: (path, hostPath, limits) => sandbox.download(path, hostPath, limits),
    stat: (path) => sandbox.stat(path),
    list: (path) => sandbox.list(path),
    remove: (path) => sandbox.remove(path),
    markBaseline: () => sandbox.markBaseline(),
    changes: (limit) => sandbox.changes(limit),
    quiesce: () => sandbox.quiesce(),
    fingerprint: () => sandbox.fingerprint(),
    renewLease: (seconds) => sandbox.renewLease(seconds),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
