import { Fragment, type ReactNode } from "react";
import type { DocumentBlock, TextSpan } from "../../server/api/artifact-preview.ts";
import { useText } from "../settings.tsx";
import { ScrollWindow } from "./scroll-window.tsx";

/** A document's words in their order and rough form. Everything is text: nothing of it can run or ask for anything. */
export function DocumentText({
  blocks,
  clipped,
}: {
  readonly blocks: readonly DocumentBlock[];
  readonly clipped: boolean;
}): ReactNode {
  const t = useText();
  return (
    <>
      <ScrollWindow className="document" label={t("preview")}>
        {blocks.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a file have no other name and never move
          <Block key={index} block={block} />
        ))}
        {blocks.length === 0 ? <p className="soft">{t("none")}</p> : null}
      </ScrollWindow>
      {clipped ? <p className="soft">{t("clippedText")}</p> : null}
    </>
  );
}

function Block({ block }: { readonly block: DocumentBlock }): ReactNode {
  const t = useText();
  switch (block.kind) {
    case "image":
      return <img src={block.source} alt={t("documentImage")} />;
    case "table":
      return (
        <div className="scroll">
          <table>
            <tbody>
              {block.rows.map((cells, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name and never move
                <tr key={row}>
                  {cells.map((spans, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: likewise
                    <td key={column} className="wrap">
                      <Spans spans={spans} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "paragraph": {
      const { heading, list, spans } = block;
      if (heading !== undefined) {
        return (
          <p className={`document-heading document-heading-${Math.min(4, heading)}`}>
            <Spans spans={spans} />
          </p>
        );
      }
      if (list === undefined)
        return (
          <p>
            <Spans spans={spans} />
          </p>
        );
      return (
        <p className="document-item" style={{ marginLeft: `${1.2 + list.level * 1.2}rem` }}>
          <span aria-hidden="true" className="document-mark">
            {list.ordered ? "#" : "•"}
          </span>
          <Spans spans={spans} />
        </p>
      );
    }
  }
}

function Spans({ spans }: { readonly spans: readonly TextSpan[] }): ReactNode {
  return spans.map((span, index) => {
    let words: ReactNode = span.text;
    if (span.bold === true) words = <b>{words}</b>;
    if (span.italic === true) words = <i>{words}</i>;
    if (span.struck === true) words = <del>{words}</del>;
    if (span.added === true) words = <ins>{words}</ins>;
    // biome-ignore lint/suspicious/noArrayIndexKey: spans of a paragraph never move
    return <Fragment key={index}>{words}</Fragment>;
  });
}
