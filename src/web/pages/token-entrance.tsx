import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import { askJson, problemOf } from "../data/requests.ts";
import { Problem } from "../parts/load.tsx";
import { useText } from "../settings.tsx";

/** Where the address printed for a sitting leads. */
export function SitEntrance(): ReactNode {
  return <Entrance token={useParams({ from: "/sit/$token" }).token} ask="/api/sit/enter" to="/sit" />;
}

/** Where the address printed for watching leads. */
export function WatchEntrance(): ReactNode {
  return <Entrance token={useParams({ from: "/watch/$token" }).token} ask="/api/watch/enter" to="/watch" />;
}

interface EntranceProps {
  readonly token: string;
  readonly ask: string;
  readonly to: "/sit" | "/watch";
}

/** Gives the token for a cookie and goes on. */
function Entrance({ token, ask, to }: EntranceProps): ReactNode {
  const t = useText();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<ApiProblem>();
  useEffect(() => {
    askJson(ask, { token }).then(
      () => navigate({ to, replace: true }),
      (error: unknown) => setProblem(problemOf(error)),
    );
  }, [token, ask, to, navigate]);
  return problem === undefined ? <p className="soft">{t("loading")}</p> : <Problem problem={problem} />;
}
