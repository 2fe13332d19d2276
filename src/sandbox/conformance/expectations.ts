import { isDeepStrictEqual } from "node:util";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { type CommandOptions, type CommandResult, describeEnd } from "../command.ts";
import type { Sandbox } from "../sandbox.ts";

/** The error that fails a case. */
export function violated(message: string): AleError {
  return new AleError({ code: "conformance", message });
}

/** Fails the case unless the condition holds. */
export function expect(condition: boolean, message: string): void {
  if (!condition) throw violated(message);
}

/** Fails the case unless both are deeply equal; `what` names the thing seen. */
export function expectEqual(seen: unknown, wanted: unknown, what: string): void {
  if (isDeepStrictEqual(seen, wanted)) return;
  throw violated(`${what}: wanted ${JSON.stringify(wanted)}, saw ${JSON.stringify(seen)}`);
}

/** Fails the case unless the promise rejects with an `AleError` of the code. */
export async function expectRejection(promise: Promise<unknown>, code: string, what: string): Promise<void> {
  try {
    await promise;
  } catch (error) {
    expectEqual(AleError.isInstance(error) ? error.code : String(error), code, `${what} rejects with`);
    return;
  }
  throw violated(`${what} did not reject with ${code}`);
}

/** What a command wrote, as text. */
export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

/** Runs a shell script, written here, as a command. */
export function shell(
  sandbox: Sandbox,
  script: string,
  options: CommandOptions = {},
): Promise<CommandResult> {
  return sandbox.exec(["/bin/sh", "-c", script], { timeoutMs: 60_000, ...options });
}

/** Standard output, trimmed, of a script that must succeed. */
export async function outputOf(
  sandbox: Sandbox,
  script: string,
  options: CommandOptions = {},
): Promise<string> {
  const result = await shell(sandbox, script, options);
  if (result.end.kind === "exited" && result.end.code === 0) return text(result.stdout).trim();
  throw violated(`${script}: ${describeEnd(result.end)}: ${text(result.stderr).trim()}`);
}

/** The script must not succeed. */
export async function expectFailure(
  sandbox: Sandbox,
  script: string,
  options: CommandOptions = {},
): Promise<void> {
  const result = await shell(sandbox, script, options);
  expect(
    result.end.kind !== "exited" || result.end.code !== 0,
    `${script}: was expected to fail, and printed ${text(result.stdout).trim()}`,
  );
}

/** Waits for the condition, at most half a minute unless told. */
export async function until(
  clock: Clock,
  what: string,
  condition: () => Promise<boolean>,
  limitMs: number = 30_000,
): Promise<void> {
  const end = clock.monotonic() + limitMs;
  while (!(await condition())) {
    if (clock.monotonic() > end) throw violated(`never happened: ${what}`);
    await clock.sleep(10);
  }
}
