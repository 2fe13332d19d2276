import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import type { SitView } from "../../server/api/sit-view.ts";
import { readJson } from "../data/source.ts";
import { Problem } from "../parts/load.tsx";
import { useText } from "../settings.tsx";
import "../style/sit.css";
import { askJson, problemOf } from "../data/requests.ts";
import { SitResultPart } from "./sit-result.tsx";
import { SitWork } from "./sit-work.tsx";

const pollMs = 1000;

/** Where the printed address leads: gives the token for a cookie and goes on to the sitting. */
export function SitEntrance(): ReactNode {
  const t = useText();
  const { token } = useParams({ from: "/sit/$token" });
  const navigate = useNavigate();
  const [problem, setProblem] = useState<ApiProblem>();
  useEffect(() => {
    askJson("/api/sit/enter", { token }).then(
      () => navigate({ to: "/sit", replace: true }),
      (error: unknown) => setProblem(problemOf(error)),
    );
  }, [token, navigate]);
  return problem === undefined ? <p className="soft">{t("loading")}</p> : <Problem problem={problem} />;
}

/** The page of a person who sits a trial. */
export function SitPage(): ReactNode {
  const t = useText();
  const { view, problem } = useSitting();
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

/** The sitting, asked for again and again until it has ended. What was last known stays when the server falls silent. */
function useSitting(): { readonly view: SitView | undefined; readonly problem: ApiProblem | undefined } {
  const [view, setView] = useState<SitView>();
  const [problem, setProblem] = useState<ApiProblem>();
  const isOver = view?.phase === "ended" || view?.phase === "failed";
  useEffect(() => {
    if (isOver) return;
    let isShown = true;
    const look = (): void => {
      readJson<SitView>("sit/state").then(
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
  }, [isOver]);
  return { view, problem };
}
