import type { ApiProblem } from "../../server/api/api-problem.ts";
import type { ScreenStanding } from "../../server/api/screen-standing.ts";
import { usePolled } from "./use-polled.ts";

export interface Standing {
  /** As last known: it stays when the server falls silent. */
  readonly standing: ScreenStanding | undefined;
  readonly problem: ApiProblem | undefined;
}

/** Whether the screen of the attempt at `path` of the API can be seen, asked for again and again until the attempt has ended. */
export function useStanding(path: string): Standing {
  const { view: standing, problem } = usePolled(`${path}/screen`, { isOver: hasEnded, whenSeen: true });
  return { standing, problem };
}

function hasEnded({ state }: ScreenStanding): boolean {
  return state === "ended";
}
