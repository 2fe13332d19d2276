import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { createLocalProvider } from "../../sandbox/local/local-provider.ts";
import { hostClock } from "../../sandbox/local/test-support/host-clock.ts";
import type { SandboxSpec } from "../../sandbox/provider.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { DesktopOptions } from "../desktop-options.ts";
import { type Desktop, startDesktop } from "../start-desktop.ts";

export interface DesktopMachine extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly desktop: Desktop;
}

let made = 0;

/** A local machine without a network, with a desktop. */
export async function desktopMachine(
  options: DesktopOptions = {},
  changes: Partial<SandboxSpec> = {},
): Promise<DesktopMachine> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "ale-desktop-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const sandbox = cleanup.use(
    await createLocalProvider({
      stateDir: join(folder, "state"),
      clock: hostClock,
      ids: () => `desktop-${process.pid}-${made++}`,
      ownerPid: process.pid,
    }).create({
      labels: { run: "run", trial: "trial", attempt: 1, role: "test" },
      leaseSeconds: 3600,
      cpus: 2,
      memoryMb: 3072,
      diskMb: 512,
      maxProcesses: 512,
      network: "off",
      mounts: [{ source: process.execPath, target: sandboxLayout.node }],
      env: {},
      ...changes,
    }),
  );
  const desktop = cleanup.use(await startDesktop(sandbox, options));
  const kept = cleanup.move();
  return { sandbox, desktop, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
