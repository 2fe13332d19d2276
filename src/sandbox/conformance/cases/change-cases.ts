import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, outputOf } from "../expectations.ts";

export const changeCases: readonly ConformanceCase[] = [
  onMachine("nothing has changed right after the baseline", async (sandbox) => {
    await sandbox.writeFile("/home/agent/input/a", "x");
    await sandbox.markBaseline();
    expectEqual(await sandbox.changes(), [], "changes");
  }),
  onMachine("what the agent creates, changes and deletes is listed", async (sandbox) => {
    await sandbox.writeFile("/home/agent/old", "x");
    await sandbox.writeFile("/home/agent/gone", "x");
    await sandbox.writeFile("/home/agent/same", "x");
    await sandbox.markBaseline();
    await outputOf(
      sandbox,
      "echo y >> old; rm gone; mkdir d; echo z > d/new; echo t > /tmp/t; cat same; rm /tmp/t",
    );
    expectEqual(
      (await sandbox.changes()).map(({ path, change }) => `${change} ${path}`),
      [
        "created-or-changed /home/agent/d",
        "created-or-changed /home/agent/d/new",
        "deleted /home/agent/gone",
        "created-or-changed /home/agent/old",
      ],
      "changes",
    );
  }),
  onMachine("a change that restores size and time is still seen", async (sandbox) => {
    await outputOf(sandbox, "echo a > f; touch -d '2020-01-01 00:00:00' f");
    await sandbox.markBaseline();
    await outputOf(sandbox, "echo b > f; touch -d '2020-01-01 00:00:00' f");
    expectEqual(
      (await sandbox.changes()).map((entry) => entry.path),
      ["/home/agent/f"],
      "changes",
    );
  }),
  onMachine("a change to the system's own files is listed where it is", async (sandbox) => {
    await sandbox.markBaseline();
    await outputOf(sandbox, "rm /etc/hostname; echo x > /usr/local/new", { user: "root" });
    const changes = (await sandbox.changes()).map(({ path, change }) => `${change} ${path}`);
    expectEqual(changes, ["deleted /etc/hostname", "created-or-changed /usr/local/new"], "changes");
  }),
  onMachine("no more changes are listed than asked for", async (sandbox) => {
    await sandbox.markBaseline();
    await outputOf(sandbox, "seq 1 50 | xargs touch");
    expectEqual((await sandbox.changes(7)).length, 7, "changes");
    expect((await sandbox.changes()).length === 50, "not all fifty are listed by default");
  }),
];
