import { createHash } from "node:crypto";
import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expect, expectEqual, outputOf, shell, text } from "../expectations.ts";

const everyByte = Uint8Array.from({ length: 256 * 64 }, (_, index) => index % 256);

export const streamCases: readonly ConformanceCase[] = [
  onMachine("standard input is given and then closed", async (sandbox) => {
    expectEqual(text((await sandbox.exec(["cat"], { stdin: "line\n" })).stdout), "line\n", "stdout");
  }),
  onMachine("without standard input a program reads an empty one", async (sandbox) => {
    const result = await sandbox.exec(["cat"], { timeoutMs: 20_000 });
    expectEqual([result.end, result.stdoutBytes], [{ kind: "exited", code: 0 }, 0], "cat");
  }),
  onMachine("every byte passes through unchanged", async (sandbox) => {
    const result = await sandbox.exec(["cat"], { stdin: everyByte });
    expect(Buffer.from(result.stdout).equals(Buffer.from(everyByte)), "bytes were changed on the way");
  }),
  onMachine("50 MB of input and of output pass through", async (sandbox) => {
    const block = Buffer.alloc(1_000_000, "0123456789");
    const input = Buffer.concat(Array.from({ length: 50 }, () => block));
    const hash = createHash("sha256").update(input).digest("hex");
    const result = await shell(sandbox, "tee /dev/stderr | sha256sum", {
      stdin: input,
      maxOutputBytes: 1000,
    });
    expectEqual(text(result.stdout).slice(0, 64), hash, "digest inside");
    expectEqual(result.stderrBytes, input.length, "bytes out");
  }),
  onMachine("of long output the head and the tail are kept, and all is counted", async (sandbox) => {
    const result = await shell(sandbox, "echo first; seq 1 200000; echo last", { maxOutputBytes: 1000 });
    const kept = text(result.stdout);
    expect(kept.startsWith("first\n1\n2\n"), `the head is ${kept.slice(0, 20)}`);
    expect(kept.endsWith("199999\n200000\nlast\n"), `the tail is ${kept.slice(-20)}`);
    expect(kept.length < 1200, `${kept.length} characters were kept of 1000`);
    expectEqual(result.stdoutBytes, 1288895 + 11, "bytes written");
  }),
  onMachine("output of exactly the limit is kept whole", async (sandbox) => {
    const result = await shell(sandbox, "printf 0123456789", { maxOutputBytes: 10 });
    expectEqual(text(result.stdout), "0123456789", "stdout");
  }),
  onMachine("a program may end without reading its input", async (sandbox) => {
    const result = await sandbox.exec(["true"], { stdin: Buffer.alloc(5_000_000) });
    expectEqual(result.end, { kind: "exited", code: 0 }, "end");
  }),
  onMachine("a program can open /dev/stdout, /dev/stderr and /dev/stdin by name", async (sandbox) => {
    const result = await shell(sandbox, "cat /dev/stdin > /dev/stdout; echo e > /dev/stderr", {
      stdin: "in",
    });
    expectEqual([text(result.stdout), text(result.stderr)], ["in", "e\n"], "streams");
  }),
  onMachine("a reader that stops early breaks the pipe for the writer", async (sandbox) => {
    expectEqual(await outputOf(sandbox, "yes | head -n 1"), "y", "stdout");
  }),
  onMachine("output without a final newline arrives", async (sandbox) => {
    expectEqual(text((await shell(sandbox, "printf abc")).stdout), "abc", "stdout");
  }),
];
