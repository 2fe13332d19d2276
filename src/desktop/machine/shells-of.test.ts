import { expect, test } from "vitest";
import type { JsonValue } from "../../contract/json-value.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { MemorySandboxProvider } from "../../testing/memory-sandbox/memory-sandbox-provider.ts";
import { testMachine } from "../../testing/test-machine.ts";
import { createMachine } from "./create-machine.ts";

test("in Windows lines are PowerShell's, and files are named as there", async () => {
  const provider = new MemorySandboxProvider({
    clock: createFixedClock(),
    programs: {
      bash: () => ({ stdout: "a bash that is not the machine's" }),
      powershell: ({ argv }) => ({ stdout: `ran ${argv.at(-1)}` }),
    },
  });
  const sandbox = await provider.create(testMachine({ role: "agent", os: "windows" }));
  await sandbox.writeFile("/home/agent/output/a.txt", "text");
  await using machine = createMachine(sandbox);
  const ask = async (name: string, input: JsonValue): Promise<string> => {
    const tool = machine.tools.find((one) => one.name === name);
    const outcome = await tool?.call(input, new AbortController().signal);
    const [part] = outcome?.content ?? [];
    return part?.type === "text" ? part.text : "";
  };
  expect(await ask("run", { command: "dir" })).toMatch(/^ran .*\ndir\n/);
  expect(await ask("read", { path: "C:\\Users\\agent\\output\\a.txt" })).toBe("text");
  expect(await ask("read", { path: "output\\a.txt" })).toBe("text");
  expect(await ask("read", { path: "C:\\Windows\\a.txt" })).toContain("is outside /home/agent");
});
