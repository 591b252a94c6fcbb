import { html, type Markup } from '../reports/html.ts';
import { plural, shorten, visibleLine } from '../reports/text.ts';
import type { TriedOperation, TriedParameter } from '../reports/tried-values.ts';
import type { PlannedOperation, PlannedParameter } from '../suites/arguments/fuzz/planned-values.ts';
import type { TriedInRun } from './read-tried.ts';

const LONGEST = 500;

/** What the fuzz checks of a deployment would try, as a part of the coverage page: operation, parameter, keyword and pairs. */
export function fuzzCoverage(planned: readonly PlannedOperation[]): Markup {
  if (planned.length === 0) return html``;
  return html`<h3>Fuzzing</h3>
<p>What fuzz checks would try, sets of many arguments apart: the edges of each keyword that must be accepted, those that must be
refused, and pairs of parameters in sets that must be accepted. Malformed values are tried of every parameter. What a run did
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

/** What the fuzz checks of a run did try, as a part of the coverage page. */
export function triedCoverage({ run, operations }: TriedInRun): Markup {
  return html`<h3>Fuzzing in run ${plain(run)}</h3>
<p>How often values of each keyword, or of another kind, were accepted, refused, or answered otherwise, and what was never tried.</p>
${operations.map(triedOperation)}`;
}

function triedOperation({ operation: id, parameters, pairs, skipped }: TriedOperation): Markup {
  const never = parameters.flatMap(({ untried }) => untried).length;
  return html`<details><summary>${plain(id)}: ${plural(parameters.length, 'parameter')}, ${never} never tried</summary>
${skipped.map(({ check, reason }) => html`<p><code>${check}</code> tried nothing: ${plain(reason)}</p>`)}
<table class="fuzz">
<thead><tr><th>parameter</th><th>accepted</th><th>refused</th><th>otherwise</th><th>never, and why</th></tr></thead>
<tbody>${parameters.map(triedRow)}</tbody>
</table>
${pairs.map(pairsOf)}</details>
`;
}

function triedRow({ name, keywords, untried }: TriedParameter): Markup {
  const counted = (end: 'accepted' | 'refused' | 'other'): string =>
    keywords
      .filter((one) => one[end] > 0)
      .map((one) => `${one.keyword} ${one[end]}`)
      .join(', ');
  const never = untried.map(
    ({ keyword, reason }) => `${keyword === undefined ? '' : `${keyword}: `}${reason}`,
  );
  return html`<tr${keywords.length === 0 ? html` class="empty"` : ''}><td>${plain(name)}</td><td>${counted('accepted')}</td><td>${counted('refused')}</td><td>${counted('other')}</td><td>${plain(never.join('; '))}</td></tr>
`;
}

function pairsOf({
  check,
  tried,
  possible,
  accepted,
  refused,
  untried,
}: TriedOperation['pairs'][number]): Markup {
  const never = untried.map(({ parameters, reason }) => `${parameters.join(' with ')} (${reason})`);
  const text = `${tried} of ${plural(possible, 'pair')}: ${accepted} accepted, ${refused} refused only`;
  return html`<p><code>${check}</code>: ${text}.</p>
${never.length === 0 ? '' : html`<details><summary>${plural(never.length, 'pair')} never</summary><p>${never.join('; ')}</p></details>`}
`;
}

/** Text of a file, which may hold text of a target. */
function plain(text: string): string {
  return visibleLine(shorten(text, LONGEST));
}
