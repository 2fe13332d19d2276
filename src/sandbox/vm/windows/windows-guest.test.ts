import { describe, expect, test } from "vitest";
import {
  GuestAgentDouble,
  type GuestAgentEnd,
  type GuestAgentProgram,
} from "../../../testing/guest-agent/guest-agent-double.ts";
import { hostClock } from "../../local/test-support/host-clock.ts";
import { GuestAgentClient } from "../guest-agent/guest-agent-client.ts";
import { WindowsGuest } from "./windows-guest.ts";

function guest(run: (script: string, program: GuestAgentProgram) => GuestAgentEnd): {
  readonly double: GuestAgentDouble;
  readonly windows: WindowsGuest;
} {
  const double = new GuestAgentDouble({
    run: (program) => run(Buffer.from(program.arguments.at(-1) ?? "", "base64").toString("utf16le"), program),
  });
  return { double, windows: new WindowsGuest(new GuestAgentClient(double, hostClock), hostClock) };
}

const ended = (how: string, stdout = ""): GuestAgentEnd => ({
  code: 0,
  stdout: `${stdout}\u0001ale-end\u0001${how}`,
});

describe("a Windows guest", () => {
  test("runs a command by a script that holds its words, its folder and its variables", async () => {
    let seen = "";
    const { windows, double } = guest((script) => {
      seen = script;
      return ended("exited 3", "out\r\n");
    });
    const result = await windows.exec(["python", "a b.py", "it's"], {
      cwd: "/home/agent/output",
      env: { NAME: "va'lue" },
      stdin: "in",
      timeoutMs: 5000,
    });
    expect([result.end, Buffer.from(result.stdout).toString()]).toEqual([
      { kind: "exited", code: 3 },
      "out\r\n",
    ]);
    expect(double.programs[0]?.path).toMatch(/powershell\.exe$/);
    expect(double.programs[0]?.input.toString()).toBe("in");
    expect(seen).toContain("$start.FileName = 'python'");
    expect(seen).toContain(`$start.Arguments = '"a b.py" it''s'`);
    expect(seen).toContain("$start.WorkingDirectory = 'C:\\Users\\agent\\output'");
    expect(seen).toContain("$start.EnvironmentVariables['NAME'] = 'va''lue'");
    expect(seen).toContain("WaitForExit(5000)");
  });

  test("tells time limits and programs that do not start from exit codes", async () => {
    const answers = ["timed-out", "failed The system cannot find the file specified", "exited -1073741819"];
    const { windows } = guest(() => ended(answers.shift() ?? ""));
    expect((await windows.exec(["a"], { timeoutMs: 100 })).end).toEqual({ kind: "timed-out", afterMs: 100 });
    expect((await windows.exec(["a"])).end).toMatchObject({ kind: "not-started" });
    expect((await windows.exec(["a"])).end).toEqual({ kind: "exited", code: -1073741819 });
  });

  test("takes and gives files byte for byte, in pieces", async () => {
    const { windows, double } = guest(() => ({ code: 0 }));
    const bytes = Uint8Array.from({ length: 2_500_000 }, (_, index) => (index * 7) % 256);
    await windows.writeFile("/home/agent/input/data.bin", bytes);
    expect([...double.files.keys()]).toEqual(["C:\\Users\\agent\\input\\data.bin"]);
    const back = await windows.readFile("/home/agent/input/data.bin", bytes.length);
    expect(Buffer.compare(back, bytes)).toBe(0);
    await expect(windows.readFile("/home/agent/input/data.bin", 1000)).rejects.toMatchObject({
      code: "sandbox-path",
    });
    await expect(windows.readFile("/home/agent/none", 1)).rejects.toMatchObject({ code: "guest-command" });
  });

  test("lists a folder of one, of many and of none", async () => {
    const answers = ['"one"', '["b","a"]', ""];
    const { windows } = guest(() => ({ code: 0, stdout: answers.shift() ?? "" }));
    expect(await windows.list("/home/agent")).toEqual(["one"]);
    expect(await windows.list("/home/agent")).toEqual(["a", "b"]);
    expect(await windows.list("/home/agent")).toEqual([]);
  });
});

describe("the guest agent's client", () => {
  test("greets until the guest has booted, and drops what an earlier host asked", async () => {
    const double = new GuestAgentDouble({ run: () => ({ code: 0 }), silent: 1 });
    const client = new GuestAgentClient(double, hostClock);
    double.push('{"return": 12345}\n');
    await client.greet(60_000);
    expect(await client.command("guest-ping")).toEqual({});
  });

  test("says so when the guest never answers, and when its port closes", async () => {
    const double = new GuestAgentDouble({ run: () => ({ code: 0 }), silent: 1000 });
    const client = new GuestAgentClient(double, hostClock);
    await expect(client.greet(1)).rejects.toMatchObject({ code: "guest-silent" });
    double.destroy();
    await expect(client.command("guest-ping")).rejects.toMatchObject({ code: "sandbox-gone" });
  });
});
