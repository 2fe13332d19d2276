import type { ReactNode } from "react";
import { CodeBlock } from "./json-text.tsx";
import { type Block, markdownBlocks, type Span } from "./markdown-blocks.ts";

/** Markdown as instructions use it: headings, paragraphs, lists, tables, code. Anything else stands as it is written. */
export function MarkdownText({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="prose">
      {markdownBlocks(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a fixed text never move
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { readonly block: Block }): ReactNode {
  switch (block.kind) {
    case "heading":
      return block.level <= 1 ? (
        <h2>
          <Spans spans={block.spans} />
        </h2>
      ) : (
        <h3>
          <Spans spans={block.spans} />
        </h3>
      );
    case "paragraph":
      return (
        <p>
          <Spans spans={block.spans} />
        </p>
      );
    case "code":
      return <CodeBlock text={block.text} />;
    case "list": {
      const items = block.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a fixed text never move
        <li key={index}>
          <Spans spans={item} />
        </li>
      ));
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <div className="scroll">
          <table>
            <tbody>
              {block.rows.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a fixed text never move
                <tr key={index}>
                  {row.map((cell, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells of a fixed text never move
                    <Cell key={column} head={index === 0} spans={cell} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function Cell({ head, spans }: { readonly head: boolean; readonly spans: readonly Span[] }): ReactNode {
  return head ? (
    <th scope="col">
      <Spans spans={spans} />
    </th>
  ) : (
    <td className="wrap">
      <Spans spans={spans} />
    </td>
  );
}

function Spans({ spans }: { readonly spans: readonly Span[] }): ReactNode {
  return spans.map((span, index) => {
    const key = `${index}${span.kind}`;
    if (span.kind === "code") return <code key={key}>{span.text}</code>;
    if (span.kind === "strong") return <strong key={key}>{span.text}</strong>;
    if (span.kind === "emphasis") return <em key={key}>{span.text}</em>;
    return span.text;
  });
}
