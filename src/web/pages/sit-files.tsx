import { type ReactNode, useState } from "react";
import type { DeskFile, SittingDesk } from "../../contract/sitting-desk.ts";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import { problemOf } from "../data/requests.ts";
import { renew } from "../data/use-data.ts";
import { bytes } from "../format.ts";
import { Problem } from "../parts/load.tsx";
import { useText } from "../settings.tsx";
import { downloadAddress, handIn, withdraw } from "./sit-requests.ts";

type Output = SittingDesk["outputs"][number];

/** What the task gives, to download. */
export function InputFiles({ files }: { readonly files: readonly DeskFile[] }): ReactNode {
  const t = useText();
  return (
    <section aria-labelledby="sit-input">
      <h2 id="sit-input">{t("sitInput")}</h2>
      {files.length === 0 ? <p className="soft">{t("none")}</p> : null}
      <ul className="sit-files">
        {files.map((file) => (
          <li key={file.path}>
            <a href={downloadAddress("input", file.path)} download>
              {file.path}
            </a>
            <span className="soft">{bytes(file.bytes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is asked for, each with a way to hand it in, and what has been handed in so far. */
export function OutputFiles({
  files,
  outputs,
}: {
  readonly files: readonly DeskFile[];
  readonly outputs: readonly Output[];
}): ReactNode {
  const t = useText();
  const [problem, setProblem] = useState<ApiProblem>();
  const [isBusy, setBusy] = useState(false);
  async function change(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(problemOf(error));
    }
    renew("sit/files");
    setBusy(false);
  }
  return (
    <section aria-labelledby="sit-output" aria-busy={isBusy}>
      <h2 id="sit-output">{t("sitOutput")}</h2>
      <ul className="sit-outputs">
        {outputs.map((output) => (
          <OutputLine
            key={output.path}
            output={output}
            isThere={files.some((file) => isPartOf(file, output))}
            onFiles={(chosen) => change(() => handInAll(output, chosen))}
          />
        ))}
      </ul>
      <ul className="sit-files" aria-label={t("sitHandedIn")}>
        {files.map((file) => (
          <li key={file.path}>
            <a href={downloadAddress("output", file.path)} download>
              {file.path}
            </a>
            <span className="soft">{bytes(file.bytes)}</span>
            <button
              type="button"
              className="quiet"
              aria-label={t("sitRemoveFile", { path: file.path })}
              onClick={() => change(() => withdraw(file.path))}
            >
              {t("sitRemove")}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => renew("sit/files")}>
        {t("sitLookAgain")}
      </button>
      {problem === undefined ? null : <Problem problem={problem} />}
    </section>
  );
}

function OutputLine({
  output,
  isThere,
  onFiles,
}: {
  readonly output: Output;
  readonly isThere: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}): ReactNode {
  const t = useText();
  const isFolder = output.path.endsWith("/");
  return (
    <li>
      <label>
        <span>
          <code>{output.path}</code> <span className="soft">{output.kind}</span>{" "}
          <span className={isThere ? "badge badge-completed" : "badge"}>
            {isThere ? t("sitThere") : output.required ? t("sitRequired") : t("sitOptional")}
          </span>
        </span>
        <span className="sit-choose">
          {t(isFolder ? "sitChooseFiles" : isThere ? "sitReplace" : "sitChooseFile")}
        </span>
        <input
          type="file"
          className="unseen"
          multiple={isFolder}
          onChange={({ currentTarget }) => {
            onFiles([...(currentTarget.files ?? [])]);
            // The same file may be chosen again, changed meanwhile.
            currentTarget.value = "";
          }}
        />
      </label>
    </li>
  );
}

/** A single file is handed in under the name that is asked for, whatever it is called here. */
async function handInAll({ path }: Output, files: readonly File[]): Promise<void> {
  for (const file of files) await handIn(path.endsWith("/") ? `${path}${file.name}` : path, file);
}

/** Whether a file is what an output asks for, or lies in the folder that it asks for. */
export function isPartOf(file: DeskFile, { path }: Output): boolean {
  return path.endsWith("/") ? file.path.startsWith(path) : file.path === path;
}
