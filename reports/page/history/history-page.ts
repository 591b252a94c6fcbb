import {
  type FailingCheck,
  type History,
  NIGHT_LETTERS,
  type Night,
  type Series,
  type UnstableCheck,
} from '../../../compare/history/document.ts';
import { plural } from '../../text.ts';
import { renderPage } from '../document.ts';
import { frame } from '../frame.ts';
import { cut, html, type Markup, type Part } from '../markup.ts';
import { count, facts, SIGNS, type State, scrolled, section } from '../parts.ts';
import { search } from '../search.ts';

const MOST_SERIES = 50;
const MOST_NIGHTS = 400;
const MOST_CHECKS = 500;
/** So many nights a row of signs holds. */
const LONGEST_STRIP = 60;

/** The state that a letter of a night stands for; a night on which a check was not asked has none. */
const STATES: Readonly<Record<string, State>> = {
  p: 'pass',
  f: 'fail',
  a: 'waived',
  w: 'warn',
  u: 'unstable',
  i: 'inconclusive',
  e: 'error',
};

const CONCLUSIONS = { conformant: 'pass', nonconformant: 'fail', inconclusive: 'inconclusive' } as const;

/** The page of a history, `history.html`: nights × counts, what fails how long, and what is unstable. */
export function renderHistoryPage(history: History): string {
  const { series, notes, runs } = history;
  const failing = series.reduce((sum, one) => sum + one.failing.length, 0);
  const heading =
    failing === 0
      ? 'Nothing fails in the latest run'
      : `${plural(failing, 'check')} ${failing === 1 ? 'fails' : 'fail'} in the latest run`;
  const shown = series.slice(0, MOST_SERIES);
  return renderPage({
    title: heading,
    body: frame({
      heading,
      state: failing > 0 ? 'fail' : 'pass',
      head: [
        facts([
          [
            'Runs',
            `${count(runs.read)} read${runs.repeated > 0 ? `, ${runs.repeated} of them twice` : ''}${runs.earlier > 0 ? `, ${runs.earlier} earlier ones left out` : ''}`,
          ],
          ['Series', `${series.length}: one for each site, deployment and mode`],
        ]),
      ],
      ways: shown.map(
        (one, at) =>
          [
            `series-${at}`,
            cut(one.target.url.replace(/^https?:\/\//, ''), 60),
            String(one.failing.length),
          ] as const,
      ),
      search: search('checks', [
        {
          name: 'state',
          label: 'State',
          values: [
            ['fail', 'failing'],
            ['unstable', 'unstable'],
            ['waived', 'waived'],
          ],
        },
      ]),
      content: [
        notes.length === 0
          ? undefined
          : section(
              'notes',
              'To know first',
              html`<ul>${notes.slice(0, 100).map((note) => html`<li>${cut(note)}</li>`)}</ul>`,
            ),
        shown.map(seriesOf),
        series.length > shown.length
          ? html`<p class="quiet">and ${series.length - shown.length} more series in history.json</p>`
          : undefined,
      ],
      foot: html`<span>history.json beside this page has everything that stands here.</span>`,
    }),
  });
}

function seriesOf({ target, mode, nights, failing, waived, unstable }: Series, at: number): Markup {
  const name = `${cut(target.url, 200)}, ${cut(target.deployment, 100)}, mode ${mode}`;
  return section(
    `series-${at}`,
    name,
    scrolled(`Runs of ${name}`, nightsTable(nights)),
    failing.length === 0 ? undefined : html`<h3>Fails, the longest first</h3>`,
    failing.length === 0 ? undefined : list(failing, 'fail', lengthOf),
    unstable.length === 0 ? undefined : html`<h3>Unstable, the most restless first</h3>`,
    unstable.length === 0 ? undefined : list(unstable, 'unstable', restlessness),
    waived.length === 0 ? undefined : html`<h3>Accepted</h3>`,
    waived.length === 0
      ? undefined
      : list(waived, 'waived', (check) => `${lengthOf(check)}; ${check.waived?.reason ?? ''}`),
  );
}

function nightsTable(nights: readonly Night[]): Markup {
  const shown = nights.slice(-MOST_NIGHTS).toReversed();
  return html`<table class="nights">
    <thead><tr><th scope="col">run</th><th scope="col">conclusion</th><th scope="col">new</th><th scope="col">fixed</th><th scope="col">failed</th><th scope="col">waived</th><th scope="col">warnings</th><th scope="col">inconclusive</th><th scope="col">passed</th><th scope="col">checks</th></tr></thead>
    <tbody>${shown.map(nightRow)}</tbody>
  </table>`;
}

function nightRow({ started, conclusion, counts, new: fresh, fixed, ended, partial }: Night): Markup {
  const state = CONCLUSIONS[conclusion];
  const remark = ended !== undefined ? ' (ended early)' : partial !== undefined ? ' (PARTIAL)' : '';
  const cell = (number: number, own: State): Markup =>
    number === 0
      ? html`<td class="quiet">0</td>`
      : html`<td><span class=${`key ${own}`}>${SIGNS[own]} ${count(number)}</span></td>`;
  const named = (ids: readonly string[], own: State): Markup =>
    ids.length === 0
      ? html`<td class="quiet">0</td>`
      : html`<td title=${cut(ids.slice(0, 20).join(', '), 600)}><span class=${`key ${own}`}>${SIGNS[own]} ${ids.length}</span></td>`;
  return html`<tr>
    <th scope="row">${cut(started.slice(0, 16).replace('T', ' '), 40)}</th>
    <td><span class=${`key ${state}`}>${SIGNS[state]} ${conclusion}</span>${remark}</td>
    ${named(fresh, 'fail')}${named(fixed, 'pass')}${cell(counts.fail, 'fail')}${cell(counts.waived ?? 0, 'waived')}${cell(counts.warn, 'warn')}${cell(counts.inconclusive, 'inconclusive')}${cell(counts.pass, 'pass')}
    <td>${count(Object.values(counts).reduce((sum, number) => sum + (number ?? 0), 0))}</td>
  </tr>`;
}

function list<T extends FailingCheck | UnstableCheck>(
  checks: readonly T[],
  state: State,
  words: (check: T) => string,
): Markup {
  const rest = checks.length - MOST_CHECKS;
  return html`<ul class="rows">
    ${checks
      .slice(0, MOST_CHECKS)
      .map(
        (check) =>
          html`<li class=${state}><b>${cut(check.id, 150)}</b> ${cut(check.title, 200)} <em>${cut(words(check), 300)}</em> ${strip(check.verdicts)}</li>`,
      )}
    ${rest > 0 ? html`<li class="skip">and ${rest} more in history.json</li>` : undefined}
  </ul>`;
}

function lengthOf({ nights, days, since, fromStart }: FailingCheck): string {
  return `${plural(nights, 'run')}, ${plural(days, 'day')}, since ${since.slice(0, 10)}${fromStart === true ? ' at least' : ''}`;
}

function restlessness({ episodes, turns, told }: UnstableCheck): string {
  return `began to fail ${plural(episodes, 'time')}, changed ${plural(turns, 'time')}${told > 0 ? `, found unstable in ${plural(told, 'run')}` : ''}`;
}

/** The last nights of a check, one sign for each. */
function strip(verdicts: string): Part {
  const last = verdicts.slice(-LONGEST_STRIP);
  const words = [...new Set(last)].map((letter) => NIGHT_LETTERS[letter] ?? 'unknown').join(', ');
  return html`<span class="strip" role="img" aria-label=${`run by run: ${words}`}>${[...last].map(
    (letter) => {
      const state = Object.hasOwn(STATES, letter) ? STATES[letter] : undefined;
      return state === undefined ? html`<i>·</i>` : html`<i class=${state}>${SIGNS[state]}</i>`;
    },
  )}</span>`;
}
