import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import { askJson, problemOf } from "../data/requests.ts";
import { Problem } from "../parts/load.tsx";
import { useText } from "../settings.tsx";

/** Where the address printed for a sitting leads. */
export function SitEntrance(): ReactNode {
  const navigate = useNavigate();
  const enter = useCallback(() => void navigate({ to: "/sit", replace: true }), [navigate]);
  return <Entrance token={useParams({ from: "/sit/$token" }).token} ask="/api/sit/enter" enter={enter} />;
}

/** Where the address printed for watching leads. */
export function WatchEntrance(): ReactNode {
  const navigate = useNavigate();
  const enter = useCallback(() => void navigate({ to: "/watch", replace: true }), [navigate]);
  return <Entrance token={useParams({ from: "/watch/$token" }).token} ask="/api/watch/enter" enter={enter} />;
}

/** Where the address printed for the viewer leads. */
export function ViewerEntrance(): ReactNode {
  const { token } = useParams({ from: "/serve/$token" });
  return <Entrance token={token} ask="/api/serve/enter" enter={openViewer} />;
}

/** From the start: until now nothing could be asked. */
function openViewer(): void {
  window.history.replaceState(null, "", "#/");
  window.location.reload();
}

interface EntranceProps {
  readonly token: string;
  readonly ask: string;
  readonly enter: () => void;
}

/** Gives the token for a cookie and goes on. */
function Entrance({ token, ask, enter }: EntranceProps): ReactNode {
  const t = useText();
  const [problem, setProblem] = useState<ApiProblem>();
  useEffect(() => {
    askJson(ask, { token }).then(enter, (error: unknown) => setProblem(problemOf(error)));
  }, [token, ask, enter]);
  return problem === undefined ? <p className="soft">{t("loading")}</p> : <Problem problem={problem} />;
}
