import { type ReactNode, useEffect, useRef, useState } from "react";
import type { SitFiles, SitView } from "../../server/api/sit-view.ts";
import { useData } from "../data/use-data.ts";
import { Show } from "../parts/load.tsx";
import { MarkdownText } from "../parts/markdown-text.tsx";
import { useText } from "../settings.tsx";
import { SitCommand } from "./sit-command.tsx";
import { SitEndForm } from "./sit-end-form.tsx";
import { InputFiles, OutputFiles } from "./sit-files.tsx";
import { SitScreen } from "./sit-screen.tsx";

export type WorkView = Extract<SitView, { phase: "working" }>;

/** All that the person works with. */
export function SitWork({ view }: { readonly view: WorkView }): ReactNode {
  const t = useText();
  const files = useData<SitFiles>("sit/files");
  return (
    <>
      <div className="facts-line">
        <Timer view={view} />
        <span>{view.contestant}</span>
        <span className="soft">{view.instance}</span>
      </div>
      {view.screen === undefined ? null : <SitScreen size={view.screen} />}
      <div className="sit-columns">
        <section aria-labelledby="sit-instruction">
          <h2 id="sit-instruction">{t("instruction")}</h2>
          <MarkdownText text={view.instruction} />
        </section>
        <div>
          <Show loaded={files}>
            {({ input, output }: SitFiles) => (
              <>
                <InputFiles files={input} />
                <OutputFiles files={output} outputs={view.outputs} />
              </>
            )}
          </Show>
          <SitCommand />
          <SitEndForm outputs={view.outputs} files={files.kind === "value" ? files.value.output : []} />
        </div>
      </div>
    </>
  );
}

/** Time left by the server's clock, whatever this browser's says. */
function Timer({ view }: { readonly view: WorkView }): ReactNode {
  const t = useText();
  const offset = useRef(0);
  const [now, setNow] = useState(view.now);
  useEffect(() => {
    offset.current = view.now - Date.now();
    setNow(view.now);
  }, [view.now]);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() + offset.current), 250);
    return () => clearInterval(timer);
  }, []);
  const { deadline, startedAt } = view;
  const isShort = deadline !== undefined && deadline - now < 60_000;
  const text =
    deadline === undefined
      ? t("sitTimeSpent", { time: minutesText(now - startedAt) })
      : t("sitTimeLeft", { time: minutesText(deadline - now) });
  return (
    <span role="timer" className={isShort ? "sit-timer sit-timer-short" : "sit-timer"}>
      {text}
    </span>
  );
}

/** `4:05`, `1:04:05`. */
function minutesText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (part: number): string => String(part).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}
