import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import type { CliContext } from "./cli-context.ts";
import { createProcessContext } from "./process-context.ts";

/** The real process, but for its signals and its end. */
function startedProcess(): { context: CliContext; signal: () => boolean; exits: number[] } {
  const signals = new EventEmitter();
  const exits: number[] = [];
  const double = Object.create(process) as NodeJS.Process;
  Object.defineProperties(double, {
    on: { value: signals.on.bind(signals) },
    exit: { value: (code: number) => void exits.push(code) },
  });
  const context = createProcessContext(double);
  return { context, signal: () => signals.emit("SIGINT", "SIGINT"), exits };
}

describe("Ctrl-C", () => {
  test("ends a command that does not ask for it as it ends any program: nobody listens", () => {
    expect(startedProcess().signal()).toBe(false);
  });

  test("asks a run to finish, then to stop at once, and the third ends it", () => {
    const { context, signal, exits } = startedProcess();
    const { interrupted, atOnce } = context;
    signal();
    expect([interrupted.aborted, atOnce.aborted, exits]).toEqual([true, false, []]);
    signal();
    expect([atOnce.aborted, exits]).toEqual([true, []]);
    signal();
    expect(exits).toEqual([130]);
  });

  test("ends a command that can only finish at the second, and is told as no bug", () => {
    const { context, signal, exits } = startedProcess();
    const { interrupted } = context;
    signal();
    expect(interrupted.reason).toMatchObject({ code: "interrupted" });
    expect(exits).toEqual([]);
    signal();
    expect(exits).toEqual([130]);
  });
});
