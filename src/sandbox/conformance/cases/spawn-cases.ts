import { once } from "node:events";
import { type ConformanceCase, onMachine } from "../conformance-case.ts";
import { expectEqual, until } from "../expectations.ts";
import { countOf } from "./signal-cases.ts";

export const spawnCases: readonly ConformanceCase[] = [
  onMachine("a spawned program answers while it runs", async (sandbox) => {
    const child = await sandbox.spawn(["cat"]);
    for (const word of ["one", "two", "three"]) {
      child.stdin.write(word);
      const [chunk] = (await once(child.stdout, "data")) as [Buffer];
      expectEqual(chunk.toString(), word, "answer");
    }
    child.stdin.end();
    expectEqual((await child.ended).end, { kind: "exited", code: 0 }, "end");
  }),
  onMachine("a slow reader of a spawned program loses nothing", async (sandbox) => {
    const child = await sandbox.spawn(["seq", "1", "100000"]);
    let text = "";
    for await (const chunk of child.stdout) text += String(chunk);
    expectEqual(text.length, 588895, "characters");
    child.stderr.resume();
    expectEqual((await child.ended).stdoutBytes, 588895, "bytes counted");
  }),
  onMachine("stopping a spawned program ends it and its children", async (sandbox, { clock }) => {
    const child = await sandbox.spawn(["/bin/sh", "-c", "sleep 3101 & echo ready; sleep 3102"]);
    await once(child.stdout, "data");
    await child.stop();
    await child.stop();
    expectEqual((await child.ended).end.kind, "signalled", "end");
    await until(clock, "the children ended", async () => (await countOf(sandbox, "sleep 310")) === 0);
  }),
  onMachine("stopping with grace lets a program end by itself", async (sandbox) => {
    const script = "trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.05; done";
    const child = await sandbox.spawn(["/bin/sh", "-c", script]);
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    await once(child.stdout, "data");
    await child.stop(20_000);
    expectEqual((await child.ended).end, { kind: "exited", code: 5 }, "end");
    expectEqual(text, "ready\nbye\n", "stdout");
  }),
  onMachine("a spawned program that does not exist says so in its end", async (sandbox) => {
    const child = await sandbox.spawn(["no-such-program-here"]);
    expectEqual((await child.ended).end.kind, "not-started", "end");
  }),
];
