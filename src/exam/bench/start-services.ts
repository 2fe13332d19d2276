import type { Clock } from "../../contract/clock.ts";
import type { ServiceSpec } from "../../contract/task-manifest.ts";
import { describeEnd, succeeded } from "../../sandbox/command.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import type { TeardownStack } from "../teardown-stack.ts";

/** Whose services, and what ends them. */
export interface ServicesContext {
  readonly task: TaskPackage;
  readonly clock: Clock;
  readonly teardown: TeardownStack;
}

/** Milliseconds between two questions whether a service is ready. */
const pollMs = 250;

/** Milliseconds a service has to end before it is killed. */
const stopGraceMs = 5000;

/** Characters of a service's standard error kept for a message. */
const quoted = 2000;

/** Starts the task's services in order, each ready before the next. Returns why not, when one does not come up. */
export async function startServices(
  context: ServicesContext,
  sandbox: Sandbox,
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (const service of context.task.manifest.services) {
    const failure = await startService(context, sandbox, service, signal);
    if (failure !== undefined) return `the service ${service.name} ${failure}`;
  }
  return undefined;
}

async function startService(
  context: ServicesContext,
  sandbox: Sandbox,
  service: ServiceSpec,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { clock, teardown } = context;
  const running = await sandbox.spawn(service.argv, { user: "root" });
  teardown.add(`service ${service.name}`, () => running.stop(stopGraceMs));
  running.stdin.end();
  running.stdout.resume();
  let said = "";
  running.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-quoted);
  });
  let over: string | undefined;
  void running.ended.then(({ end }) => {
    over = withWords(`ended with ${describeEnd(end)}`, said);
  });
  if (service.ready === undefined) return undefined;
  const until = clock.monotonic() + service.ready_seconds * 1000;
  while (clock.monotonic() < until && over === undefined) {
    const timeoutMs = Math.max(1, until - clock.monotonic());
    const options = { user: "root", timeoutMs, ...(signal === undefined ? {} : { signal }) } as const;
    if (succeeded(await sandbox.exec(service.ready, options))) return undefined;
    await clock.sleep(pollMs, signal);
  }
  return over ?? withWords(`was not ready within ${service.ready_seconds} s`, said);
}

function withWords(what: string, said: string): string {
  return said.trim() === "" ? what : `${what}: ${said.trim()}`;
}
