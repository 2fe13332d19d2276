import type { ReactNode } from "react";
import type { TrialView } from "../../server/api/trial-view.ts";
import { dateTime, dollars, duration } from "../format.ts";
import { useText } from "../settings.tsx";
import { Accounts } from "./accounts.tsx";
import { Channels } from "./channels.tsx";
import { CodeBlock, JsonText } from "./json-text.tsx";

/** Everything else that is known of an attempt. */
export function TrialFacts({ view }: { readonly view: TrialView }): ReactNode {
  const t = useText();
  const { result } = view;
  if (result === undefined) return <p className="soft">{t("not-finished")}</p>;
  const { usage, costUsd, claim, contestant } = result;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t("contestant"), `${contestant.name} (${contestant.harness} ${result.harnessVersion})`],
    [t("started"), dateTime(result.startedAt)],
    [t("time"), duration(result.wallMs)],
    [t("working"), duration(result.workingMs)],
    [t("cost"), costUsd.known ? dollars(costUsd.value) : costUsd.reason],
    [
      t("tokens"),
      usage.known
        ? t("tokensText", {
            input: usage.value.input.toLocaleString(),
            cached: usage.value.cached.toLocaleString(),
            output: usage.value.output.toLocaleString(),
            calls: usage.value.calls,
          })
        : usage.reason,
    ],
    [
      t("claim"),
      claim.known ? (
        <>
          <b>{claim.value.kind}</b>
          <CodeBlock text={claim.value.message} />
        </>
      ) : (
        claim.reason
      ),
    ],
    [t("phases"), result.phases.map(({ phase, wallMs }) => `${phase} ${duration(wallMs)}`).join(" · ")],
  ];
  return (
    <>
      <dl className="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {result.channels === undefined ? null : <Channels use={result.channels} />}
      {result.accounts === undefined ? null : <Accounts accounts={result.accounts} />}
      <JsonText
        value={{
          taskHash: result.taskHash,
          comparabilityKey: result.comparabilityKey,
          fingerprint: result.fingerprint,
        }}
      />
    </>
  );
}
