import type { ReactNode } from "react";
import type { SitFiles, SitView } from "../../server/api/sit-view.ts";
import { useData } from "../data/use-data.ts";
import { Show } from "../parts/load.tsx";
import { MarkdownText } from "../parts/markdown-text.tsx";
import { clockText, useServerClock } from "../parts/server-clock.ts";
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

/** Time left. */
function Timer({ view }: { readonly view: WorkView }): ReactNode {
  const t = useText();
  const now = useServerClock(view.now);
  const { deadline, startedAt } = view;
  const isShort = deadline !== undefined && deadline - now < 60_000;
  const text =
    deadline === undefined
      ? t("sitTimeSpent", { time: clockText(now - startedAt) })
      : t("sitTimeLeft", { time: clockText(deadline - now) });
  return (
    <span role="timer" className={isShort ? "sit-timer sit-timer-short" : "sit-timer"}>
      {text}
    </span>
  );
}
