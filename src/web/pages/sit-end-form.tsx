import { type ReactNode, useId, useState } from "react";
import type { Claim } from "../../contract/claim.ts";
import type { DeskFile, SittingDesk } from "../../contract/sitting-desk.ts";
import type { SittingEnd } from "../../contract/sitting-end.ts";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import { askJson, problemOf } from "../data/requests.ts";
import { Problem } from "../parts/load.tsx";
import { useText } from "../settings.tsx";
import { isPartOf } from "./sit-files.tsx";

const claims = [
  { kind: "done", text: "sitDone" },
  { kind: "partial", text: "sitPartial" },
  { kind: "could-not", text: "sitCouldNot" },
] as const;

/** Ends the work: with what the person says of it, or by giving up. */
export function SitEndForm({
  outputs,
  files,
}: {
  readonly outputs: SittingDesk["outputs"];
  readonly files: readonly DeskFile[];
}): ReactNode {
  const t = useText();
  const id = useId();
  const [kind, setKind] = useState<Claim["kind"]>("done");
  const [message, setMessage] = useState("");
  const [problem, setProblem] = useState<ApiProblem>();
  const missing = outputs.filter(
    (output) => output.required && !files.some((file) => isPartOf(file, output)),
  );
  async function end(how: SittingEnd): Promise<void> {
    try {
      await askJson("/api/sit/end", how);
    } catch (error) {
      setProblem(problemOf(error));
    }
  }
  const submit = (): void => {
    const names = missing.map(({ path }) => path).join(", ");
    if (missing.length > 0 && !window.confirm(t("sitMissing", { files: names }))) return;
    void end({ kind: "submitted", claim: { kind, message } });
  };
  const giveUp = (): void => {
    if (window.confirm(t("sitGiveUpSure"))) void end({ kind: "gave-up", message });
  };
  return (
    <section aria-labelledby={`${id}title`}>
      <h2 id={`${id}title`}>{t("sitEnd")}</h2>
      <form
        className="sit-end"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <fieldset>
          <legend>{t("sitClaim")}</legend>
          {claims.map((claim) => (
            <label key={claim.kind}>
              <input
                type="radio"
                name="claim"
                checked={kind === claim.kind}
                onChange={() => setKind(claim.kind)}
              />
              {t(claim.text)}
            </label>
          ))}
        </fieldset>
        <label>
          <span className="soft">{t("sitMessage")}</span>
          <textarea rows={3} value={message} onChange={(event) => setMessage(event.target.value)} />
        </label>
        <div className="sit-line">
          <button type="submit" className="primary">
            {t("sitHandIn")}
          </button>
          <button type="button" className="quiet" onClick={giveUp}>
            {t("sitGiveUp")}
          </button>
        </div>
      </form>
      {problem === undefined ? null : <Problem problem={problem} />}
    </section>
  );
}
