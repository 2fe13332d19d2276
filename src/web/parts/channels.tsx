import type { ReactNode } from "react";
import type { Maybe } from "../../contract/absence.ts";
import type { CallChannel } from "../../contract/call-channel.ts";
import type { ChannelUse, RequiredChannelUse } from "../../contract/channel-use.ts";
import { duration, percent } from "../format.ts";
import { type MessageKey, type Translate, useText } from "../settings.tsx";

const names: Readonly<Record<CallChannel, MessageKey>> = {
  screen: "channelScreen",
  shell: "channelShell",
  file: "channelFile",
  network: "channelNetwork",
  other: "channelOther",
};

const order = Object.keys(names) as readonly CallChannel[];

/** Through which channels an attempt worked, and which programs had windows, focus and input. */
export function Channels({ use }: { readonly use: ChannelUse }): ReactNode {
  const t = useText();
  const { channels, programs, required } = use;
  return (
    <section>
      <h2>{t("channels")}</h2>
      {required.state === "not-asked" ? null : (
        <p>
          {t("requiredChannel", { channel: required.channel })}: <b>{requiredText(t, required)}</b>
        </p>
      )}
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t("channel")}</th>
              {(["channelCalls", "channelShare", "time", "channelTimeShare"] as const).map((key) => (
                <th key={key} scope="col" className="number">
                  {t(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {order.map((name) => {
              const { calls, share, seconds, timeShare } = channels[name];
              return (
                <tr key={name}>
                  <th scope="row">{t(names[name])}</th>
                  <td className="number">{calls}</td>
                  <td className="number">{figure(share, percent)}</td>
                  <td className="number">{figure(seconds, (value) => duration(value * 1000))}</td>
                  <td className="number">{figure(timeShare, percent)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {programs.length === 0 ? null : <Programs programs={programs} />}
    </section>
  );
}

function Programs({ programs }: Pick<ChannelUse, "programs">): ReactNode {
  const t = useText();
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{t("program")}</th>
            {(["programShown", "programFocused", "programInputs"] as const).map((key) => (
              <th key={key} scope="col" className="number">
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {programs.map(({ program, shown, focused, inputs }) => (
            <tr key={program}>
              <th scope="row">{program}</th>
              <td className="number">{shown}</td>
              <td className="number">{focused}</td>
              <td className="number">{inputs}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** That the channel a task requires was worked around; nothing where it was not. */
export function BypassNotice({ use }: { readonly use: ChannelUse | undefined }): ReactNode {
  const t = useText();
  if (use?.required.state !== "bypassed") return null;
  const { channel, reason } = use.required;
  return <p className="notice">{t("bypassedNotice", { channel, reason })}</p>;
}

function requiredText(t: Translate, required: Exclude<RequiredChannelUse, { state: "not-asked" }>): string {
  if (required.state === "used") return t("channelUsed", { n: required.inputs });
  if (required.state === "unknown") return `${t("unknown")}: ${required.reason}`;
  return `${t("bypassed")}: ${required.reason}`;
}

function figure(value: Maybe<number>, format: (value: number) => string): ReactNode {
  if (value.known) return format(value.value);
  return (
    <span className="soft" title={value.reason}>
      –
    </span>
  );
}
