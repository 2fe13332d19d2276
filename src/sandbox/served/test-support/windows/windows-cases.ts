import type { ConformanceCase } from "../../../conformance/conformance-case.ts";
import { windowsCommandCases } from "./cases/command-cases.ts";
import { windowsDownloadCases } from "./cases/download-cases.ts";
import { windowsEndCases } from "./cases/end-cases.ts";
import { windowsFileCases } from "./cases/file-cases.ts";
import { windowsPortCases } from "./cases/port-cases.ts";
import { windowsQuiesceCases } from "./cases/quiesce-cases.ts";
import { windowsStreamCases } from "./cases/stream-cases.ts";

/** The suite's behaviours in cmd's words and the probe's, under the suite's names, and what only Windows has. */
export const windowsCases: readonly ConformanceCase[] = [
  ...windowsCommandCases,
  ...windowsStreamCases,
  ...windowsEndCases,
  ...windowsFileCases,
  ...windowsDownloadCases,
  ...windowsQuiesceCases,
  ...windowsPortCases,
];
