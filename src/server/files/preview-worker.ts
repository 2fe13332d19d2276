import { parentPort, workerData } from "node:worker_threads";
import { makePreview } from "./make-preview.ts";

const { path, kind } = workerData as { readonly path: string; readonly kind: "table" | "json" | "text" };
parentPort?.postMessage(await makePreview(path, kind));
