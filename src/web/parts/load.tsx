import type { ReactNode } from "react";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import { type Loaded, useData } from "../data/use-data.ts";
import { useText } from "../settings.tsx";

/** Shows what an API path answers, or that it is on its way, or what is wrong. */
export function Load<T>({
  path,
  children,
}: {
  readonly path: string;
  readonly children: (value: T) => ReactNode;
}): ReactNode {
  return <Show loaded={useData<T>(path)}>{children}</Show>;
}

export function Show<T>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly children: (value: T) => ReactNode;
}): ReactNode {
  const t = useText();
  if (loaded.kind === "value") return children(loaded.value);
  if (loaded.kind === "problem") return <Problem problem={loaded.problem} />;
  return (
    <p className="soft" role="status">
      {t("loading")}
    </p>
  );
}

export function Problem({ problem }: { readonly problem: ApiProblem }): ReactNode {
  return (
    <div className="notice" role="alert">
      <p>{problem.message}</p>
      {problem.remedy === undefined ? null : <p className="soft">{problem.remedy}</p>}
    </div>
  );
}
