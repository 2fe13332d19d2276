import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { CompareView, MeasureDifference, PartComparison } from "../../server/api/compare-view.ts";
import type { RunList } from "../../server/api/run-summary.ts";
import { useData } from "../data/use-data.ts";
import { interval, percent } from "../format.ts";
import { Choice } from "../parts/choice.tsx";
import { Load } from "../parts/load.tsx";
import { useText } from "../settings.tsx";

/** Two contestants on what they share. */
export function ComparePage(): ReactNode {
  const t = useText();
  const { run } = useSearch({ from: "/compare" });
  const runs = useData<RunList>("runs");
  const navigate = useNavigate({ from: "/compare" });
  const chosen = run === undefined || run === "" ? "" : `run=${encodeURIComponent(run)}`;
  const several = runs.kind === "value" && runs.value.runs.length > 1;
  return (
    <>
      <h1>{t("compare")}</h1>
      {several ? (
        <Choice
          label={t("run")}
          value={run ?? ""}
          options={runs.value.runs.map(({ id }, index) => ({ value: index === 0 ? "" : id, text: id }))}
          onChange={(value) => navigate({ search: value === "" ? {} : { run: value }, replace: true })}
        />
      ) : null}
      <Load<CompareView> path={chosen === "" ? "compare" : `compare?${chosen}`}>
        {({ contestants }) => <Pair contestants={contestants} query={chosen} />}
      </Load>
    </>
  );
}

function Pair({
  contestants,
  query,
}: {
  readonly contestants: readonly string[];
  readonly query: string;
}): ReactNode {
  const t = useText();
  const search = useSearch({ from: "/compare" });
  const navigate = useNavigate({ from: "/compare" });
  const options = contestants.map((name) => ({ value: name, text: name }));
  const first = contestants.find((name) => name === search.first) ?? contestants[0];
  const second =
    contestants.find((name) => name === search.second && name !== first) ??
    contestants.find((name) => name !== first);
  if (first === undefined || second === undefined) return <p className="soft">{t("chooseTwo")}</p>;
  const choose = (change: { readonly first?: string; readonly second?: string }): void => {
    navigate({
      search: (before) => ({ ...before, first, second, ...change }),
      replace: true,
      resetScroll: false,
    });
  };
  const names = `first=${encodeURIComponent(first)}&second=${encodeURIComponent(second)}`;
  return (
    <>
      <div className="fields">
        <Choice
          label={t("first")}
          value={first}
          options={options}
          onChange={(name) => choose({ first: name })}
        />
        <Choice
          label={t("second")}
          value={second}
          options={options}
          onChange={(name) => choose({ second: name })}
        />
      </div>
      <Load<CompareView> path={`compare?${query === "" ? "" : `${query}&`}${names}`}>
        {(view) => <Result view={view} />}
      </Load>
    </>
  );
}

function Result({ view }: { readonly view: CompareView }): ReactNode {
  const t = useText();
  const { comparison } = view;
  if (comparison === undefined) return <p className="soft">{t("chooseTwo")}</p>;
  const measures = [
    ["fullPass", comparison.fullPass],
    ["mean", comparison.mean],
  ] as const;
  return (
    <>
      <p className="soft">
        {t("differenceOf", { instances: comparison.sharedInstances, workflows: comparison.sharedWorkflows })}
      </p>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t("score")}</th>
              <th scope="col" className="number">
                {t("difference")}
              </th>
              <th scope="col">{t("interval")}</th>
              <th scope="col">{t("bootstrap")}</th>
              <th scope="col">p</th>
            </tr>
          </thead>
          <tbody>
            {measures.map(([name, measure]) => (
              <DifferenceRow key={name} name={t(name)} measure={measure} />
            ))}
          </tbody>
        </table>
      </div>
      <div className="columns">
        <Instances title={t("gained")} instances={comparison.mean.gained} />
        <Instances title={t("lost")} instances={comparison.mean.lost} />
      </div>
      {comparison.notComparable.length === 0 ? null : (
        <div className="notice">
          <p>{t("notComparable")}</p>
          <ul>
            {comparison.differences.map((difference) => (
              <li key={difference.field}>
                {difference.field}: {difference.firstValue} → {difference.secondValue}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Parts title={t("byDomain")} parts={view.domains} first={comparison.first} second={comparison.second} />
      <Parts title={t("byStage")} parts={view.stages} first={comparison.first} second={comparison.second} />
    </>
  );
}

function DifferenceRow({
  name,
  measure,
}: {
  readonly name: string;
  readonly measure: MeasureDifference;
}): ReactNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="number">
        {measure.difference === null ? (
          <span className="soft">{measure.differenceReason}</span>
        ) : (
          <b>
            {measure.difference > 0 ? "+" : ""}
            {percent(measure.difference)}
          </b>
        )}
      </td>
      <td>{interval(measure.low, measure.high) || <span className="soft">{measure.lowReason}</span>}</td>
      <td>{interval(measure.bootstrapLow ?? null, measure.bootstrapHigh ?? null) || "–"}</td>
      <td>
        {measure.p === null ? (
          <span className="soft">{measure.pReason}</span>
        ) : (
          <>
            {measure.p < 0.001 ? "<0.001" : measure.p.toFixed(3)} <span className="soft">{measure.test}</span>
          </>
        )}
      </td>
    </tr>
  );
}

function Instances({
  title,
  instances,
}: {
  readonly title: string;
  readonly instances: readonly string[];
}): ReactNode {
  const t = useText();
  return (
    <section>
      <h2>
        {title} ({instances.length})
      </h2>
      {instances.length === 0 ? <p className="soft">{t("none")}</p> : null}
      <ul className="plain">
        {instances.map((instance) => {
          const [domain = "", name = ""] = (instance.split("@")[0] ?? "").split("/");
          return (
            <li key={instance}>
              <Link to="/tasks/$domain/$name" params={{ domain, name }}>
                {instance}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Parts({
  title,
  parts,
  first,
  second,
}: {
  readonly title: string;
  readonly parts: readonly PartComparison[];
  readonly first: string;
  readonly second: string;
}): ReactNode {
  const t = useText();
  return (
    <>
      <h2>{title}</h2>
      {parts.length === 0 ? <p className="soft">{t("none")}</p> : null}
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{title}</th>
              <th scope="col" className="number">
                {first}
              </th>
              <th scope="col" className="number">
                {second}
              </th>
              <th scope="col" className="number">
                {t("difference")}
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <tr key={part.part}>
                <th scope="row">{part.part}</th>
                <td className="number">
                  {percent(part.first)} <span className="soft">n={part.firstN}</span>
                </td>
                <td className="number">
                  {percent(part.second)} <span className="soft">n={part.secondN}</span>
                </td>
                <td className="number">
                  {part.second > part.first ? "+" : ""}
                  {percent(part.second - part.first)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
