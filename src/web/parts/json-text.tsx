import type { ReactNode } from "react";

/** A value as indented JSON. */
export function JsonText({ value }: { readonly value: unknown }): ReactNode {
  return <CodeBlock text={JSON.stringify(value, undefined, 2)} />;
}

/** Text as it is; long lines wrap, and long texts scroll. */
export function CodeBlock({ text }: { readonly text: string }): ReactNode {
  return (
    <pre
      className="code"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it nobody could scroll it by keyboard
      tabIndex={0}
    >
      {text}
    </pre>
  );
}
