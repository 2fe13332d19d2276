/** The report's style sheet: light and dark by the reader's setting, readable at phone width, no outside font. */
export const reportStyle: string = `
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #5d6470; --paper: #fff; --line: #d9dde3; --bar: #3f6fb5;
  --pass: #1d7a46; --part: #8a6100; --fail: #b3261e; --none: #6b7280; --shade: #f4f6f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #a3abb8; --paper: #15171a; --line: #33383f;
  --bar: #7aa7e8; --pass: #63c48d; --part: #d9ac4a; --fail: #f08a83; --none: #9aa3b0; --shade: #1d2024; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; } .soft { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
th { font-weight: 600; color: var(--soft); } td.number, th.number { text-align: right; }
@media (max-width: 40rem) { td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 9rem; } }
tbody tr:hover { background: var(--shade); }
a { color: inherit; text-underline-offset: .15em; } a:focus-visible { outline: 2px solid var(--bar); }
.pass { color: var(--pass); } .part { color: var(--part); } .fail { color: var(--fail); } .none { color: var(--none); }
svg.interval { width: 11rem; height: 1.1rem; display: block; }
svg.interval line { stroke: var(--line); stroke-width: 2; } svg.interval rect { fill: var(--bar); opacity: .35; }
svg.interval circle { fill: var(--bar); }
`;
