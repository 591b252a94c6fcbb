import { html, type Markup } from '../reports/html.ts';
import { plural } from '../reports/text.ts';
import type { PlannedOperation, PlannedParameter } from '../suites/arguments/fuzz/planned-values.ts';

/** What the fuzz checks of a deployment would try, as a part of the coverage page: operation, parameter, keyword and pairs. */
export function fuzzCoverage(planned: readonly PlannedOperation[]): Markup {
  if (planned.length === 0) return html``;
  return html`<h3>Fuzzing</h3>
<p>What fuzz checks would try, sets of many arguments apart: the edges of each keyword that must be accepted, those that must be
refused, and pairs of parameters in sets that must be accepted. Strange values are tried of every parameter. What a run did
try is in <code>results.json</code>.</p>
${planned.map(operation)}`;
}

function operation({ operation: id, parameters, pairs, apart, checks }: PlannedOperation): Markup {
  return html`<details><summary>${id}: ${plural(parameters.length, 'parameter')}, ${plural(pairs, 'pair')}</summary>
<p>${plural(checks.length, 'check')}: ${checks.map((one) => html`<code>${one}</code> `)}</p>
<table class="fuzz">
<thead><tr><th>parameter</th><th>accepted</th><th>refused</th><th>never, and why</th></tr></thead>
<tbody>${parameters.map(row)}</tbody>
</table>
${apart.length === 0 ? '' : html`<p>In no pair: ${apart.map(({ parameter, reason }) => `${parameter} (${reason})`).join(', ')}.</p>`}</details>
`;
}

function row({ name, accepted, refused, unsure, reason }: PlannedParameter): Markup {
  const never = reason ?? (unsure.length === 0 ? '' : `${unsure.join(', ')}: no value is sure`);
  return html`<tr${reason === undefined ? '' : html` class="empty"`}><td>${name}</td><td>${accepted.join(', ')}</td><td>${refused.join(', ')}</td><td>${never}</td></tr>
`;
}
