import { isRemoved, percent } from '../../../engine/conclusion.ts';
import type { AreaProgress, CheckResult, RunResult } from '../../../engine/result.ts';
import { plural } from '../../../engine/text.ts';
import { howFar, isForAuthor, rootsOf, type StepInWords } from '../../way-there.ts';
import { howItEnded } from '../../what-stayed.ts';
import { type Cause, causesOf } from '../causes.ts';
import {
  bar,
  command,
  count,
  cut,
  folded,
  html,
  linkTo,
  type Markup,
  type Part,
  placeIn,
  scrolled,
  section,
} from '../markup.ts';

const FIRST = 3;

/** What to do next, the most useful first. */
export function nextSteps(result: RunResult): Markup {
  const causes = causesOf(result, 'fail');
  const isAuthor = isForAuthor(result);
  const failing = new Set(causes.flatMap(({ first, alike }) => [first, ...alike]).map(({ id }) => id));
  // What an operator fixes anyway stands among the causes.
  const roots = rootsOf(result)
    .filter(({ check, under = check }) => isAuthor || !(failing.has(check) || failing.has(under)))
    .slice(0, FIRST);
  const { writing } = result;
  const awaited =
    roots.length === 0
      ? undefined
      : html`<li>${isAuthor ? 'Begin with' : 'Then look at'} what most checks depend on:
          <ul>${roots.map((step) => html`<li>${stepLink(step)}</li>`)}</ul></li>`;
  const named = new Set(isAuthor ? roots.flatMap(({ check, alike }) => [check, ...alike]) : []);
  const fixes = toFix(causes, named, result.target);
  const steps: Part[] = [
    writing === undefined || isRemoved(writing)
      ? undefined
      : html`<li><b>${howItEnded(writing)}</b>: look at <a href="#writing">what the run left on the site</a>.</li>`,
    ...(isAuthor ? [awaited, ...fixes] : [...fixes, awaited]),
    causes.length === 0 || result.run.again === undefined
      ? undefined
      : html`<li>Run only what failed again:
          ${command(result.run.again, 'Run only what failed again')}</li>`,
    result.counts.error === 0
      ? undefined
      : html`<li>${plural(result.counts.error, 'check')} stopped at a fault of this suite: please report <a href="#errors">what happened</a>, together with results.json.</li>`,
    ...toTell(result),
    ...expired(result),
    result.checks.length === 0
      ? html`<li>No check ran: fix what the conclusion says, and run again.</li>`
      : undefined,
    causes.length === 0 && result.conclusion === 'conformant'
      ? html`<li>Keep results.json: it is what the next run can be compared with (<code>--baseline results.json</code>).</li>`
      : undefined,
  ];
  return section('next', 'What to do next', html`<ol class="steps">${steps}</ol>`);
}

/** @param named checks that are steps of their own */
function toFix(all: readonly Cause[], named: ReadonlySet<string>, target: RunResult['target']): Part[] {
  const causes = all.filter(({ first }) => !named.has(first.id));
  if (causes.length === 0) return [];
  const rest = causes.length - FIRST;
  return [
    html`<li>${named.size === 0 ? 'Fix' : 'Then fix'} ${causes.length === 1 ? 'what failed' : `the ${causes.length} ${named.size === 0 ? '' : 'other '}causes of the failures, the worst first`}:
      <ul>
        ${causes.slice(0, FIRST).map(
          ({ first, alike, blocked }) => html`<li>
            ${placeIn(first, target)} <a href=${linkTo(first.id)}>${cut(first.message ?? first.title, 200)}</a>${alike.length === 0 ? undefined : `, and the same in ${plural(alike.length, 'other place')}`}${blocked.length === 0 ? undefined : `; hides ${plural(blocked.length, 'check')}`}
          </li>`,
        )}
        ${rest > 0 ? html`<li><a href="#failures">${plural(rest, 'more cause')}</a></li>` : undefined}
      </ul></li>`,
  ];
}

/** What would let more checks tell. */
function toTell({ checks, target }: RunResult): Part[] {
  const skipped = (fits: (skip: NonNullable<CheckResult['skip']>) => boolean): number =>
    checks.filter(({ skip }) => skip !== undefined && fits(skip)).length;
  const credentials = skipped(({ kind }) => kind === 'credentials');
  const modes = (['validate', 'write', 'full'] as const).map((mode): [string, number] => [
    mode,
    skipped((skip) => skip.kind === 'mode' && skip.needs === mode),
  ]);
  const budget = skipped(({ kind }) => kind === 'over-budget');
  const wanting = checks.filter(({ controls }) => (controls?.wanted.length ?? 0) > 0).length;
  return [
    credentials === 0 || target.as === 'user'
      ? undefined
      : html`<li>${plural(credentials, 'check')} need a user: <code>--user NAME</code>, and the password in the environment.</li>`,
    ...modes.map(([mode, number]) =>
      number === 0
        ? undefined
        : html`<li>${plural(number, 'check')} need a run that may do more: <code>--mode ${mode}</code>.</li>`,
    ),
    wanting === 0
      ? undefined
      : html`<li>${plural(wanting, 'check')} could be evaluated with <a href="#untold">hints about good values</a>.</li>`,
    budget === 0
      ? undefined
      : html`<li>${plural(budget, 'check')} were not reached in time: a larger <code>--budget</code> reaches them.</li>`,
  ];
}

function expired({ waivers }: RunResult): Part[] {
  if (waivers === undefined) return [];
  const rows: [readonly string[], string][] = [
    [waivers.expired, 'expired: decide again about what it covers'],
    [waivers.passing, 'passes: it can go'],
    [waivers.unmatched, 'fits no check: it can go, or is misspelt'],
  ];
  return rows
    .filter(([list]) => list.length > 0)
    .map(
      ([list, words]) =>
        html`<li>Waivers to look at, each of which ${words}: <code>${cut(list.join(', '), 600)}</code></li>`,
    );
}

/** So many areas stand there; further ones are folded away. */
const MOST_AREAS = 12;
const MOST_FOLDED = 150;
const LONGEST = 300;

/** How much of what is required passes, by area, and what the rest waits for; undefined where nothing is left to do. */
export function wayThere(result: RunResult): Markup | undefined {
  const { progress } = result;
  const heading = howFar(progress);
  if (progress === undefined || heading === undefined || progress.passed >= progress.required)
    return undefined;
  const behind = progress.areas
    .filter((one) => one.passed < one.required)
    .toSorted((one, other) => other.required - other.passed - (one.required - one.passed));
  const done = progress.areas.length - behind.length;
  const rest = behind.slice(MOST_AREAS);
  return section(
    'progress',
    heading,
    html`<p>What the contract requires of this run, the areas where the most does not pass yet first${done === 0 ? '' : `; in ${plural(done, 'area')} everything passes`}.</p>`,
    table(behind.slice(0, MOST_AREAS)),
    rest.length === 0
      ? undefined
      : folded(plural(rest.length, 'further area'), table(rest.slice(0, MOST_FOLDED))),
    steps(result),
  );
}

/** A step as a link to its check. */
function stepLink({ check, short, waiting }: StepInWords): Part[] {
  return [
    html`<a href=${linkTo(check)}>${cut(short, LONGEST)}</a>`,
    html` <code class="quiet">${cut(check, LONGEST)}</code>`,
    waiting === undefined ? undefined : html`: <b>${waiting}</b>`,
  ];
}

function steps(result: RunResult): Part {
  const all = rootsOf(result);
  if (all.length === 0) return undefined;
  return [
    html`<h3>What the most waits for</h3>`,
    html`<ol>${all.map((step) => html`<li>${stepLink(step)}</li>`)}</ol>`,
  ];
}

function table(areas: readonly AreaProgress[]): Markup {
  return scrolled(
    'Required checks by area',
    html`<table class="way">
      <thead><tr><th scope="col">area</th><th scope="col">pass</th><th scope="col">share</th><th scope="col">not yet</th></tr></thead>
      <tbody>${areas.map(row)}</tbody>
    </table>`,
  );
}

function row({ area, required, passed }: AreaProgress): Markup {
  const name = cut(area, 100);
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${count(passed)} of ${count(required)}</td>
    <td>${bar(passed, required, name)} ${percent(passed, required)}</td>
    <td>${count(required - passed)}</td>
  </tr>`;
}
