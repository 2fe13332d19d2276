import { useEffect, useState } from "react";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import type { ScreenStanding } from "../../server/api/screen-standing.ts";
import { problemOf } from "./requests.ts";
import { readJson } from "./source.ts";

const pollMs = 1000;

export interface Standing {
  /** As last known: it stays when the server falls silent. */
  readonly standing: ScreenStanding | undefined;
  readonly problem: ApiProblem | undefined;
}

/** Whether the screen of the attempt at `path` of the API can be seen, asked for again and again until the attempt has ended. */
export function useStanding(path: string): Standing {
  const [known, setKnown] = useState<Standing>({ standing: undefined, problem: undefined });
  const hasEnded = known.standing?.state === "ended";
  useEffect(() => {
    if (hasEnded) return;
    let isShown = true;
    const look = (): void => {
      if (document.hidden) return;
      readJson<ScreenStanding>(`${path}/screen`).then(
        (standing) => {
          if (isShown) setKnown({ standing, problem: undefined });
        },
        (error: unknown) => {
          if (isShown) setKnown((before) => ({ ...before, problem: problemOf(error) }));
        },
      );
    };
    look();
    const timer = setInterval(look, pollMs);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [path, hasEnded]);
  return known;
}
