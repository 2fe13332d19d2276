import type { KeyboardEvent, ReactNode, Ref } from "react";

/** A part of the page that scrolls by itself, and so must be reached by keyboard. */
export function ScrollWindow(props: {
  readonly label: string;
  readonly className: string;
  readonly frame?: Ref<HTMLElement>;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section
      className={props.className}
      ref={props.frame}
      aria-label={props.label}
      onKeyDown={props.onKeyDown}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it nobody could scroll it by keyboard
      tabIndex={0}
    >
      {props.children}
    </section>
  );
}
