import { Markup } from '../reports/html.ts';

/** The style of the coverage page. */
export const COVERAGE_STYLE: Markup = new Markup(`
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); }
td:nth-child(1) { width: 50%; }
.sections { width: auto; }
.sections td, .sections th { width: auto; text-align: right; }
.sections :is(td, th):first-child { text-align: left; }
table.fuzz td { width: 25%; }
code { font: 0.85em ui-monospace, monospace; overflow-wrap: anywhere; }
td:first-child code { opacity: 0.7; }
summary { cursor: pointer; }
.empty td { background: color-mix(in srgb, orange 15%, transparent); }
h2 { margin-top: 3rem; border-bottom: 2px solid var(--line); }
`);
