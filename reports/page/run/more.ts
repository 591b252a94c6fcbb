import { share } from '../../../engine/conclusion.ts';
import type { RunResult } from '../../../engine/result.ts';
import { formatDuration, plural } from '../../../engine/text.ts';
import { namesIn } from '../../../specs/deployment.ts';
import { loadVocabulary } from '../../../specs/vocabulary.ts';
import { createdBy, howItEnded, whatElseChanged, whatStayed } from '../../what-stayed.ts';
import { cut, facts, folded, html, linkTo, type Markup, type Part, scrolled, section } from '../markup.ts';

const MOST_NOTICES = 300;
const MOST_ROWS = 500;
const SLOWEST = 10;

/** What the site has beyond the contract. */
export function notices({ notices: all }: RunResult): Part {
  if (all.length === 0) return undefined;
  return section(
    'notices',
    plural(all.length, 'notice'),
    html`<p>What the site has beyond the contract. Nothing here is a fault.</p>`,
    folded(
      'Show them',
      html`<ul>${all.slice(0, MOST_NOTICES).map(({ message }) => html`<li>${cut(message, 400)}</li>`)}
        ${all.length > MOST_NOTICES ? html`<li class="quiet">and ${all.length - MOST_NOTICES} more in results.json</li>` : undefined}</ul>`,
    ),
  );
}

/** What drawing arguments tried. */
export function fuzzing({ fuzzing: report }: RunResult): Part {
  if (report === undefined) return undefined;
  const { judged, planned, violations, unstable, keywords, pairs, untried } = report;
  return section(
    'drawn',
    'Drawn arguments',
    facts([
      ['Evaluated', share(judged, planned, 'sets of arguments')],
      ['Violations', `${violations}${unstable > 0 ? `, ${unstable} of them not each time` : ''}`],
      ['Keywords and kinds of values', `${keywords.tried} tried, ${keywords.untried} never`],
      ['Pairs of parameters', share(pairs.tried, pairs.possible, 'tried together')],
      ['Not finished', untried.length === 0 ? undefined : plural(untried.length, 'search', 'searches')],
    ]),
  );
}

/** What a run that may write made, and whether anything stayed. */
export function writing({ writing: report }: RunResult): Part {
  if (report === undefined) return undefined;
  const created = createdBy(report);
  const lines = [...whatStayed(report), ...whatElseChanged(report)];
  return section(
    'writing',
    'What the run wrote',
    html`<p>${plural(created, 'record')} made with the tag <code>${cut(report.tag, 100)}</code>: ${howItEnded(report)}.</p>`,
    lines.length === 0
      ? undefined
      : html`<ul>${lines.slice(0, MOST_ROWS).map((line) => html`<li>${cut(line, 400)}</li>`)}</ul>`,
  );
}

/** Requests and time. */
export function effort({ run, checks }: RunResult): Markup {
  const slowest = checks
    .filter(({ seconds }) => seconds > 0)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST);
  return section(
    'effort',
    'Requests and time',
    facts([
      ['Time', formatDuration(run.seconds)],
      ['Requests', `${run.requests.toLocaleString('en-US')}, ${plural(run.retries, 'retry', 'retries')}`],
      ['A second', run.seconds > 0 ? `${(run.requests / run.seconds).toFixed(1)} requests` : undefined],
      ['Seed', String(run.seed)],
      ['Ended early', run.ended === undefined ? undefined : cut(run.ended, 300)],
    ]),
    slowest.length === 0
      ? undefined
      : folded(
          'The slowest checks',
          html`<ol>${slowest.map(({ id, seconds }) => html`<li>${formatDuration(seconds)} <a href=${linkTo(id)}><code>${cut(id, 200)}</code></a></li>`)}</ol>`,
        ),
  );
}

/** The words of the site beside ours: its routes, and its names of parameters. */
export function words({ target, checks }: RunResult): Part {
  const { operations = {}, vocabulary } = target;
  const places = Object.entries(operations).slice(0, MOST_ROWS);
  if (places.length === 0) return undefined;
  const known = namesIn('vocabularies').includes(vocabulary) ? loadVocabulary(vocabulary) : undefined;
  const names = new Set(checks.flatMap(({ parameter }) => parameter ?? []));
  const renamed = [...names]
    .map((name): [string, string] => [name, known?.parameter(name) ?? name])
    .filter(([name, own]) => name !== own);
  return section(
    'words',
    "The site's own words",
    html`<p>Reports name operations and parameters in neutral words. This is where they are on the site.</p>`,
    folded(
      plural(places.length, 'operation'),
      scrolled(
        'Operations in the words of the site',
        html`<table>
          <thead><tr><th scope="col">ours</th><th scope="col">of the site</th></tr></thead>
          <tbody>${places.map(([id, { methods, route }]) => html`<tr><th scope="row">${cut(id, 150)}</th><td><code>${cut(`${methods.join(', ')} ${route}`, 300)}</code></td></tr>`)}</tbody>
        </table>`,
      ),
    ),
    renamed.length === 0
      ? undefined
      : folded(
          plural(renamed.length, 'parameter'),
          html`<ul>${renamed.slice(0, MOST_ROWS).map(([name, own]) => html`<li><code>${cut(name, 100)}</code> is <code>${cut(own, 100)}</code></li>`)}</ul>`,
        ),
  );
}
