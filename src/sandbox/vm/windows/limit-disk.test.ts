import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../command.ts";
import { limitDisk, usedBy } from "./limit-disk.ts";

const told = `SID Name        = BUILTIN\\Administrators (Alias)
Change time     = Monday, November 30, 2026  8:00:00
Quota Used      = 9000000000
Quota Threshold = 18446744073709551615
Quota Limit     = 18446744073709551615

SID Name        = ALE\\agent (User)
Change time     = Monday, November 30, 2026  8:00:01
Quota Used      = 104857600
Quota Threshold = 18446744073709551615
Quota Limit     = 18446744073709551615
`;

function answered(code: number, stdout = ""): CommandResult {
  const nothing = new Uint8Array();
  const bytes = new TextEncoder().encode(stdout);
  return {
    ...{ end: { kind: "exited", code }, stdout: bytes, stderr: nothing, stdoutBytes: bytes.length },
    ...{ stderrBytes: 0, wallMs: 1 },
  };
}

describe("the limit of what an agent may write in Windows", () => {
  test("is so much more than its account holds already", async () => {
    const ran: (readonly string[])[] = [];
    const exec = async (argv: readonly string[]): Promise<CommandResult> => {
      ran.push(argv.slice(1));
      return answered(0, argv[2] === "query" ? told : "");
    };
    expect(await limitDisk({ exec }, 50)).toBe(true);
    expect(ran).toEqual([
      ["quota", "enforce", "C:"],
      ["quota", "query", "C:"],
      ["quota", "modify", "C:", "157286400", "157286400", "agent"],
    ]);
  });

  test("is not held where Windows keeps no quotas", async () => {
    expect(await limitDisk({ exec: async () => answered(1) }, 50)).toBe(false);
  });

  test("counts nothing for an account that owns nothing, whatever others own", () => {
    expect(usedBy(told.replaceAll("\n", "\r\n"), "agent")).toBe(104857600);
    expect(usedBy(told, "nobody")).toBe(0);
    expect(usedBy(told.replace("ALE\\agent ", "ALE\\agent2 "), "agent")).toBe(0);
    expect(usedBy("", "agent")).toBe(0);
  });
});
