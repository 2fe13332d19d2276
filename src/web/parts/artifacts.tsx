import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { RecordFile, TrialView } from "../../server/api/trial-view.ts";
import { fileAddress } from "../data/source.ts";
import { bytes } from "../format.ts";
import { useText } from "../settings.tsx";
import { FilePreview } from "./file-preview.tsx";

const route = "/runs/$run/trials/$trial/$attempt";

/** What was handed in, what was missing or refused, and the logs; each file opens below its name. */
export function Artifacts({ view, path }: { readonly view: TrialView; readonly path: string }): ReactNode {
  const t = useText();
  const notTaken = view.artifacts.filter((artifact) => artifact.state !== "taken");
  const groups = Map.groupBy(view.files, (file) => file.path.split("/")[0] ?? "");
  return (
    <>
      {notTaken.length === 0 ? null : (
        <ul className="plain">
          {notTaken.map((artifact) => (
            <li key={artifact.path}>
              <b>{artifact.path}</b>{" "}
              {artifact.state === "missing" ? (
                <span className="score-fail">
                  {t("missingFile")} ({artifact.required ? t("required") : t("optional")})
                </span>
              ) : artifact.state === "refused" ? (
                <span className="score-fail">{t("refusedFile", { message: artifact.message })}</span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {[...groups].map(([folder, files]) => (
        <section key={folder}>
          <h2>{folder}</h2>
          <ul className="files">
            {files.map((file) => (
              <FileLine key={file.path} file={file} path={path} />
            ))}
          </ul>
        </section>
      ))}
      {view.files.length === 0 ? <p className="soft">{t("none")}</p> : null}
    </>
  );
}

function FileLine({ file, path }: { readonly file: RecordFile; readonly path: string }): ReactNode {
  const t = useText();
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const address = fileAddress(path, file.path);
  const isOpen = search.file === file.path;
  const name = file.path.slice(file.path.indexOf("/") + 1);
  const toggle = (): void => {
    navigate({
      search: ({ file: _, ...rest }) => (isOpen ? rest : { ...rest, file: file.path }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <li>
      <div className="file-head">
        <button type="button" className="file-name" aria-expanded={isOpen} onClick={toggle}>
          <span aria-hidden="true" className="twist">
            {isOpen ? "▾" : "▸"}
          </span>
          {name}
        </button>
        <span className="soft">{bytes(file.bytes)}</span>
        {address === undefined ? (
          <span className="soft">{t("notExported")}</span>
        ) : (
          <a
            href={address}
            target="_blank"
            rel="noreferrer"
            // A browser opens no page from an address that holds its data: it is saved.
            download={address.startsWith("data:") ? name : undefined}
            aria-label={`${t("open")} ${name}`}
          >
            {t("open")}
          </a>
        )}
      </div>
      {isOpen ? <FilePreview file={file} path={path} address={address} /> : null}
    </li>
  );
}
