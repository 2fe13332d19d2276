import { createHash } from "node:crypto";
import { once } from "node:events";
import { type ConformanceCase, onMachine } from "../../../../conformance/conformance-case.ts";
import { expect, expectEqual, text } from "../../../../conformance/expectations.ts";
import { act, probe, told } from "../probe.ts";

const everyByte = Uint8Array.from({ length: 256 * 64 }, (_, index) => index % 256);

/** What passes into commands and out of them. */
export const windowsStreamCases: readonly ConformanceCase[] = [
  onMachine("standard input is given and then closed", async (sandbox) => {
    expectEqual(await told(sandbox, ["cat"], { stdin: "line\n" }), "line\n", "stdout");
  }),
  onMachine("without standard input a program reads an empty one", async (sandbox) => {
    const result = await act(sandbox, ["cat"]);
    expectEqual([result.end, result.stdoutBytes], [{ kind: "exited", code: 0 }, 0], "cat");
  }),
  onMachine("every byte passes through unchanged", async (sandbox) => {
    const result = await act(sandbox, ["cat"], { stdin: everyByte });
    expect(Buffer.from(result.stdout).equals(Buffer.from(everyByte)), "bytes were changed on the way");
  }),
  onMachine("50 MB of input and of output pass through", async (sandbox) => {
    const block = Buffer.alloc(1_000_000, "0123456789");
    const input = Buffer.concat(Array.from({ length: 50 }, () => block));
    const hash = createHash("sha256").update(input).digest("hex");
    const result = await act(sandbox, ["digest"], { stdin: input, maxOutputBytes: 1000 });
    expectEqual([text(result.stdout), result.stderrBytes], [hash, input.length], "digest and bytes");
  }),
  onMachine("of long output the head and the tail are kept, and all is counted", async (sandbox) => {
    const result = await act(sandbox, ["seq", "200000"], { maxOutputBytes: 1000 });
    const kept = text(result.stdout);
    expect(kept.startsWith("1\n2\n") && kept.endsWith("199999\n200000\n"), `kept ${kept.slice(-20)}`);
    expectEqual(result.stdoutBytes, 1_288_895, "bytes written");
  }),
  onMachine("output of exactly the limit is kept whole", async (sandbox) => {
    const result = await act(sandbox, ["say", "0123456789"], { maxOutputBytes: 10 });
    expectEqual(text(result.stdout), "0123456789", "stdout");
  }),
  onMachine("a program may end without reading its input", async (sandbox) => {
    const result = await act(sandbox, ["exit", "0"], { stdin: Buffer.alloc(5_000_000) });
    expectEqual(result.end, { kind: "exited", code: 0 }, "end");
  }),
  onMachine("output without a final newline arrives", async (sandbox) => {
    expectEqual(await told(sandbox, ["say", "abc"]), "abc", "stdout");
  }),
  onMachine("a spawned program answers while it runs", async (sandbox) => {
    const child = await sandbox.spawn([probe, "cat"]);
    for (const word of ["one", "two", "three"]) {
      child.stdin.write(word);
      const [chunk] = (await once(child.stdout, "data")) as [Buffer];
      expectEqual(chunk.toString(), word, "answer");
    }
    child.stdin.end();
    expectEqual((await child.ended).end, { kind: "exited", code: 0 }, "end");
  }),
  onMachine("a slow reader of a spawned program loses nothing", async (sandbox) => {
    const child = await sandbox.spawn([probe, "seq", "100000"]);
    let seen = "";
    for await (const chunk of child.stdout) seen += String(chunk);
    child.stderr.resume();
    expectEqual([seen.length, (await child.ended).stdoutBytes], [588_895, 588_895], "bytes");
  }),
];
