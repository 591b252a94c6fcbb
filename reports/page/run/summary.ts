import type { Conclusion, ProgressReport, RunResult } from '../../../engine/result.ts';
import { formatDuration, plural } from '../../text.ts';
import { howFar } from '../../way-there.ts';
import { cut, html, type Markup, type Part } from '../markup.ts';
import { bar, count, facts, instant, SIGNS, type State, WORDS } from '../parts.ts';

/** The conclusion as a heading says it. */
export const HEADINGS: Readonly<Record<Conclusion, string>> = {
  conformant: 'Conformant',
  nonconformant: 'Not conformant',
  inconclusive: 'Nothing can be concluded',
};

const ORDER: readonly State[] = ['fail', 'error', 'warn', 'inconclusive', 'waived', 'skip', 'pass'];

/** What stands under the conclusion: its reason, the verdicts by number, and what was checked when. */
export function summary(result: RunResult): Part[] {
  const { target, run, tool, reason, partial, progress } = result;
  return [
    html`<p class="reason">${cut(sentence(reason), 1500)}</p>`,
    partial === undefined
      ? undefined
      : html`<p class="partial"><b>PARTIAL</b> Only ${count(partial.asked)} of ${count(partial.planned)} planned checks were asked: the conclusion holds for them alone.</p>`,
    tally(result),
    required(progress),
    facts([
      ['Site', html`<code>${cut(target.url, 300)}</code>`],
      [
        'Contract',
        `${cut(target.deployment, 100)}, in ${target.vocabulary === 'neutral' ? 'neutral words' : `the words of ${cut(target.vocabulary, 100)}`}`,
      ],
      ['Run', `${cut(run.id, 100)}, begun ${instant(run.started)}`],
      [
        'Mode',
        `${run.mode}${target.as === undefined ? '' : target.as === 'user' ? ', with a user' : ', anonymous'}`,
      ],
      ['Took', `${formatDuration(run.seconds)}, ${plural(run.requests, 'request')}`],
      ['Made by', `${cut(tool.name, 60)} ${cut(tool.version, 60)}`],
    ]),
  ];
}

function required(progress: ProgressReport | undefined): Markup | undefined {
  const words = howFar(progress);
  if (progress === undefined || words === undefined) return undefined;
  const { passed, required: all } = progress;
  return html`<p class="required">${bar(passed, all, 'Required checks that pass')} ${words}</p>`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The verdicts as numbers, and as a bar whose parts are as long as their share. */
function tally({ counts, checks }: RunResult): Markup {
  const present = ORDER.map((state): [State, number] => [state, numberOf(state, counts)]).filter(
    ([, number]) => number > 0,
  );
  return html`<ul class="tally" aria-label=${`${plural(checks.length, 'check')}`}>
    ${present.map(
      ([state, number]) =>
        html`<li class=${state}><b>${count(number)}</b> <span aria-hidden="true">${SIGNS[state]}</span> ${WORDS[state]}</li>`,
    )}
  </ul>`;
}

function numberOf(state: State, counts: RunResult['counts']): number {
  if (state === 'unstable') return 0;
  return counts[state] ?? 0;
}
