import { describeEnd } from "../../command.ts";
import { behaviour, type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, outputOf, shell, text } from "../expectations.ts";

/** Wants more memory than the machine has. */
const greedy = "perl -e '$x = \"x\" x 600_000_000; print length $x'";

export const limitCases: readonly ConformanceCase[] = [
  onMachine("a program that takes too much memory is killed, the machine is not", async (sandbox) => {
    const result = await shell(sandbox, `exec ${greedy}`);
    const out = result.end.kind === "signalled" && result.end.signal === "SIGKILL";
    expect(out, `the end is ${describeEnd(result.end)}`);
    expectEqual(await outputOf(sandbox, "echo alive"), "alive", "next command");
  }),
  onMachine("whom the kernel killed for want of memory is told from whom others killed", async (sandbox) => {
    const ends = [`exec ${greedy}`, `${greedy}; exit $?`, "kill -9 $$", "sh -c 'kill -9 $$'; exit $?"];
    const told = [];
    for (const end of ends) told.push(describeEnd((await shell(sandbox, end)).end));
    const expected = ["SIGKILL, out of memory", "exit 137, out of memory", "SIGKILL", "exit 137"];
    expectEqual(told, expected, "ends");
  }),
  onMachine("a program within its memory is left alone", async (sandbox) => {
    expectEqual(
      await outputOf(sandbox, "perl -e '$x = \"x\" x 100_000_000; print length $x'"),
      "100000000",
      "length",
    );
  }),
  onMachine("shared memory is bounded", async (sandbox) => {
    const result = await shell(sandbox, "head -c 400000000 /dev/zero > /dev/shm/x");
    expect(!(result.end.kind === "exited" && result.end.code === 0), "400 MB fitted into /dev/shm");
  }),
  onMachine("a fork bomb is held, and the machine serves on once it is ended", async (sandbox) => {
    // One fork, then none: on a busy host the bomb is full before a second one.
    const bomb = "bomb() { bomb | bomb & }; bomb & exec sleep 3301";
    const result = await shell(sandbox, bomb, { timeoutMs: 1500 });
    expectEqual(result.end.kind, "timed-out", describeEnd(result.end));
    expectEqual(await outputOf(sandbox, "echo alive"), "alive", "next command");
  }),
  behaviour("the number of processes is limited", async (context) => {
    const sandbox = await context.machine({ maxProcesses: 20 });
    const result = await shell(sandbox, "for n in $(seq 1 60); do sleep 20 & done; wait", {
      timeoutMs: 20_000,
    });
    expect(
      /fork|Resource/i.test(text(result.stderr)),
      `sixty processes were started: ${describeEnd(result.end)}`,
    );
  }),
  behaviour("processor time is limited", async (context) => {
    const sandbox = await context.machine({ cpus: 0.25 });
    const script = `perl -e 'use Time::HiRes "time"; $end = time + 1.5; 1 while time < $end; ($u, $s) = times; print $u + $s'`;
    const seconds = Number(await outputOf(sandbox, script));
    expect(seconds < 1, `${seconds} s of processor time were had in 1.5 s of a quarter processor`);
  }),
  onMachine("a full disk is an error to who writes, and to nobody else", async (sandbox) => {
    const result = await shell(sandbox, "head -c 200000000 /dev/zero > /home/agent/fill");
    expect(/No space/.test(text(result.stderr)), `stderr says ${text(result.stderr)}`);
    expect(
      ((await sandbox.stat("/home/agent/fill"))?.bytes ?? 0) < 70_000_000,
      "more than the disk was written",
    );
    await outputOf(sandbox, "rm fill; echo x > y");
  }),
  onMachine("home, /tmp and /var/tmp share one disk", async (sandbox) => {
    await outputOf(
      sandbox,
      "head -c 30000000 /dev/zero > /home/agent/a; head -c 25000000 /dev/zero > /tmp/b",
    );
    const result = await shell(sandbox, "head -c 30000000 /dev/zero > /var/tmp/c");
    expect(/No space/.test(text(result.stderr)), `stderr says ${text(result.stderr)}`);
  }),
  behaviour("a disk filled with empty files is full too", async (context) => {
    const sandbox = await context.machine({ diskMb: 8 });
    const result = await shell(sandbox, "mkdir d; cd d; seq 1 20000 | xargs touch");
    expect(/No space/.test(text(result.stderr)), "twenty thousand files fitted on 8 MiB");
    expectEqual(await outputOf(sandbox, "echo alive"), "alive", "next command");
  }),
  ...(
    [
      ["bytes", "head -c 200000000 /dev/zero > fill"],
      ["files", "mkdir d; cd d; seq 1 20000 | xargs touch"],
    ] as const
  ).map(([what, fill]) =>
    behaviour(
      `a disk the agent filled with ${what} still takes trusted files after quiesce`,
      async (context) => {
        const sandbox = await context.machine({ diskMb: 8 });
        const result = await shell(sandbox, fill);
        expect(/No space/.test(text(result.stderr)), `stderr says ${text(result.stderr)}`);
        await sandbox.quiesce();
        const content = new Uint8Array(1024 * 1024).fill(1);
        await sandbox.writeFile("/ale/trusted/file", content, { owner: "root" });
        expectEqual((await sandbox.stat("/ale/trusted/file"))?.bytes, content.length, "bytes written");
      },
    ),
  ),
];
