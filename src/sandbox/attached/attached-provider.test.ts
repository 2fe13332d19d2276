import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AleError } from "../../contract/ale-error.ts";
import { testMachine } from "../../testing/test-machine.ts";
import { hostClock } from "../local/test-support/host-clock.ts";
import { createAttachedProvider } from "./attached-provider.ts";

test("machines that cannot be read are told to who asks for one, and keep nobody else", async () => {
  await using cleanup = new AsyncDisposableStack();
  const stateDir = await mkdtemp(join(tmpdir(), "ale-attached-"));
  cleanup.defer(() => rm(stateDir, { recursive: true }));
  const provider = createAttachedProvider({
    machines: () => {
      throw new AleError({
        code: "bad-machines-file",
        message: "machines.yaml:5:5: adress",
        remedy: "mend it",
      });
    },
    ...{ stateDir, clock: hostClock, ids: () => "one", ownerPid: process.pid },
  });
  const told = { code: "bad-machines-file", message: "machines.yaml:5:5: adress", remedy: "mend it" };
  expect(await provider.preflight()).toMatchObject([{ severity: "error", ...told }]);
  expect(await provider.preflight(testMachine({ role: "agent" }))).toMatchObject([told]);
  await expect(provider.create(testMachine({ role: "agent" }))).rejects.toMatchObject(told);
  expect(await provider.list()).toEqual([]);
  expect(await provider.reap()).toEqual([]);
});
