import type { ReactNode } from "react";
import type { Maybe } from "../../contract/absence.ts";
import type { TrialAccounts } from "../../contract/trial-accounts.ts";
import type { Usage } from "../../contract/usage.ts";
import { dollars, duration } from "../format.ts";
import { type MessageKey, useText } from "../settings.tsx";

interface Account {
  readonly by: MessageKey;
  readonly usage: Maybe<Usage>;
  readonly costUsd: Maybe<number>;
}

const told = ["differences", "substitutions", "refusals", "failures", "rejected"] as const;
const titles: Readonly<Record<(typeof told)[number], MessageKey>> = {
  differences: "accountDifferences",
  substitutions: "accountSubstitutions",
  refusals: "accountRefusals",
  failures: "accountFailures",
  rejected: "accountRejected",
};

/** What each of those who counted says that the attempt used, and where they do not agree. */
export function Accounts({ accounts }: { readonly accounts: TrialAccounts }): ReactNode {
  const t = useText();
  const { gateway, provider, harness } = accounts;
  const rows: readonly Account[] = [
    { by: "accountGateway", usage: { known: true, value: gateway.usage }, costUsd: gateway.costUsd },
    {
      by: "accountProvider",
      usage: { known: false, reason: t("accountInGateway") },
      costUsd: provider.costUsd,
    },
    { by: "accountHarness", ...harness },
  ];
  return (
    <section>
      <h2>{t("accounts")}</h2>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t("accountBy")}</th>
              {(["calls", "accountInput", "accountCached", "accountOutput", "cost"] as const).map((key) => (
                <th key={key} scope="col" className="number">
                  {t(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <AccountRow key={row.by} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {gateway.unmetered === 0 ? null : (
        <p className="notice">{t("accountUnmetered", { n: gateway.unmetered })}</p>
      )}
      {gateway.costUsd.known || gateway.knownCostUsd === 0 ? null : (
        <p className="soft note">{t("accountAtLeast", { cost: dollars(gateway.knownCostUsd) })}</p>
      )}
      {gateway.waitedMs === 0 ? null : (
        <p className="soft note">{t("accountWaited", { time: duration(gateway.waitedMs) })}</p>
      )}
      {told.map((what) =>
        accounts[what].length === 0 ? null : (
          <div key={what} className="notice">
            <b>{t(titles[what])}</b>
            <ul>
              {[...new Set(accounts[what])].map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        ),
      )}
    </section>
  );
}

function AccountRow({ row: { by, usage, costUsd } }: { readonly row: Account }): ReactNode {
  const t = useText();
  return (
    <tr>
      <th scope="row">{t(by)}</th>
      {usage.known ? (
        (["calls", "input", "cached", "output"] as const).map((kind) => (
          <td key={kind} className="number">
            {usage.value[kind].toLocaleString()}
          </td>
        ))
      ) : (
        <td colSpan={4} className="wrap soft">
          {usage.reason}
        </td>
      )}
      <td className="number">
        {costUsd.known ? dollars(costUsd.value) : <span className="soft">{costUsd.reason}</span>}
      </td>
    </tr>
  );
}
