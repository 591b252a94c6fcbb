import { isUnstableCheck, type RunResult, VERDICTS } from '../../../engine/result.ts';
import { percent } from '../../conclusion.ts';
import { plural } from '../../text.ts';
import { isForAuthor } from '../../way-there.ts';
import { causesOf } from '../causes.ts';
import { renderPage } from '../document.ts';
import { frame } from '../frame.ts';
import { cut, html } from '../markup.ts';
import { WORDS } from '../parts.ts';
import { search } from '../search.ts';
import { allChecks } from './all-checks.ts';
import { baseline } from './baseline.ts';
import { findings, toldInCards } from './failures.ts';
import { type CheckMap, map, mapOf } from './map.ts';
import { effort, fuzzing, notices, words, writing } from './more.ts';
import { nextSteps } from './next-steps.ts';
import { stage } from './stage.ts';
import { HEADINGS, summary } from './summary.ts';
import { untold } from './untold.ts';
import { wayThere } from './way-there.ts';

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
