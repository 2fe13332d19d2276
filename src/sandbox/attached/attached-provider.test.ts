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
    machinesFiles: ["machines.yaml"],
    ...{ stateDir, clock: hostClock, ids: () => "one", ownerPid: process.pid },
  });
  const told = { code: "bad-machines-file", message: "machines.yaml:5:5: adress", remedy: "mend it" };
  expect(await provider.preflight()).toMatchObject([{ severity: "error", ...told }]);
  expect(await provider.preflight(testMachine({ role: "agent" }))).toMatchObject([told]);
  await expect(provider.create(testMachine({ role: "agent" }))).rejects.toMatchObject(told);
  expect(await provider.list()).toEqual([]);
  expect(await provider.reap()).toEqual([]);
});

test("where there is no machine, every task is told the same: the files that are looked in, and the guide", async () => {
  const common = { stateDir: "/nonexistent", clock: hostClock, ids: () => "one", ownerPid: process.pid };
  const machinesFiles = ["machines.yaml", "/home/ada/.config/ale/machines.yaml"];
  const none = createAttachedProvider({ ...common, machinesFiles, machines: () => [] });
  const general = await none.preflight();
  expect(general).toMatchObject([{ severity: "error", code: "no-machine" }]);
  expect(general[0]?.message).toMatch(/ machines\.yaml and.* \/home\/ada\/\.config\/ale\/machines\.yaml\.$/);
  expect(general[0]?.remedy).toContain("docs/guide/machines.md");
  for (const image of ["office", "reg.test/x:1"]) {
    expect(await none.preflight(testMachine({ role: "agent", image }))).toEqual(general);
  }
  const one = { kind: "cua", name: "one", address: "http://127.0.0.1:9" } as const;
  const some = createAttachedProvider({ ...common, machinesFiles, machines: () => [one] });
  const [unserved] = await some.preflight(testMachine({ role: "agent", image: "office" }));
  expect(unserved?.message).toContain("None of the attached machines is the image office");
});
