import { type Html, html } from "./html.ts";

/** A share with its interval on a line from 0 to 1. The numbers stand beside it, so it is hidden from readers aloud. */
export function intervalBar(value: number | null, low: number | null, high: number | null): Html {
  if (value === null) return html``;
  const at = (share: number): string => (4 + share * 192).toFixed(1);
  const band =
    low === null || high === null
      ? html``
      : html`<rect x="${at(low)}" y="5" width="${((high - low) * 192).toFixed(1)}" height="10" rx="2"/>`;
  return html`<svg class="interval" viewBox="0 0 200 20" aria-hidden="true"><line x1="4" x2="196" y1="10" y2="10"/>${band}<circle cx="${at(value)}" cy="10" r="4"/></svg>`;
}
