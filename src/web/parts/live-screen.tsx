import { type ReactNode, useEffect, useRef, useState } from "react";
import { followScreen } from "../data/follow-screen.ts";
import type { Standing } from "../data/use-standing.ts";
import { useText } from "../settings.tsx";
import "../style/screen.css";
import { Problem } from "./load.tsx";

const restMs = 1000;

export interface LiveScreenProps {
  /** Of the attempt, in the API. */
  readonly path: string;
  readonly known: Standing;
}

/** The desktop of an attempt that is going on, to look at; or why there is none to be seen. */
export function LiveScreen({ path, known: { standing, problem } }: LiveScreenProps): ReactNode {
  const t = useText();
  if (problem !== undefined) return <Problem problem={problem} />;
  switch (standing?.state) {
    case "shown":
      return <Screen path={path} width={standing.width} height={standing.height} />;
    case "none":
      return <p className="screen-absent">{t("screenNone")}</p>;
    case "away":
      return <p className="screen-absent">{t("screenAway")}</p>;
    case "elsewhere":
      return <p className="screen-absent">{t("screenElsewhere", { host: standing.host })}</p>;
    case "lost":
      return (
        <p className="notice" role="alert">
          {t("screenLost")}
        </p>
      );
    case "ended":
    case undefined:
      return null;
  }
}

function Screen({
  path,
  width,
  height,
}: {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const t = useText();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const over = new AbortController();
    if (canvas.current !== null) void follow(canvas.current, path, over.signal, setProblem);
    return () => over.abort();
  }, [path]);
  return (
    <section aria-label={t("screenLive")}>
      <canvas
        ref={canvas}
        className="screen"
        width={width}
        height={height}
        role="img"
        aria-label={t("screenLive")}
      />
      <div className="screen-foot">
        <p className="soft note">{t("screenViewOnly")}</p>
        <button type="button" onClick={() => void canvas.current?.requestFullscreen()}>
          {t("screenFull")}
        </button>
      </div>
      {problem === undefined ? null : (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

/** Until the page has gone on: whether there is nothing more to be seen is for the attempt's standing to say. */
async function follow(
  canvas: HTMLCanvasElement,
  path: string,
  signal: AbortSignal,
  tell: (problem: string | undefined) => void,
): Promise<void> {
  while (!signal.aborted) {
    await followScreen({ canvas, address: `/api/${path}/screen/frame`, signal, tell });
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}
