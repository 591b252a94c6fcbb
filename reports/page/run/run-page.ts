import { percent } from '../../../engine/conclusion.ts';
import {
  type CheckResult,
  type Conclusion,
  isUnstableCheck,
  type ProgressReport,
  type RunResult,
  type StageReport,
  VERDICTS,
} from '../../../engine/result.ts';
import { formatDuration, plural } from '../../../engine/text.ts';
import { howFar, isForAuthor } from '../../way-there.ts';
import { whatWasMade } from '../../what-was-made.ts';
import { causesOf } from '../causes.ts';
import { frame, renderPage, search } from '../document.ts';
import {
  bar,
  count,
  cut,
  facts,
  folded,
  html,
  instant,
  type Markup,
  type Part,
  SIGNS,
  type State,
  section,
  WORDS,
} from '../markup.ts';
import { allChecks } from './all-checks.ts';
import { baseline } from './baseline.ts';
import { findings, named, toldInCards } from './failures.ts';
import { type CheckMap, map, mapOf } from './map.ts';
import { effort, fuzzing, notices, words, writing } from './more.ts';
import { nextSteps, wayThere } from './next-steps.ts';
import { untold } from './untold.ts';

/** The page of one run, `report.html`: a person who sees it for the first time finds what is wrong and how to see it. */
export function renderRunPage(result: RunResult): string {
  const { conclusion, counts, target, partial } = result;
  const checks = mapOf(result);
  const hasChecks = result.checks.length > 0;
  const isAuthor = isForAuthor(result);
  const heading = `${HEADINGS[conclusion]}${partial === undefined ? '' : ' (PARTIAL)'}`;
  return renderPage({
    title: `${heading}: ${cut(target.url, 120)}`,
    body: frame({
      heading,
      state: conclusion === 'conformant' ? 'pass' : conclusion === 'nonconformant' ? 'fail' : 'inconclusive',
      head: summary(result),
      ways: waysOf(result),
      ...(hasChecks && { search: search('checks', choices(checks), 'words of a route, an id or a title') }),
      content: [
        baseline(result),
        nextSteps(result),
        isAuthor && wayThere(result),
        findings(result, 'fail', {
          id: 'failures',
          title: `${plural(counts.fail, 'failure')} from ${plural(causesOf(result, 'fail').length, 'cause')}`,
          lead: 'The worst first: what is new, what hides most, what shows in most places.',
        }),
        findings(result, 'error', {
          id: 'errors',
          title: `${plural(counts.error, 'fault')} of the suite itself`,
        }),
        findings(result, 'unstable', {
          id: 'unstable',
          title: 'Unstable checks',
          lead: 'A violation showed, but not in each retry. That is neither a failure nor a pass.',
        }),
        findings(result, 'warn', {
          id: 'warnings',
          title: plural(counts.warn, 'warning'),
          lead: 'Where the specification is doubtful or only advises, or the site does otherwise than it publishes.',
        }),
        !isAuthor && wayThere(result),
        hasChecks && map(checks),
        ...untold(result),
        stage(result),
        findings(result, 'waived', {
          id: 'waived',
          title: plural(counts.waived ?? 0, 'waived failure'),
          lead: 'Accepted deviations: they fail, and do not count.',
        }),
        notices(result),
        fuzzing(result),
        effort(result),
        writing(result),
        words(result),
        hasChecks && allChecks(checks, toldInCards(result)),
      ],
      foot: html`<span>results.json beside this page has everything that stands here, and more.</span>`,
    }),
  });
}

function waysOf(result: RunResult): (readonly [string, string, string?])[] {
  const { counts, notices: beyond, baseline: earlier, checks, progress, stage } = result;
  const { required = 0, passed = 0 } = progress ?? {};
  const isAuthor = isForAuthor(result);
  const share = percent(passed, required);
  const unstable = checks.filter(isUnstableCheck).length;
  const rows: [string, string, number | string | undefined, boolean][] = [
    ['new', 'New', earlier?.new.length, earlier !== undefined],
    ['next', 'Next', undefined, true],
    ['progress', 'Required', share, isAuthor && passed < required],
    ['failures', 'Failures', counts.fail, counts.fail > 0],
    ['errors', 'Faults', counts.error, counts.error > 0],
    ['unstable', 'Unstable', unstable, unstable > 0],
    ['warnings', 'Warnings', counts.warn, counts.warn > 0],
    ['progress', 'Required', share, !isAuthor && passed < required],
    ['map', 'Map', undefined, checks.length > 0],
    ['untold', 'Inconclusive', counts.inconclusive - unstable, counts.inconclusive > unstable],
    ['skipped', 'Skipped', counts.skip, counts.skip > 0],
    ['stage', 'Not made', stage?.missing.length, (stage?.missing.length ?? 0) > 0],
    ['waived', 'Waived', counts.waived, (counts.waived ?? 0) > 0],
    ['notices', 'Notices', beyond.length, beyond.length > 0],
    ['effort', 'Time', undefined, true],
    ['checks', 'All checks', checks.length, checks.length > 0],
  ];
  return rows
    .filter(([, , , isThere]) => isThere)
    .map(([anchor, words, amount]) =>
      amount === undefined ? [anchor, words] : [anchor, words, amount.toLocaleString('en-US')],
    );
}

function choices({ kinds, rows }: CheckMap): Parameters<typeof search>[1] {
  const areas = [...new Set(rows.map(({ area }) => area))];
  return [
    {
      name: 'state',
      label: 'Verdict',
      values: VERDICTS.map((verdict) => [verdict, WORDS[verdict]] as const),
    },
    { name: 'kind', label: 'Kind', values: kinds.map(({ kind, title }) => [kind, title] as const) },
    {
      name: 'area',
      label: 'Area',
      values: areas.map((area) => [area.slice(0, 120), area.slice(0, 120)] as const),
    },
  ];
}

const MOST_ROWS = 50;
const MOST_NAMED = 8;

/** The records that the run made for its checks, what is missing of them, and which checks that costs; undefined where it made none. */
function stage({ stage: report, checks }: RunResult): Markup | undefined {
  if (report === undefined) return undefined;
  const { missing } = report;
  const known = new Map(checks.map((check) => [check.id, check]));
  const rest = missing.length - MOST_ROWS;
  return section(
    'stage',
    'Fixtures: records that the run made for its checks',
    html`<p>The run ${cut(whatWasMade(report), 2000)}${missing.length === 0 ? ', and all that they need is there' : ''}.</p>`,
    missing.length === 0 ? undefined : html`<h3>What could not be made, and what that costs</h3>`,
    missing.slice(0, MOST_ROWS).map((one) => lack(one, known)),
    rest > 0 ? html`<p class="quiet">and ${rest} more in results.json</p>` : undefined,
  );
}

function lack(
  { resource, name, why, checks }: StageReport['missing'][number],
  known: ReadonlyMap<string, CheckResult>,
): Markup {
  const words = html`<span><b>${cut(resource, 100)}</b>: ${cut(name, 300)}. <em>${cut(why, 300)}</em></span>`;
  const untold = checks.flatMap((id) => known.get(id) ?? []);
  if (untold.length === 0) {
    return html`<p class="lack">${words} <span class="quiet">No check is left without an answer for it.</span></p>`;
  }
  return folded(
    html`<span>${words} ${plural(checks.length, 'check')} inconclusive.</span>`,
    named(untold, MOST_NAMED),
  );
}

/** The conclusion as a heading says it. */
const HEADINGS: Readonly<Record<Conclusion, string>> = {
  conformant: 'Conformant',
  nonconformant: 'Not conformant',
  inconclusive: 'Nothing can be concluded',
};

const ORDER: readonly State[] = ['fail', 'error', 'warn', 'inconclusive', 'waived', 'skip', 'pass'];

/** What stands under the conclusion: its reason, the verdicts by number, and what was checked when. */
function summary(result: RunResult): Part[] {
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
