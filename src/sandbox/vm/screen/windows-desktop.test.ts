import { expect, test } from "vitest";
import type { CommandOptions, CommandResult } from "../../command.ts";
import { WindowsDesktop } from "./windows-desktop.ts";

/** A machine on which every command ends so, and what it was asked. */
function machineWhose(
  end: CommandResult["end"],
  stdout = "",
): { readonly desktop: WindowsDesktop; readonly asked: (CommandOptions | undefined)[] } {
  const asked: (CommandOptions | undefined)[] = [];
  const [stdoutBytes, stderrBytes, wallMs] = [stdout.length, 0, 1];
  const streams = { stdout: Buffer.from(stdout), stderr: new Uint8Array() };
  const result: CommandResult = { end, ...streams, stdoutBytes, stderrBytes, wallMs };
  const desktop = new WindowsDesktop({
    exec: async (_argv, options) => {
      asked.push(options);
      return result;
    },
  });
  return { desktop, asked };
}

test("a desktop that refuses, one that hangs and one that is lost are told apart, each with a remedy", async () => {
  const ends = [
    ["screen-refused", { kind: "exited", code: 1 }],
    ["screen-stuck", { kind: "timed-out", afterMs: 60_000 }],
    ["screen-gone", { kind: "not-started", message: "nobody is logged on at the console" }],
  ] as const;
  for (const [code, end] of ends) {
    const remedy = expect.stringMatching(/./);
    await expect(machineWhose(end).desktop.readClipboard()).rejects.toMatchObject({ code, remedy });
  }
});

test("a desktop is not waited for longer than a minute", async () => {
  const { desktop, asked } = machineWhose({ kind: "exited", code: 0 });
  await desktop.type("x");
  expect(asked).toEqual([{ timeoutMs: 60_000, stdin: "x" }]);
});

test("windows told in another form ask for a new image", async () => {
  const { desktop } = machineWhose({ kind: "exited", code: 0 }, "{}");
  await expect(desktop.windows()).rejects.toMatchObject({
    code: "screen-unsupported",
    remedy: expect.stringContaining("ale sandboxes build windows"),
  });
});
