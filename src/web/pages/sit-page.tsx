import type { ReactNode } from "react";
import type { SitView } from "../../server/api/sit-view.ts";
import { usePolled } from "../data/use-polled.ts";
import { Problem } from "../parts/load.tsx";
import { useText } from "../settings.tsx";
import "../style/sit.css";
import { SitResultPart } from "./sit-result.tsx";
import { SitWork } from "./sit-work.tsx";

/** The page of a person who sits a trial. */
export function SitPage(): ReactNode {
  const t = useText();
  const { view, problem } = usePolled("sit/state", { isOver });
  return (
    <article className="sit">
      {problem === undefined ? null : <Problem problem={problem} />}
      {view === undefined ? (
        problem === undefined && <p className="soft">{t("loading")}</p>
      ) : (
        <>
          <h1>{view.title}</h1>
          <Phase view={view} />
        </>
      )}
    </article>
  );
}

function Phase({ view }: { readonly view: SitView }): ReactNode {
  const t = useText();
  switch (view.phase) {
    case "preparing":
      return <p role="status">{t("sitPreparing")}</p>;
    case "working":
      return <SitWork view={view} />;
    case "grading":
      return <p role="status">{t("sitGrading")}</p>;
    case "ended":
      return <SitResultPart view={view} />;
    case "failed":
      return (
        <p className="notice" role="alert">
          {view.message}
        </p>
      );
  }
}

function isOver({ phase }: SitView): boolean {
  return phase === "ended" || phase === "failed";
}
