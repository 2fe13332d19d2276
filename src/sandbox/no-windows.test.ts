import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testMachine } from "../testing/test-machine.ts";
import { createAttachedProvider } from "./attached/attached-provider.ts";
import { createContainerProvider } from "./container/container-provider.ts";
import { hostClock } from "./local/test-support/host-clock.ts";

test("a task that asks for Windows is sent from containers and attached machines to virtual ones, whatever else is missing", async () => {
  await using cleanup = new AsyncDisposableStack();
  const stateDir = await mkdtemp(join(tmpdir(), "ale-no-windows-"));
  cleanup.defer(() => rm(stateDir, { recursive: true }));
  const common = { stateDir, clock: hostClock, ids: () => "one", ownerPid: process.pid };
  const container = cleanup.use(createContainerProvider({ ...common, sockets: [] }));
  const attached = createAttachedProvider({ ...common, machines: () => [], machinesFiles: [] });
  const spec = testMachine({ role: "agent", os: "windows" });
  for (const [provider, machines] of [
    [container, "containers"],
    [attached, "attached machines"],
  ] as const) {
    const told = {
      message: `A task asks for Windows, and ${machines} never run it.`,
      remedy: "Use the provider vm.",
    };
    expect(await provider.preflight(spec)).toEqual([{ severity: "error", code: "os", ...told }]);
    await expect(provider.create(spec)).rejects.toMatchObject({ code: "sandbox-create", ...told });
  }
});
