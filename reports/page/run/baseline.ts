import type { BaselineReport, CheckResult, RunResult } from '../../../engine/result.ts';
import { plural } from '../../../engine/text.ts';
import { cut, folded, html, instant, linkTo, type Markup, placeIn, section } from '../markup.ts';

const MOST = 200;

/** What is new against an earlier run; undefined without one. */
export function baseline({ baseline: report, checks, target }: RunResult): Markup | undefined {
  if (report === undefined) return undefined;
  const known = new Map(checks.map((check) => [check.id, check]));
  const lists: readonly [
    keyof BaselineReport & ('new' | 'found' | 'fixed' | 'unstable' | 'untold' | 'vanished' | 'still'),
    string,
  ][] = [
    ['new', 'new'],
    ['found', 'found by sets of arguments that were not asked then: nobody knows since when'],
    ['fixed', 'fixed'],
    ['unstable', 'unstable: failed, but not in each retry'],
    ['untold', 'inconclusive now, and not then'],
    ['vanished', 'failed then, and are not asked any more'],
    ['still', 'fail as before'],
  ];
  const filled = lists.flatMap(([name, words]) => {
    const ids = report[name] ?? [];
    return ids.length > 0 ? [{ name, words, ids }] : [];
  });
  return section(
    'new',
    'What is new',
    html`<p>Beside the run ${cut(report.run, 100)} of ${instant(report.started)}: <b>${report.new.length === 0 ? 'nothing new fails' : `${plural(report.new.length, 'check')} failed that did not fail then`}</b>.</p>`,
    report.notes.length === 0
      ? undefined
      : html`<ul>${report.notes.slice(0, MOST).map((note) => html`<li>${cut(note)}</li>`)}</ul>`,
    filled.map(({ name, words, ids }) => {
      const list = html`<ul class="named">
        ${ids.slice(0, MOST).map((id) => named(id, known.get(id), target))}
        ${ids.length > MOST ? html`<li class="quiet">and ${ids.length - MOST} more in results.json</li>` : undefined}
      </ul>`;
      const summary = `${ids.length} ${words}`;
      return name === 'new' ? html`<div><h3>${summary}</h3>${list}</div>` : folded(summary, list);
    }),
  );
}

/** Where the target has it, what is asked there, and the id. */
function named(id: string, check: CheckResult | undefined, target: RunResult['target']): Markup {
  return html`<li>
    ${placeIn(check, target)}
    <a href=${linkTo(id)}>${cut(check?.title ?? id, 300)}</a> <code class="quiet">${cut(id, 300)}</code>
  </li>`;
}
