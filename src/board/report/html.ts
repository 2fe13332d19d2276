/** Text that is already HTML. Made only by {@link html} and {@link raw}. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | readonly Html[];

/** A template whose values are escaped unless they are {@link Html} themselves. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = strings.map(
    (string, index) => string + (index < parts.length ? render(parts[index] ?? "") : ""),
  );
  return { html: text.join("") };
}

/** Marks trusted text, such as a style sheet of ours, as HTML. */
export function raw(text: string): Html {
  return { html: text };
}

function render(part: Part): string {
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return "html" in part ? part.html : part.map((item) => item.html).join("");
}

function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? character);
}
