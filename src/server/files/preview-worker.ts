import { parentPort, workerData } from "node:worker_threads";
import { workbookPreview } from "./workbook-preview.ts";

parentPort?.postMessage(await workbookPreview(String(workerData)));
