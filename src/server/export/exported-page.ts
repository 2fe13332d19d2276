/** The parts of an exported page. */
export interface ExportedPage {
  /** Text of the script that makes `window.aleData`. */
  readonly data: string;
  readonly style: { readonly href: string } | { readonly text: string };
  readonly script: { readonly src: string } | { readonly text: string };
}

/**
 * Nothing but the page's own files is ever asked for. `self` is for a folder that somebody puts on a server, `file:` for
 * one that is opened from disk, where no page is the same origin as its neighbours.
 */
const policy =
  "default-src 'none'; script-src 'self' file: 'unsafe-inline'; style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:; media-src 'self' file: data:; frame-src 'self' file:; base-uri 'none'; form-action 'none'";

/** `index.html` of an export, or all of it in one. */
export function exportedPage({ data, style, script }: ExportedPage): string {
  const styleTag =
    "href" in style ? `<link rel="stylesheet" href="${style.href}">` : `<style>${style.text}</style>`;
  const scriptTag =
    "src" in script
      ? `<script src="${script.src}" defer></script>`
      : `<script>${inScript(script.text)}</script>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<title>Agents' Last Exam</title>${styleTag}</head>
<body><div id="root"></div><script>${data}</script>
${scriptTag}</body></html>
`;
}

/** A value as JavaScript that may stand inside a `<script>`: nothing in it can end the element. */
export function scriptValue(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** Code that ends its own element early in a string: the only place a built script holds one. */
function inScript(code: string): string {
  return code.replaceAll(/<(?=\/script|!--)/gi, "\\x3c");
}
