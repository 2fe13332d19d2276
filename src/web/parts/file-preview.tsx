import type { ReactNode } from "react";
import type { ArtifactPreview, TablePreview } from "../../server/api/artifact-preview.ts";
import type { RecordFile } from "../../server/api/trial-view.ts";
import { useText } from "../settings.tsx";
import { DocumentText } from "./document-text.tsx";
import { CodeBlock } from "./json-text.tsx";
import { Load } from "./load.tsx";
import { MeshView } from "./mesh-view.tsx";
import { ScrollWindow } from "./scroll-window.tsx";

/** Set by the build: an export is one script, and what draws meshes would be most of it. */
declare const hasMeshes: boolean;

/** A file shown in the page, as far as it can be. */
export function FilePreview({
  file,
  path,
  address,
}: {
  readonly file: RecordFile;
  readonly path: string;
  readonly address: string | undefined;
}): ReactNode {
  const t = useText();
  const { preview } = file;
  if (preview === "image" || preview === "pdf" || preview === "audio" || preview === "video") {
    if (address === undefined) return <p className="soft">{t("notExported")}</p>;
    return <Media kind={preview} address={address} name={file.path} />;
  }
  if (preview === "mesh") {
    if (!hasMeshes || address === undefined) return <p className="soft">{t("meshLeftOut")}</p>;
    return <MeshView address={address} name={file.path} />;
  }
  const encoded = file.path.split("/").map(encodeURIComponent).join("/");
  return (
    <Load<ArtifactPreview> path={`${path}/preview/${encoded}`}>{(made) => <Preview preview={made} />}</Load>
  );
}

function Media({
  kind,
  address,
  name,
}: {
  readonly kind: "image" | "pdf" | "audio" | "video";
  readonly address: string;
  readonly name: string;
}): ReactNode {
  switch (kind) {
    case "image":
      return <img className="preview-image" src={address} alt={name} loading="lazy" />;
    case "pdf":
      return <iframe className="preview-page" src={address} title={name} />;
    case "audio":
      // biome-ignore lint/a11y/useMediaCaption: what an agent left has no captions
      return <audio controls src={address} aria-label={name} />;
    case "video":
      // biome-ignore lint/a11y/useMediaCaption: what an agent left has no captions
      return <video className="preview-video" controls src={address} aria-label={name} />;
  }
}

function Preview({ preview }: { readonly preview: ArtifactPreview }): ReactNode {
  const t = useText();
  switch (preview.kind) {
    case "table":
      return preview.tables.map((table) => <Sheet key={table.name} table={table} />);
    case "text":
    case "json":
      return (
        <>
          <CodeBlock text={preview.text} />
          {preview.clipped ? <p className="soft">{t("clippedText")}</p> : null}
        </>
      );
    case "document":
      return <DocumentText blocks={preview.blocks} clipped={preview.clipped} />;
    case "none":
      return <p className="soft">{t("noPreview", { reason: preview.reason })}</p>;
    default:
      return null;
  }
}

function Sheet({ table }: { readonly table: TablePreview }): ReactNode {
  const t = useText();
  const [head = [], ...rows] = table.rows;
  const all = table.totalRows === null ? null : Math.max(0, table.totalRows - 1);
  const keyed = (cells: readonly string[]): readonly (readonly [string, string])[] =>
    cells.map((cell, column) => [`c${column}`, cell] as const);
  return (
    <figure className="sheet">
      <figcaption className="soft">
        {table.name === "" ? "" : `${table.name}: `}
        {all === null ? t("rowsFirst", { shown: rows.length }) : t("rowsOf", { shown: rows.length, all })}
      </figcaption>
      <ScrollWindow className="scroll sheet-window" label={table.name === "" ? t("preview") : table.name}>
        <table>
          <thead>
            <tr>
              {keyed(head).map(([key, cell]) => (
                <th key={key} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name and never move
              <tr key={index}>
                {keyed(row).map(([key, cell]) => (
                  <td key={key} className={isNumber(cell) ? "number" : ""}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollWindow>
    </figure>
  );
}

function isNumber(text: string): boolean {
  return /^-?[\d.,]+(e[+-]?\d+)?%?$/i.test(text);
}
