import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { TaskCard } from "../../server/api/task-view.ts";
import { Choice } from "../parts/choice.tsx";
import { JsonText } from "../parts/json-text.tsx";
import { Load } from "../parts/load.tsx";
import { MarkdownText } from "../parts/markdown-text.tsx";
import { useText } from "../settings.tsx";

/** One workflow: what it needs, and the instruction of each instance. */
export function TaskPage(): ReactNode {
  const t = useText();
  const { domain, name } = useParams({ from: "/tasks/$domain/$name" });
  return (
    <>
      <p className="crumbs">
        <Link to="/tasks">{t("tasks")}</Link>
      </p>
      <Load<TaskCard> path={`tasks/${encodeURIComponent(domain)}/${encodeURIComponent(name)}`}>
        {(card) => <Task card={card} />}
      </Load>
    </>
  );
}

function Task({ card }: { readonly card: TaskCard }): ReactNode {
  const t = useText();
  const { summary, manifest, instances } = card;
  const [chosen, setChosen] = useState(instances[0]?.id ?? "");
  const instance = instances.find((candidate) => candidate.id === chosen);
  const { sandbox, provenance } = manifest;
  const rows: readonly (readonly [string, string])[] = [
    ["id", summary.id],
    [t("domain"), `${summary.subfield} ${summary.subfieldName}`],
    [t("tier"), summary.tier],
    [t("occupations"), manifest.taxonomy.soc.join(", ")],
    [t("software"), summary.software.join(", ") || t("none")],
    [t("time"), t("minutesHuman", { n: summary.minutes })],
    [t("machine"), `${sandbox.os}, ${sandbox.cpus} cpus, ${sandbox.memory_mb} MiB`],
    [
      t("network"),
      typeof manifest.network === "string" ? manifest.network : manifest.network.allow.join(", "),
    ],
    [
      t("limits"),
      Object.entries(manifest.limits)
        .map(([name, value]) => `${name} ${value}`)
        .join(", ") || t("none"),
    ],
    [t("outputs"), manifest.outputs.map((output) => output.path).join(", ")],
    [
      t("provenance"),
      provenance.sources.map((source) => `${source.title} (${source.licence})`).join("; ") || t("none"),
    ],
    [t("content"), card.contentHash],
  ];
  return (
    <>
      <h1>{summary.title}</h1>
      <p>{summary.summary}</p>
      <dl className="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h2>{t("instruction")}</h2>
      {instances.length > 1 ? (
        <Choice
          label={t("instance")}
          value={chosen}
          options={instances.map(({ id }) => ({ value: id, text: id }))}
          onChange={setChosen}
        />
      ) : null}
      {instance?.instruction === undefined ? (
        <p className="soft">{t("noInstruction")}</p>
      ) : (
        <MarkdownText text={instance.instruction} />
      )}
      {instance?.params === undefined || Object.keys(instance.params).length === 0 ? null : (
        <>
          <h3>{t("params")}</h3>
          <JsonText value={instance.params} />
        </>
      )}
    </>
  );
}
