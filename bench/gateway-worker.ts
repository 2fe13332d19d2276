// The scripted model of the gateway's benchmark, in a thread of its own: short answers to "one", long ones else.
import { parentPort, workerData } from "node:worker_threads";
import { createSystemClock } from "../src/cli/system-clock.ts";
import { createScriptedModel } from "../src/testing/scripted-model/scripted-model.ts";

const { words } = workerData as { readonly words: number };
const long = "word ".repeat(words);
const model = await createScriptedModel({
  clock: createSystemClock(),
  script: ({ prompt }) => ({ kind: "answer", text: prompt === "one" ? "one" : long }),
});
parentPort?.postMessage(model.origin);
