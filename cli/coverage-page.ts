import { html, type Markup } from '../reports/html.ts';
import { plural } from '../reports/text.ts';
import type { PlannedOperation } from '../suites/arguments/fuzz/planned-values.ts';
import {
  type Coverage,
  type CoveredRequirement,
  countSections,
  type SectionCoverage,
} from '../suites/coverage/coverage.ts';
import { COVERAGE_STYLE } from './coverage-style.ts';
import { fuzzCoverage, triedCoverage } from './fuzz-coverage-page.ts';
import type { TriedInRun } from './read-tried.ts';

/** The coverage of a deployment, and what its fuzz checks would try. */
export interface PageCoverage extends Coverage {
  readonly fuzz: readonly PlannedOperation[];
  /** What the fuzz checks of a run did try. */
  readonly tried?: TriedInRun;
}

/** The coverage of deployments as one page of HTML that needs nothing else: sections, requirements, checks, unspecified points. */
export function coveragePage(coverages: readonly PageCoverage[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coverage</title>
<style>${COVERAGE_STYLE}</style>
</head>
<body>
<h1>Coverage</h1>
<p>What is stated, the checks that it has, and what is left silent. A requirement is a row of
<code>requirements.json</code>, or what the contract states for one operation: a method, or one constraint
of a parameter. A mutant is one way to break a healthy site (<code>serve --mutant ID</code>), which a check must notice. What is silent no check asserts: all of them pass on a site that does
otherwise in each of these places.</p>
${coverages.map(deployment)}
</body>
</html>
`.text;
}

function deployment(coverage: PageCoverage): Markup {
  const sections = countSections(coverage);
  const name = coverage.deployment;
  const totals = [
    plural(coverage.requirements.length, 'requirement'),
    plural(coverage.checks, 'check'),
    plural(coverage.unspecified.length, 'unspecified point'),
  ].join(', ');
  return html`<h2>Deployment ${name}</h2>
<p>${totals}. Checks of no requirement: ${coverage.unclaimed.length === 0 ? 'none' : coverage.unclaimed.join(', ')}.</p>
<table class="sections">
<thead><tr><th>§</th><th>requirements</th><th>without a check</th><th>checks</th><th>mutants</th><th>unspecified</th></tr></thead>
<tbody>${sections.map((one) => summaryRow(name, one))}</tbody>
</table>
${sections.map((one) => section(name, one))}
${fuzzCoverage(coverage.fuzz)}
${coverage.tried === undefined ? '' : triedCoverage(coverage.tried)}`;
}

function summaryRow(
  name: string,
  { section, requirements, empty, checks, mutants, unspecified }: SectionCoverage,
): Markup {
  return html`<tr><td><a href="#${name}-${section}">§${section}</a></td><td>${requirements.length}</td><td>${empty.length}</td><td>${checks}</td><td>${mutants}</td><td>${unspecified.length}</td></tr>
`;
}

function section(name: string, { section: number, requirements, unspecified }: SectionCoverage): Markup {
  const rows = requirements.filter(({ from }) => from === 'requirements');
  const constraints = requirements.filter(({ from }) => from === 'contract');
  const byOperation = [...Map.groupBy(constraints, ({ id }) => id.split('/', 1)[0] ?? '')];
  return html`<h3 id="${name}-${number}">§${number}</h3>
${requirements.length === 0 ? html`<p>States nothing.</p>` : table(rows)}
${byOperation.map(
  ([operation, own]) => html`<details><summary>${operation}: ${plural(own.length, 'requirement')}</summary>
${table(own)}</details>
`,
)}
${unspecified.length === 0 ? '' : silent(unspecified)}`;
}

function silent(unspecified: SectionCoverage['unspecified']): Markup {
  return html`<details><summary>${plural(unspecified.length, 'unspecified point')}: no check asserts …</summary>
<ul>${unspecified.map((one) => html`<li><b>${one.subject}</b>: ${one.never} <code>${one.id}</code></li>`)}</ul></details>`;
}

function table(requirements: readonly CoveredRequirement[]): Markup {
  if (requirements.length === 0) return html``;
  return html`<table>
<thead><tr><th>requirement</th><th>basis</th><th>mode</th><th>credentials</th><th>checks</th><th>mutants</th></tr></thead>
<tbody>${requirements.map(row)}</tbody>
</table>`;
}

function row(one: CoveredRequirement): Markup {
  const { id, statement, basis, modes, checks } = one;
  return html`<tr${checks.length === 0 ? html` class="empty"` : ''}><td>${statement}<br><code>${id}</code></td><td>${basis}</td><td>${modes.join(', ')}</td><td>${credentialsOf(one)}</td><td>${checksOf(one)}</td><td>${idsOf(one.mutants)}</td></tr>
`;
}

function credentialsOf({ checks, needCredentials }: CoveredRequirement): string {
  if (needCredentials === 0) return '';
  return needCredentials === checks.length ? 'needed' : `needed by ${needCredentials}`;
}

function checksOf({ checks, reason }: CoveredRequirement): Markup {
  return checks.length === 0 ? html`none: ${reason ?? 'nobody has said why'}` : idsOf(checks);
}

function idsOf(ids: readonly string[]): Markup {
  if (ids.length <= 1) return html`<code>${ids[0] ?? ''}</code>`;
  return html`<details><summary>${ids.length}</summary>${ids.map((id) => html`<code>${id}</code><br>`)}</details>`;
}
