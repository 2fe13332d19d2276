import { hostname } from "node:os";
import { conductorOf } from "../exam/conduct/conductor.ts";
import { viewTrialScreen } from "../exam/desktop/view-trial-screen.ts";
import type { FindLiveRun } from "../server/live-run.ts";

/** Runs that a process conducts now, by its claim on the run directory. */
export const findLiveRun: FindLiveRun = async (runDir) => {
  const conductor = await conductorOf(runDir);
  if (conductor === undefined) return undefined;
  const { since, host, screens } = conductor;
  return {
    since,
    host,
    here: host === hostname(),
    screen: (trial, attempt) => viewTrialScreen({ screens, trial, attempt }),
  };
};
