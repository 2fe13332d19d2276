import { type ConformanceCase, onMachine } from "../../../../conformance/conformance-case.ts";
import { expect, expectEqual, text } from "../../../../conformance/expectations.ts";
import { act, cmd, cmdResult, probe, told } from "../probe.ts";

/** How commands begin, what they are given, and how they end. */
export const windowsCommandCases: readonly ConformanceCase[] = [
  onMachine("a command that succeeds exits 0 with its output", async (sandbox) => {
    const result = await cmdResult(sandbox, "echo hello");
    expectEqual([result.end, text(result.stdout)], [{ kind: "exited", code: 0 }, "hello\r\n"], "result");
    expectEqual(text(result.stderr), "", "stderr");
  }),
  onMachine("exit codes are reported as they are, 0 to 255", async (sandbox) => {
    for (const code of [1, 42, 127, 128, 137, 143, 255]) {
      expectEqual((await act(sandbox, ["exit", String(code)])).end, { kind: "exited", code }, "end");
    }
  }),
  onMachine("a status of Windows' own is an exit code, whole and without a sign", async (sandbox) => {
    for (const code of [256, 65_536, 3_221_225_477]) {
      expectEqual((await act(sandbox, ["exit", String(code)])).end, { kind: "exited", code }, "end");
    }
  }),
  onMachine("standard output and standard error are kept apart", async (sandbox) => {
    const result = await act(sandbox, ["say", "out", "error"]);
    expectEqual([text(result.stdout), text(result.stderr)], ["out", "error"], "streams");
  }),
  onMachine("arguments arrive as they were given, whatever they hold", async (sandbox) => {
    const words = [
      "",
      " ",
      "a b",
      "%PATH%",
      "`id`",
      "'",
      '"',
      "\\",
      "\\\\",
      "*",
      "ü\n\t…",
      "^&|<>",
      "\u{1F600}",
    ];
    expectEqual(JSON.parse(await told(sandbox, ["argv", ...words])), words, "arguments");
  }),
  onMachine(
    "an argument of 30,000 characters arrives whole, and one beyond Windows' own bounds is told",
    async (sandbox) => {
      const long = "x".repeat(30_000);
      expectEqual((await act(sandbox, ["say", long])).stdoutBytes, long.length, "bytes");
      const { end } = await act(sandbox, ["say", "x".repeat(40_000)]);
      expect(
        end.kind === "not-started" && /too long: Windows takes 32766/.test(end.message),
        JSON.stringify(end),
      );
    },
  ),
  onMachine("a file that is not executable is not started", async (sandbox) => {
    await sandbox.writeFile("/home/agent/plain.txt", "echo no\r\n");
    expectEqual((await sandbox.exec(["/home/agent/plain.txt"])).end.kind, "not-started", "end");
    await sandbox.writeFile("/home/agent/false.exe", "no program at all");
    expectEqual((await sandbox.exec(["/home/agent/false.exe"])).end.kind, "not-started", "end");
  }),
  onMachine("a program is found with the endings of PATHEXT, by its name or its path", async (sandbox) => {
    const env = { PATH: "/ale/bin:/usr/bin" };
    for (const name of [
      "probe",
      "PROBE.EXE",
      probe,
      `${probe}.exe`,
      "C:\\ale\\bin\\probe",
      "..\\..\\ale\\bin\\probe",
    ]) {
      expectEqual(text((await sandbox.exec([name, "say", "here"], { env })).stdout), "here", name);
    }
    expectEqual((await sandbox.exec(["probe", "say", "here"])).end.kind, "not-started", "without a path");
    // The folder a command starts in is not looked in, as on other systems.
    const there = await sandbox.exec(["probe", "say", "here"], { cwd: "/ale/bin" });
    expectEqual(there.end.kind, "not-started", "in the folder itself");
  }),
  onMachine("a batch file runs with its arguments as they are", async (sandbox) => {
    await sandbox.writeFile(
      "/home/agent/my tools/tool.cmd",
      "@echo off\r\nC:\\ale\\bin\\probe.exe argv %*\r\n",
    );
    const words = ["a b", "c&echo d", "e|f", "<g>", "h^i", "(j)", "k,l;m=n", "!o!", "back\\", ""];
    const result = await sandbox.exec(["/home/agent/my tools/tool", ...words]);
    expectEqual(JSON.parse(text(result.stdout)), words, "arguments");
  }),
  onMachine("words that a batch file would read as commands are not given to it", async (sandbox) => {
    await sandbox.writeFile("/home/agent/tool.bat", "@echo ran\r\n");
    for (const word of ['"&calc.exe', "%PATH%", "a\nb", "a\rb"]) {
      const { end } = await sandbox.exec(["/home/agent/tool.bat", word]);
      expect(end.kind === "not-started" && /batch file/.test(end.message), `${word}: ${JSON.stringify(end)}`);
    }
  }),
  onMachine("commands start in the agent's home", async (sandbox) => {
    expectEqual(await cmd(sandbox, "cd"), "C:\\Users\\agent", "working directory");
  }),
  onMachine("commands start in the working directory asked for", async (sandbox) => {
    expectEqual(await cmd(sandbox, "cd", { cwd: "/ale/bin" }), "C:\\ale\\bin", "working directory");
  }),
  onMachine("a working directory with blanks and accents works", async (sandbox) => {
    await sandbox.writeFile("/home/agent/día 1/note", "kept");
    expectEqual(await cmd(sandbox, "type note", { cwd: "/home/agent/día 1" }), "kept", "note");
  }),
  onMachine("variables are added to the environment", async (sandbox) => {
    const env = { WORD: "a 'b' \"c\" %d%\ne", Mixed: "one", MIXED2: "ü" };
    const seen = await told(sandbox, ["env", "WORD", "MIXED", "MIXED2", "HOME", "SystemRoot"], { env });
    expectEqual(JSON.parse(seen), [env.WORD, "one", "ü", "C:\\Users\\agent", "C:\\windows"], "variables");
  }),
  onMachine("one command's variables are not the next one's", async (sandbox) => {
    await told(sandbox, ["say", ""], { env: { LEFT: "1" } });
    expectEqual(JSON.parse(await told(sandbox, ["env", "LEFT"])), [null], "LEFT");
  }),
  onMachine("a variable of Windows' own is replaced whatever its case", async (sandbox) => {
    const env = { pathext: ".EXE" };
    expectEqual(JSON.parse(await told(sandbox, ["env", "PATHEXT"], { env })), [".EXE"], "variable");
  }),
  onMachine("files of one command are there for the next", async (sandbox) => {
    await cmd(sandbox, "echo kept>note");
    expectEqual(await cmd(sandbox, "type note"), "kept", "note");
  }),
  onMachine("twenty commands at once do not mix their output", async (sandbox) => {
    const numbers = Array.from({ length: 20 }, (_, index) => String(index));
    const printed = await Promise.all(numbers.map((number) => told(sandbox, ["say", number])));
    expectEqual(printed, numbers, "outputs");
  }),
  onMachine("consoles of the agent's are told to speak UTF-8", async (sandbox) => {
    // Windows heeds it, Wine does not.
    const said = await cmd(sandbox, "reg query HKCU\\Console /v CodePage");
    expect(/CodePage\s+REG_DWORD\s+0xfde9/.test(said), said);
  }),
  onMachine("programs of the system can be used", async (sandbox) => {
    await cmd(sandbox, "reg query HKLM\\Software\\Microsoft /ve");
  }),
];
