import { isRemoved, percent } from '../../../engine/conclusion.ts';
import type { AreaProgress, CheckResult, RunResult } from '../../../engine/result.ts';
import { plural } from '../../../engine/text.ts';
import { linkTo, placeOf } from '../../about-check.ts';
import { howFar, isForAuthor, rootsOf, type StepInWords, stepsOf } from '../../next-steps.ts';
import { type Block, type Item, type Section, type Stretch, sectionOf, type Text } from '../blocks.ts';
import { type Cause, causesOf } from './causes.ts';
import { howItEnded } from './details.ts';

const FIRST = 3;

/** What to do next, the most useful first: where there is room for all of it. */
export function nextSection(result: RunResult): Section {
  const causes = causesOf(result, 'fail');
  const isAuthor = isForAuthor(result);
  const failing = new Set(causes.flatMap(({ first, alike }) => [first, ...alike]).map(({ id }) => id));
  // What an operator fixes anyway stands among the causes.
  const roots = rootsOf(result)
    .filter(({ check, under = check }) => isAuthor || !(failing.has(check) || failing.has(under)))
    .slice(0, FIRST);
  const awaited: Item[] =
    roots.length === 0
      ? []
      : [
          {
            text: `${isAuthor ? 'Begin with' : 'Then look at'} what most checks depend on:`,
            blocks: [{ kind: 'list', items: roots.map(stepItem) }],
          },
        ];
  const named = new Set(isAuthor ? roots.flatMap(({ check, alike }) => [check, ...alike]) : []);
  const fixes = toFix(causes, named, result.target);
  const items: Item[] = [
    ...leftovers(result),
    ...(isAuthor ? [...awaited, ...fixes] : [...fixes, ...awaited]),
    ...(causes.length === 0 || result.run.again === undefined
      ? []
      : [
          {
            text: 'Run only what failed again:',
            blocks: [{ kind: 'code', label: 'Run only what failed again', text: result.run.again } as const],
          },
        ]),
    ...(result.counts.error === 0
      ? []
      : [
          {
            text: [
              `${plural(result.counts.error, 'check')} stopped at a fault of this suite: please report `,
              { text: 'what happened', to: '#errors' },
              ', together with results.json.',
            ],
          },
        ]),
    ...toEvaluate(result),
    ...waiversToLookAt(result),
    ...(result.checks.length === 0
      ? [{ text: 'No check ran: fix what the conclusion says, and run again.' }]
      : []),
    ...(causes.length === 0 && result.conclusion === 'conformant'
      ? [
          {
            text: [
              'Keep results.json: it is what the next run can be compared with (',
              { text: '--baseline results.json', as: 'code' } as const,
              ').',
            ],
          },
        ]
      : []),
  ];
  return {
    kind: 'section',
    from: 'page',
    id: 'next',
    way: ['Next'],
    title: 'What to do next',
    blocks: [{ kind: 'list', as: 'numbered', items }],
  };
}

function leftovers({ writing }: RunResult): Item[] {
  if (writing === undefined || isRemoved(writing)) return [];
  return [
    {
      text: [
        { text: howItEnded(writing), as: 'strong' },
        ': look at ',
        { text: 'what the run left on the site', to: '#writing' },
        '.',
      ],
    },
  ];
}

/** @param named checks that are steps of their own */
function toFix(all: readonly Cause[], named: ReadonlySet<string>, target: RunResult['target']): Item[] {
  const causes = all.filter(({ first }) => !named.has(first.id));
  if (causes.length === 0) return [];
  const rest = causes.length - FIRST;
  const what =
    causes.length === 1
      ? 'what failed'
      : `the ${causes.length} ${named.size === 0 ? '' : 'other '}causes of the failures, the worst first`;
  const items = causes.slice(0, FIRST).map(({ first, alike, blocked }): Item => {
    const place = placeOf(first, target.operations);
    return {
      text: [
        ...(place === undefined ? [] : [{ text: place, as: 'strong' } as const, ' ']),
        { text: first.message ?? first.title, to: linkTo(first.id) },
        alike.length === 0 ? '' : `, and the same in ${plural(alike.length, 'other place')}`,
        blocked.length === 0 ? '' : `; hides ${plural(blocked.length, 'check')}`,
      ],
    };
  });
  const more: Item[] =
    rest > 0
      ? [{ text: [{ text: plural(rest, 'more cause'), to: linkTo(causes[FIRST]?.first.id ?? '') }] }]
      : [];
  return [
    {
      text: `${named.size === 0 ? 'Fix' : 'Then fix'} ${what}:`,
      blocks: [{ kind: 'list', items: [...items, ...more] }],
    },
  ];
}

/** What would make more checks conclusive. */
function toEvaluate({ checks, target }: RunResult): Item[] {
  const skipped = (fits: (skip: NonNullable<CheckResult['skip']>) => boolean): number =>
    checks.filter(({ skip }) => skip !== undefined && fits(skip)).length;
  const code = (text: string): Stretch => ({ text, as: 'code' });
  const wanting = checks.filter(({ controls }) => (controls?.wanted.length ?? 0) > 0).length;
  const rows: [number, (string | Stretch)[]][] = [
    [
      target.as === 'user' ? 0 : skipped(({ kind }) => kind === 'credentials'),
      [' need a user: ', code('--user NAME'), ', and the password in the environment.'],
    ],
    ...(['validate', 'write', 'full'] as const).map((mode): [number, (string | Stretch)[]] => [
      skipped((skip) => skip.kind === 'mode' && skip.needs === mode),
      [' need a run that may do more: ', code(`--mode ${mode}`), '.'],
    ]),
    [wanting, [' could be evaluated with ', { text: 'hints about good values', to: '#inconclusive' }, '.']],
    [
      skipped(({ kind }) => kind === 'over-budget'),
      [' were not reached in time: a larger ', code('--budget'), ' reaches them.'],
    ],
  ];
  return rows
    .filter(([number]) => number > 0)
    .map(([number, words]) => ({ text: [plural(number, 'check'), ...words] }));
}

function waiversToLookAt({ waivers }: RunResult): Item[] {
  if (waivers === undefined) return [];
  const rows: [readonly string[], string][] = [
    [waivers.expired, 'expired: decide again about what it covers'],
    [waivers.passing, 'passes: it can go'],
    [waivers.unmatched, 'fits no check: it can go, or is misspelt'],
  ];
  return rows
    .filter(([list]) => list.length > 0)
    .map(([list, words]) => ({
      text: [`Waivers to look at, each of which ${words}: `, { text: list.join(', '), as: 'code' }],
    }));
}

/** So many areas stand open, and so many more are folded away. */
const MOST_AREAS = { screen: 8, comment: 8, page: 12 } as const;
const MOST_FOLDED = 150;

/** How much of what is required passes, by area, and what the rest waits for; nothing where nothing was required. */
export function progressSection(result: RunResult): Section[] {
  const { progress } = result;
  const title = howFar(progress);
  if (progress === undefined || title === undefined) return [];
  const isDone = progress.passed >= progress.required;
  const behind = progress.areas
    .filter((one) => one.passed < one.required)
    .toSorted((one, other) => other.required - other.passed - (one.required - one.passed));
  const done = progress.areas.length - behind.length;
  const rest = behind.slice(MOST_AREAS.page);
  return sectionOf({
    id: 'progress',
    title,
    // The summary of a page says it already.
    ...(isDone && { to: 'comment' }),
    way: ['Required', percent(progress.passed, progress.required)],
    blocks: isDone
      ? []
      : [
          {
            kind: 'text',
            from: 'page',
            text: `What the contract requires of this run, the areas where the most does not pass yet first${done === 0 ? '' : `; in ${plural(done, 'area')} everything passes`}.`,
          },
          areaTable(behind.slice(0, MOST_AREAS.page), behind.length),
          ...(rest.length === 0
            ? []
            : [
                {
                  kind: 'details',
                  from: 'page',
                  summary: plural(rest.length, 'further area'),
                  blocks: [areaTable(rest.slice(0, MOST_FOLDED), MOST_FOLDED)],
                } as const,
              ]),
          ...waitedFor(result),
        ],
  });
}

function areaTable(areas: readonly AreaProgress[], all: number): Block {
  return {
    kind: 'table',
    label: 'Required checks by area',
    most: { ...MOST_AREAS, page: Math.max(areas.length, 1) },
    rest: all > MOST_AREAS.screen ? 'areas with something to do' : 'more',
    columns: [
      { title: 'area' },
      { title: 'pass', align: 'right' },
      { title: 'share', align: 'right' },
      { title: 'not yet', align: 'right' },
    ],
    rows: areas.map(({ area, required, passed }) => ({
      cells: [
        area,
        `${passed.toLocaleString('en-US')} of ${required.toLocaleString('en-US')}`,
        [{ text: percent(passed, required), share: [passed, required] }],
        (required - passed).toLocaleString('en-US'),
      ],
    })),
  };
}

function waitedFor(result: RunResult): Block[] {
  const all = (isForAuthor(result) ? stepsOf : rootsOf)(result);
  if (all.length === 0) return [];
  return [
    {
      kind: 'section',
      title: 'What the most waits for',
      blocks: [{ kind: 'list', as: 'numbered', items: all.map(stepItem), most: { screen: 3, comment: 3 } }],
    },
  ];
}

/** A step, as a link to its check. */
function stepItem({ check, short, waiting }: StepInWords): Item {
  const text: Text = [
    { text: short, to: linkTo(check) },
    ' ',
    { text: check, as: 'code' },
    ...(waiting === undefined ? [] : [': ', { text: waiting, as: 'strong' } as const]),
  ];
  return { text };
}
