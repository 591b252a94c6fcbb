import type { Places } from '../../../compare/checks/places.ts';
import { isRemoved } from '../../../engine/conclusion.ts';
import type { CheckResult, NextStep, ProgressReport, RunResult } from '../../../engine/result.ts';
import { grouped, type Maybe, percent, plural, present, share, visibleLine } from '../../../engine/text.ts';
import { linkTo, nameOf, placeOf } from '../../about-check.ts';
import { isThin } from '../../reporters/describe.ts';
import type { Block, BlockOf, Item, Text } from '../blocks.ts';
import { code, command, details, list, numbers, section, strong, table, text } from '../blocks.ts';
import { type Cause, causesOf } from './causes.ts';
import { howItEnded } from './details.ts';

/** A next step with what to do. */
interface StepInWords extends NextStep {
  readonly what: string;
  /** The same without the id. */
  readonly short: string;
}

/** How much of what is required passes, in words; undefined if nothing was required. */
export function howFar(progress: ProgressReport | undefined): string | undefined {
  if (progress === undefined || progress.required === 0) return undefined;
  const { passed, required, advisory = 0 } = progress;
  const beside = advisory === 0 ? '' : `, beside ${plural(advisory, 'advisory one')}`;
  return `${share(passed, required, 'required checks pass')}${beside}`;
}

/** The next steps of a run in words; the one that unblocks most comes first. Names of the target come before the id. */
export function stepsOf(result: Pick<RunResult, 'progress' | 'checks' | 'target'>): StepInWords[] {
  const { progress, checks, target } = result;
  const steps = progress?.next ?? [];
  const known = new Map(checks.map((check) => [check.id, check]));
  return steps.map((step) => inWords(step, known.get(step.check), target.operations));
}

/** The next steps that block other checks. Other failures are listed elsewhere. @param least how many checks wait */
export function rootsOf(
  result: Pick<RunResult, 'progress' | 'checks' | 'target'>,
  least: number = 1,
): StepInWords[] {
  return stepsOf(result).filter((step) => step.serve !== undefined || blockedBy(step) >= least);
}

/**
 * Whether the reader is the author of the target: the run certifies or watches, or less than half of its checks pass.
 * Authors first read what to build next, operators what broke.
 */
export function isForAuthor({ run, progress }: Pick<RunResult, 'run' | 'progress'>): boolean {
  const { required = 0, passed = 0 } = progress ?? {};
  return run.purpose !== undefined || 2 * passed < required;
}

/** A step in one sentence. */
export function sentenceOf(step: StepInWords): string {
  const waiting = waitingOf(step);
  return waiting === undefined ? step.what : `${step.what}; ${waiting}`;
}

function inWords(step: NextStep, check: CheckResult | undefined, operations?: Places): StepInWords {
  const { serve, under } = step;
  const isInconclusive = check?.verdict === 'inconclusive' && check.message !== undefined;
  const title = visibleLine(isInconclusive ? `${step.title}; inconclusive: ${check.message}` : step.title);
  const place = check === undefined ? undefined : placeOf(check, operations);
  const name = check === undefined ? visibleLine(step.check) : nameOf(check, operations);
  const listing = under === undefined ? '' : ', and list its route and its namespace';
  const served =
    serve && `serve ${visibleLine(`${serve.method} ${serve.route.replace(/^\//, '')}`)}${listing}`;
  const what = served ?? `${name}: ${title}`;
  return { ...step, what, short: served ?? (place === undefined ? title : `${place}: ${title}`) };
}

/** How many checks wait for a step and for the failures that are fixed with it. */
function blockedBy({ waiting, alike }: NextStep): number {
  return waiting + (alike?.waiting ?? 0);
}

function waitingOf(step: NextStep): string | undefined {
  const [all, others] = [blockedBy(step), step.alike?.checks.length ?? 0];
  const parts = present([
    others > 0 && `${plural(others, 'other check fails', 'other checks fail')} alike`,
    all > 0 && `${plural(all, 'check waits', 'checks wait')} for ${others === 0 ? 'it' : 'them'}`,
  ]);
  return parts.length === 0 ? undefined : parts.join(', and ');
}

const KEEP = 'Keep results.json: the next run can be compared with it (';
const FIRST = 3;
/** An operator need not look at what fewer checks wait for. */
const WORTH_A_STEP = 10;

/** What to do next, the most useful first; all of it if there is space. */
export function nextSection(result: RunResult): Maybe<Block> {
  const causes = causesOf(result, 'fail');
  const isAuthor = isForAuthor(result);
  const failing = new Set(causes.flatMap(({ first, alike }) => [first, ...alike]).map(({ id }) => id));
  // For operators, failures are already listed as causes.
  const isListed = ({ check, under = check }: StepInWords): boolean =>
    failing.has(check) || failing.has(under);
  const roots = isAuthor ? rootsOf(result) : rootsOf(result, WORTH_A_STEP).filter((step) => !isListed(step));
  const begin = roots.slice(0, FIRST);
  const awaited = begin.length > 0 && {
    text: `${isAuthor || causes.length === 0 ? 'Begin with' : 'Then look at'} what most checks wait for:`,
    blocks: [list(begin.map(stepItem))],
  };
  const named = new Set(
    isAuthor ? begin.flatMap(({ check, alike }) => [check, ...(alike?.checks ?? [])]) : [],
  );
  const fixes = toFix(causes, named, result.target);
  const { again } = result.run;
  const items: Maybe<Item | string>[] = [
    leftovers(result),
    isAuthor ? [awaited, fixes] : [fixes, awaited],
    causes.length > 0 &&
      again !== undefined && {
        text: 'Run only what failed again:',
        blocks: [command(again, { label: 'Run only what failed again' })],
      },
    result.counts.error > 0 && {
      text: [
        `${plural(result.counts.error, 'check')} stopped at a fault of this suite: please report `,
        { text: 'what happened', to: '#errors' },
        ', together with results.json.',
      ],
    },
    toEvaluate(result),
    waiversToLookAt(result),
    result.checks.length === 0 && 'No check ran: fix what the conclusion says, and run again.',
    causes.length === 0 &&
      result.conclusion === 'conformant' &&
      !isThin(result) && { text: [KEEP, code('--baseline results.json'), ').'] },
  ];
  return section(
    { from: 'page', id: 'next', way: ['Next'], title: 'What to do next' },
    list(items, { as: 'numbered' }),
  );
}

function leftovers({ writing }: RunResult): Maybe<Item> {
  if (writing === undefined || isRemoved(writing)) return undefined;
  const left = { text: 'what the run left on the site', to: '#writing' };
  return { text: [strong(howItEnded(writing)), ': look at ', left, '.'] };
}

/** @param named checks that are steps themselves */
function toFix(all: readonly Cause[], named: ReadonlySet<string>, target: RunResult['target']): Maybe<Item> {
  const causes = all.filter(({ first }) => !named.has(first.id));
  if (causes.length === 0) return undefined;
  const next = causes[FIRST];
  const what =
    causes.length === 1
      ? 'what failed'
      : `the ${causes.length} ${named.size === 0 ? '' : 'other '}causes of the failures, the worst first`;
  const items = causes.slice(0, FIRST).map(({ first, alike, blocked }): Item => {
    const place = placeOf(first, target.operations);
    const words = [
      place !== undefined && [strong(place), ' '],
      { text: first.message ?? first.title, to: linkTo(first.id) },
      alike.length > 0 && `, and the same in ${plural(alike.length, 'other place')}`,
      blocked.length > 0 && `; hides ${plural(blocked.length, 'check')}`,
    ];
    return { text: words };
  });
  const left = plural(causes.length - FIRST, 'more cause');
  const more = next && { text: [{ text: left, to: linkTo(next.first.id) }] };
  return { text: `${named.size === 0 ? 'Fix' : 'Then fix'} ${what}:`, blocks: [list([items, more])] };
}

function toEvaluate({ checks, target }: RunResult): Maybe<Item> {
  const skipped = (fits: (skip: NonNullable<CheckResult['skip']>) => boolean): number =>
    checks.filter(({ skip }) => skip !== undefined && fits(skip)).length;
  const item = (number: number, words: Text): Maybe<Item> =>
    number > 0 && { text: [plural(number, 'check'), words] };
  const wanting = checks.filter(({ controls }) => (controls?.wanted.length ?? 0) > 0).length;
  const anonymous = target.as === 'user' ? 0 : skipped(({ kind }) => kind === 'credentials');
  const late = skipped(({ kind }) => kind === 'over-budget');
  return [
    item(anonymous, [' need a user: ', code('--user NAME'), ', and the password in the environment.']),
    (['validate', 'write', 'full'] as const).map((mode) =>
      item(
        skipped((skip) => skip.kind === 'mode' && skip.needs === mode),
        [' need a run that may do more: ', code(`--mode ${mode}`), '.'],
      ),
    ),
    item(wanting, [' could be evaluated with ', HINTS, '.']),
    item(late, [' were not reached in time: a larger ', code('--budget'), ' reaches them.']),
  ];
}

const HINTS = { text: 'hints about good values', to: '#inconclusive' };

function waiversToLookAt({ waivers }: RunResult): Maybe<Item> {
  const item = (words: string, names: readonly string[] = []): Maybe<Item> =>
    names.length > 0 && { text: [`Waivers to look at, each of which ${words}: `, code(names.join(', '))] };
  return [
    item('expired: decide again about what it covers', waivers?.expired),
    item('its checks pass: remove it', waivers?.passing),
    item('matches no check: remove it, or correct its spelling', waivers?.unmatched),
  ];
}

/** How many areas are open; as many more are folded. */
const MOST_AREAS = { screen: 8, comment: 8, page: 12 } as const;
const MOST_FOLDED = 150;

/** How much of what is required passes, by area, and what blocks the rest; undefined if nothing was required. */
export function progressSection(result: RunResult): Maybe<Block> {
  const { progress } = result;
  const title = howFar(progress);
  // Where nothing fails, the reasons above say why the rest is open.
  const from = result.conclusion === 'nonconformant' || isForAuthor(result) ? undefined : 'comment';
  if (progress === undefined || title === undefined) return undefined;
  const isDone = progress.passed >= progress.required;
  const behind = progress.areas
    .filter((one) => one.passed < one.required)
    .toSorted((one, other) => other.required - other.passed - (one.required - one.passed));
  const done = progress.areas.length - behind.length;
  const rest = behind.slice(MOST_AREAS.page);
  // The summary of a page already has it.
  if (isDone) return section({ id: 'progress', title, to: 'comment' });
  return section(
    { id: 'progress', title, way: ['Required', percent(progress.passed, progress.required)] },
    text(
      `What the contract requires of this run, the areas where the most does not pass yet first${done === 0 ? '' : `; in ${plural(done, 'area')} everything passes`}.`,
      { from: 'page' },
    ),
    areaTable(behind.slice(0, MOST_AREAS.page), behind.length, { from }),
    details(plural(rest.length, 'further area'), [areaTable(rest.slice(0, MOST_FOLDED), MOST_FOLDED)], {
      from: 'page',
    }),
    waitedFor(result),
  );
}

function areaTable(
  areas: ProgressReport['areas'],
  all: number,
  place: Pick<BlockOf<'section'>, 'from'> = {},
): Maybe<Block> {
  return table(
    'Required checks by area',
    ['area', ...numbers('pass', 'share', 'not yet')],
    areas.map(({ area, required, passed }) => [
      area,
      `${grouped(passed)} of ${grouped(required)}`,
      [{ text: percent(passed, required), share: [passed, required] }],
      grouped(required - passed),
    ]),
    {
      most: { ...MOST_AREAS, page: Math.max(areas.length, 1) },
      rest: all > MOST_AREAS.screen ? 'areas with something to do' : 'more',
      ...place,
    },
  );
}

function waitedFor(result: RunResult): Maybe<Block> {
  const all = isForAuthor(result) ? stepsOf(result) : rootsOf(result, WORTH_A_STEP);
  const steps = list(all.map(stepItem), { as: 'numbered', most: { screen: 3, comment: 3 } });
  return section({ title: 'What the most waits for' }, steps);
}

function stepItem(step: StepInWords): Item {
  const waiting = waitingOf(step);
  const waits = waiting !== undefined && [': ', strong(waiting)];
  return { text: [{ text: step.short, to: linkTo(step.check) }, ' ', code(step.check), waits] };
}
