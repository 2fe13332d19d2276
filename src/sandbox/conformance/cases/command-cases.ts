import { describeEnd } from "../../command.ts";
import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, expectRejection, outputOf, shell, text } from "../expectations.ts";

export const commandCases: readonly ConformanceCase[] = [
  onMachine("a command that succeeds exits 0 with its output", async (sandbox) => {
    const result = await sandbox.exec(["echo", "hello"]);
    expectEqual(result.end, { kind: "exited", code: 0 }, "end");
    expectEqual(text(result.stdout), "hello\n", "stdout");
    expectEqual(text(result.stderr), "", "stderr");
  }),
  onMachine("exit codes are reported as they are, 0 to 255", async (sandbox) => {
    for (const code of [1, 2, 42, 125, 126, 127, 128, 137, 143, 255]) {
      expectEqual((await shell(sandbox, `exit ${code}`)).end, { kind: "exited", code }, "end");
    }
  }),
  onMachine("standard output and standard error are kept apart", async (sandbox) => {
    const result = await shell(sandbox, "echo out; echo error >&2");
    expectEqual([text(result.stdout), text(result.stderr)], ["out\n", "error\n"], "streams");
  }),
  onMachine("arguments arrive as they were given, whatever they hold", async (sandbox) => {
    const words = [
      "",
      " ",
      "a b",
      "$HOME",
      "`id`",
      "'",
      '"',
      "\\",
      "*",
      "-n",
      "--",
      "ü\n\t…",
      "a=b",
      "\u{1F600}",
    ];
    const result = await sandbox.exec(["/usr/bin/printf", "%s\\0", ...words]);
    expectEqual(text(result.stdout).split("\0").slice(0, -1), words, "arguments");
  }),
  onMachine("an argument of 100 KiB arrives whole", async (sandbox) => {
    const long = "x".repeat(100 * 1024);
    const result = await sandbox.exec(["/usr/bin/printf", "%s", long]);
    expectEqual(result.stdoutBytes, long.length, "bytes");
  }),
  onMachine("a program that does not exist is not started, and no exit code is made up", async (sandbox) => {
    const result = await sandbox.exec(["no-such-program-here"]);
    expectEqual(result.end.kind, "not-started", describeEnd(result.end));
  }),
  onMachine("a file that is not executable is not started", async (sandbox) => {
    await sandbox.writeFile("/home/agent/plain", "#!/bin/sh\n", { mode: 0o644 });
    expectEqual((await sandbox.exec(["/home/agent/plain"])).end.kind, "not-started", "end");
  }),
  onMachine("a folder is not a program", async (sandbox) => {
    expectEqual((await sandbox.exec(["/home/agent"])).end.kind, "not-started", "end");
  }),
  onMachine("an empty command is the caller's mistake", async (sandbox) => {
    await expectRejection(sandbox.exec([]), "sandbox-command", "exec([])");
  }),
  onMachine("a script written with mode 755 runs", async (sandbox) => {
    await sandbox.writeFile("/home/agent/tool", "#!/bin/sh\necho ran $1\n", { mode: 0o755 });
    expectEqual(text((await sandbox.exec(["/home/agent/tool", "it"])).stdout), "ran it\n", "stdout");
  }),
  onMachine("commands start in the agent's home", async (sandbox) => {
    expectEqual(await outputOf(sandbox, "pwd"), "/home/agent", "working directory");
  }),
  onMachine("commands start in the working directory asked for", async (sandbox) => {
    expectEqual(await outputOf(sandbox, "pwd", { cwd: "/usr/bin" }), "/usr/bin", "working directory");
  }),
  onMachine("a working directory that does not exist stops the start", async (sandbox) => {
    expectEqual((await sandbox.exec(["true"], { cwd: "/no/such" })).end.kind, "not-started", "end");
  }),
  onMachine("a working directory with blanks and accents works", async (sandbox) => {
    await outputOf(sandbox, "mkdir 'día 1'");
    expectEqual(
      await outputOf(sandbox, "pwd", { cwd: "/home/agent/día 1" }),
      "/home/agent/día 1",
      "directory",
    );
  }),
  onMachine("variables are added to the environment", async (sandbox) => {
    const env = { WORD: "a 'b' \"c\" $d\ne", EMPTY: "" };
    const printed = await outputOf(sandbox, 'printf "%s|%s|%s" "$WORD" "$EMPTY" "$HOME"', { env });
    expectEqual(printed, `${env.WORD}||/home/agent`, "variables");
  }),
  onMachine("one command's variables are not the next one's", async (sandbox) => {
    await outputOf(sandbox, "true", { env: { LEFT: "1" } });
    expectEqual(await outputOf(sandbox, 'printf "%s" "$LEFT"'), "", "LEFT");
  }),
  onMachine("files of one command are there for the next", async (sandbox) => {
    await outputOf(sandbox, "echo kept > note");
    expectEqual(await outputOf(sandbox, "cat note"), "kept", "note");
  }),
  onMachine("twenty commands at once do not mix their output", async (sandbox) => {
    const numbers = Array.from({ length: 20 }, (_, index) => String(index));
    const printed = await Promise.all(numbers.map((number) => outputOf(sandbox, `echo ${number}`)));
    expectEqual(printed, numbers, "outputs");
  }),
  onMachine("the time a command took is measured", async (sandbox) => {
    const result = await sandbox.exec(["sleep", "0.2"]);
    expect(result.wallMs >= 200, `wallMs is ${result.wallMs} for sleep 0.2`);
  }),
  onMachine("the machine's clock is the host's, in UTC", async (sandbox, { clock }) => {
    const seconds = Number(await outputOf(sandbox, "date +%s"));
    expect(Math.abs(seconds * 1000 - clock.now()) < 60_000, `the machine says ${seconds}`);
    expectEqual(await outputOf(sandbox, "date +%Z"), "UTC", "time zone");
  }),
];
