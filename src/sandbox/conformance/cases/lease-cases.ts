import { behaviour, type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, expectRejection, outputOf, until, violated } from "../expectations.ts";
import { countOf } from "./signal-cases.ts";

export const leaseCases: readonly ConformanceCase[] = [
  onMachine(
    "a machine is listed with its labels while it lives, and not after",
    async (sandbox, { provider, spec }) => {
      const found = (await provider.list()).find((entry) => entry.id === sandbox.id);
      expectEqual(found?.labels, spec().labels, "labels");
      expectEqual([found?.provider, found?.ownerAlive], [provider.name, true], "listing");
      await sandbox[Symbol.asyncDispose]();
      expect(!(await provider.list()).some((entry) => entry.id === sandbox.id), "it is still listed");
    },
  ),
  onMachine("disposing twice is disposing once, and the machine is gone", async (sandbox) => {
    await sandbox[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
    await expectRejection(sandbox.exec(["true"]), "sandbox-gone", "exec");
    await expectRejection(sandbox.readFile("/etc/hostname"), "sandbox-gone", "readFile");
    await expectRejection(sandbox.writeFile("/tmp/x", ""), "sandbox-gone", "writeFile");
  }),
  onMachine("disposing ends commands that run", async (sandbox, { clock }) => {
    const running = await sandbox.spawn(["sleep", "3601"]);
    await until(clock, "it runs", async () => (await countOf(sandbox, "sleep 3601")) === 1);
    await sandbox[Symbol.asyncDispose]();
    expectEqual((await running.ended).end.kind, "signalled", "end");
  }),
  onMachine(
    "a machine whose owner lives and whose lease runs is not reaped",
    async (sandbox, { provider }) => {
      const removed = await provider.reap();
      expect(!removed.some((entry) => entry.id === sandbox.id), "it was reaped");
      expectEqual(await outputOf(sandbox, "echo alive"), "alive", "command");
    },
  ),
  behaviour("a machine whose lease has run out is reaped", async ({ machine, provider }) => {
    const sandbox = await machine({ leaseSeconds: 0 });
    const removed = await provider.reap();
    expect(
      removed.some((entry) => entry.id === sandbox.id),
      "it was not reaped",
    );
    await expectRejection(sandbox.exec(["true"]), "sandbox-gone", "exec");
  }),
  behaviour("renewing a lease keeps a machine from being reaped", async ({ machine, provider }) => {
    const sandbox = await machine({ leaseSeconds: 0 });
    await sandbox.renewLease(600);
    const removed = await provider.reap();
    expect(!removed.some((entry) => entry.id === sandbox.id), "it was reaped");
  }),
  behaviour("reaping one run leaves the others' machines", async ({ machine, provider, spec }) => {
    const labels = spec().labels;
    const first = await machine({ labels: { ...labels, run: "one" } });
    const second = await machine({ labels: { ...labels, run: "two" } });
    const removed = (await provider.reap({ run: "one", force: true })).map((entry) => entry.id);
    expectEqual(removed, [first.id], "removed");
    expectEqual(await outputOf(second, "echo alive"), "alive", "command");
  }),
  behaviour(
    "a machine whose owner was killed is listed as ownerless and reaped",
    async ({ abandon, provider }) => {
      if (abandon === undefined) throw violated("the suite was given no way to abandon a machine");
      const id = await abandon();
      const listed = (await provider.list()).find((entry) => entry.id === id);
      if (listed !== undefined) expectEqual(listed.ownerAlive, false, "owner alive");
      await provider.reap();
      expect(!(await provider.list()).some((entry) => entry.id === id), "it is still listed");
    },
  ),
  behaviour("creating with an aborted signal leaves nothing behind", async ({ provider, spec }) => {
    const before = (await provider.list()).length;
    const reason = new Error("stop");
    const seen = await provider.create(spec(), AbortSignal.abort(reason)).catch((error: unknown) => error);
    expectEqual(seen === reason, true, "rejected with the signal's reason");
    expectEqual((await provider.list()).length, before, "machines");
  }),
  behaviour("aborting while a machine is made leaves nothing behind", async ({ provider, spec, clock }) => {
    const before = (await provider.list()).length;
    for (const delay of [0, 1, 3, 6, 10, 15]) {
      const abort = new AbortController();
      const making = provider.create(spec(), abort.signal);
      clock.sleep(delay).then(() => abort.abort());
      const made = await making.catch(() => undefined);
      await made?.[Symbol.asyncDispose]();
      expectEqual((await provider.list()).length, before, `machines after ${delay} ms`);
    }
  }),
  behaviour(
    "a machine that cannot be made is an error with its cause, and leaves nothing behind",
    async (context) => {
      const before = (await context.provider.list()).length;
      const mounts = [{ source: "/no/such/folder", target: "/ale/x" }];
      await expectRejection(context.machine({ mounts }), "sandbox-create", "create");
      expectEqual((await context.provider.list()).length, before, "machines");
    },
  ),
  behaviour("ten machines are made at once", async (context) => {
    const machines = await Promise.all(Array.from({ length: 10 }, () => context.machine()));
    expectEqual(new Set(machines.map((sandbox) => sandbox.id)).size, 10, "ids");
    const words = await Promise.all(machines.map((sandbox, index) => outputOf(sandbox, `echo ${index}`)));
    expectEqual(
      words,
      machines.map((_, index) => String(index)),
      "outputs",
    );
  }),
  behaviour("a host in order has no error in preflight", async ({ provider, spec }) => {
    const errors = (await provider.preflight(spec())).filter((finding) => finding.severity === "error");
    expectEqual(errors, [], "errors");
  }),
];
