import type { ServiceSpec } from "../../contract/task-manifest.ts";
import { succeeded } from "../../sandbox/command.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { TrialContext } from "./trial-context.ts";

/** Milliseconds between two questions whether a service is ready. */
const pollMs = 250;

/** Milliseconds a service has to end before it is killed. */
const stopGraceMs = 5000;

/** Starts the task's services in order, each ready before the next. Returns why not, when one does not come up. */
export async function startServices(
  context: TrialContext,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const service of context.task.manifest.services) {
    if (!(await startService(context, sandbox, service, signal))) {
      return `the service ${service.name} was not ready within ${service.ready_seconds} s`;
    }
  }
  return undefined;
}

async function startService(
  context: TrialContext,
  sandbox: Sandbox,
  service: ServiceSpec,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, teardown } = context;
  const running = await sandbox.spawn(service.argv, { user: "root" });
  running.stdin.end();
  running.stdout.resume();
  running.stderr.resume();
  teardown.add(`service ${service.name}`, () => running.stop(stopGraceMs));
  if (service.ready === undefined) return true;
  const until = clock.monotonic() + service.ready_seconds * 1000;
  while (clock.monotonic() < until) {
    const timeoutMs = Math.max(1, until - clock.monotonic());
    if (succeeded(await sandbox.exec(service.ready, { user: "root", timeoutMs, signal }))) return true;
    await clock.sleep(pollMs, signal);
  }
  return false;
}
