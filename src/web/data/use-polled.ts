import { useEffect, useState } from "react";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import { problemOf } from "./requests.ts";
import { readJson } from "./source.ts";

const pollMs = 1000;

export interface Polled<View> {
  readonly view: View | undefined;
  readonly problem: ApiProblem | undefined;
}

export interface PollOptions<View> {
  /** Whether nothing more will change. Default: never. */
  readonly isOver?: (view: View) => boolean;
  /** Asks only while somebody sees the page. Default false. */
  readonly whenSeen?: boolean;
}

/** A view that is asked for again and again until it is over. What was last known stays when the server falls silent. */
export function usePolled<View>(path: string, options: PollOptions<View> = {}): Polled<View> {
  const { isOver = () => false, whenSeen = false } = options;
  const [view, setView] = useState<View>();
  const [problem, setProblem] = useState<ApiProblem>();
  const over = view !== undefined && isOver(view);
  useEffect(() => {
    if (over) return;
    let isShown = true;
    const look = (): void => {
      if (whenSeen && document.hidden) return;
      readJson<View>(path).then(
        (next) => {
          if (!isShown) return;
          setView(next);
          setProblem(undefined);
        },
        (error: unknown) => {
          if (isShown) setProblem(problemOf(error));
        },
      );
    };
    look();
    const timer = setInterval(look, pollMs);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [path, over, whenSeen]);
  return { view, problem };
}
