import type { CheckResult, RunResult } from '../../../engine/result.ts';
import { plural } from '../../../engine/text.ts';
import { loadContract } from '../../../specs/contract.ts';
import { loadClauses } from '../../../specs/texts.ts';
import { linkTo, placeOf, requirementOf, sectionName, sectionWithBasis } from '../../about-check.ts';
import { type Block, type Item, type Section, type Stretch, sectionOf, type Text } from '../blocks.ts';
import { type Cause, causesOf, namespaceOf, type Which } from './causes.ts';

/** So many causes are shown in full; a reader who fixes them runs again. */
const MOST_IN_FULL = { fail: 40, error: 10, warn: 10, unstable: 10, waived: 40 } as const;
const MOST_NAMED = { screen: 5, comment: 40, page: 40 } as const;
const MOST_FURTHER = { screen: 10, comment: 200, page: 200 } as const;
const MOST_COMMANDS = 3;
/** A reader takes in some 25 lines of 80 characters. */
const SCREENFUL = 2000;

/** What keeps its place in a card; every other check has its place in the list of all. */
export function shownInCards(result: RunResult): ReadonlySet<string> {
  const sorts: readonly Which[] = ['fail', 'error', 'warn', 'waived', 'unstable'];
  return new Set(
    sorts.flatMap((which) =>
      causesOf(result, which)
        .slice(0, MOST_IN_FULL[which])
        .map(({ first }) => first.id),
    ),
  );
}

/** The failures of a run as sections; beside a baseline what is new, what was found, and what failed before apart. */
export function failureSections(result: RunResult): Section[] {
  const all = causesOf(result, 'fail');
  if (result.baseline === undefined) return causeSection(result, 'fail', 'failures', all, 'failure');
  const unwaived = new Set(result.baseline.unwaived);
  const isNew = ({ first }: Cause): boolean =>
    first.standing === 'new' || first.standing === undefined || unwaived.has(first.id);
  const isFound = ({ first }: Cause): boolean => first.standing === 'found';
  return [
    ...causeSection(result, 'fail', 'failures', all.filter(isNew), 'new failure'),
    ...causeSection(result, 'fail', 'found', all.filter(isFound), 'failure', {
      lead: 'Found by sets of arguments that were not asked before: nobody knows since when.',
    }),
    // What fails as before must not bury what is new.
    ...causeSection(
      result,
      'fail',
      'before',
      all.filter((one) => !isNew(one) && !isFound(one)),
      'failure that was there before',
      { many: 'failures that were there before', from: 'comment' },
    ),
  ];
}

/** Faults of the suite, and what shows only sometimes. */
export function doubtSections(result: RunResult): Section[] {
  return [
    ...causeSection(result, 'error', 'errors', causesOf(result, 'error'), 'fault of the suite itself', {
      many: 'faults of the suite itself',
    }),
    ...causeSection(result, 'unstable', 'unstable', causesOf(result, 'unstable'), 'unstable check', {
      lead: 'A violation showed, but not in each retry. That is neither a failure nor a pass.',
    }),
  ];
}

export function warningSections(result: RunResult): Section[] {
  return causeSection(result, 'warn', 'warnings', causesOf(result, 'warn'), 'warning', {
    lead: 'Where the specification is doubtful or only advises, or the site does otherwise than it publishes.',
  });
}

/** The cards of waived failures. */
export function waivedCards(result: RunResult): Block[] {
  const causes = causesOf(result, 'waived').slice(0, MOST_IN_FULL.waived);
  return [{ kind: 'list', from: 'page', as: 'cards', items: cardsOf(result, causes, 'waived') }];
}

const WAYS = {
  failures: 'Failures',
  found: 'Found',
  before: 'Known',
  errors: 'Faults',
  unstable: 'Unstable',
  warnings: 'Warnings',
} as const;

function causeSection(
  result: RunResult,
  which: Exclude<Which, 'waived'>,
  id: keyof typeof WAYS,
  causes: readonly Cause[],
  noun: string,
  { many = `${noun}s`, lead, from }: { many?: string; lead?: string; from?: 'comment' } = {},
): Section[] {
  const number = causes.reduce((sum, { alike }) => sum + 1 + alike.length, 0);
  const most = MOST_IN_FULL[which];
  const rest = causes.slice(most);
  const causesInWords = causes.length < number ? ` from ${plural(causes.length, 'cause')}` : '';
  return sectionOf(
    {
      id,
      way: [WAYS[id], number.toLocaleString('en-US')],
      title: `${plural(number, noun, many)}${causesInWords}`,
      tone: which,
      ...(from !== undefined && { from }),
      blocks: [
        ...(lead === undefined ? [] : [{ kind: 'text', text: lead, quiet: true } as const]),
        {
          kind: 'list',
          as: 'cards',
          items: cardsOf(result, causes.slice(0, most), which),
          most: { comment: most },
        },
        ...(rest.length === 0
          ? []
          : [
              {
                kind: 'details' as const,
                summary: plural(rest.length, 'further cause'),
                blocks: [
                  namedList(
                    result,
                    rest.map(({ first }) => first),
                    MOST_FURTHER,
                  ),
                ],
              },
            ]),
      ],
    },
    causes.length > 0,
  );
}

function cardsOf(result: RunResult, causes: readonly Cause[], which: Which): Item[] {
  const whoActs = whoActsIn(result);
  return causes.map(({ first, alike, blocked }): Item => {
    const { id, message, title } = first;
    return {
      id,
      tone: which,
      name: nameStretches(first, result.target),
      text: message ?? title,
      blocks: [
        { kind: 'facts', rows: factsOf(first) },
        { kind: 'facts', from: 'page', rows: [['Who acts', whoActs(first)]] },
        ...commandsOf(first),
        ...setsOf(first),
        clauseOf(first),
        ...folded(`The same in ${plural(alike.length, 'other place')}`, alike, result),
        ...(blocked.length === 0
          ? []
          : [{ kind: 'text', to: 'comment', text: `Hides ${plural(blocked.length, 'check')}` } as const]),
        ...folded(`Hides ${plural(blocked.length, 'check')}`, blocked, result, 'page'),
      ],
    };
  });
}

/** What the target has, then our id of it, its clause, and how it stands. */
function nameStretches(check: CheckResult, { operations }: RunResult['target']): (string | Stretch)[] {
  const { id, standing, basis, section, unstable } = check;
  const place = placeOf(check, operations);
  const badges: Stretch[] = [
    ...(standing === 'new' ? [{ text: 'new', as: 'badge', tone: 'fail' } as const] : []),
    ...(standing === 'found' ? [{ text: 'found', as: 'badge' } as const] : []),
    ...(standing === 'still' ? [{ text: 'persisting', as: 'badge' } as const] : []),
    ...(unstable === undefined ? [] : [{ text: 'unstable', as: 'badge' } as const]),
  ];
  return [
    ...(place === undefined ? [] : [{ text: place, as: 'strong' } as const, '  ']),
    { text: id, as: 'code' },
    `  ${basis === 'stated' ? sectionName(section) : sectionWithBasis(check)}`,
    ...badges.flatMap((badge) => ['  ', badge]),
  ];
}

function factsOf(check: CheckResult): (readonly [string, Text | undefined])[] {
  const { message, title, expected, observed, unstable, upstream, waived } = check;
  const quoted = (text: string | undefined): Text | undefined =>
    text === undefined || text === '' ? undefined : [{ text, as: 'quoted' }];
  return [
    ['Asked', message === undefined ? undefined : title],
    ['Expected', quoted(expected)],
    ['Observed', quoted(observed)],
    ['Unstable', unstable && `failed ${unstable.failed} of ${unstable.asked} times`],
    [
      'Known',
      upstream &&
        `upstream: ${upstream.reason}${upstream.link === undefined ? '' : `, see ${upstream.link}`}; a run with --waivers known accepts it`,
    ],
    [
      'Accepted',
      waived &&
        `${waived.reason} (${waived.owner}, until ${waived.expires})${waived.link === undefined ? '' : `, see ${waived.link}`}`,
    ],
  ];
}

/** Where a page has the commands, their answers fit a screen: of a longer one the end, because the status stands there. */
function commandsOf({ reproduce = [], declare }: CheckResult): Block[] {
  const shown = reproduce.slice(0, MOST_COMMANDS);
  const left = reproduce.length - shown.length;
  return [
    ...(declare === undefined ? [] : [{ kind: 'code', label: 'Declare', text: declare } as const]),
    ...(shown.length === 0
      ? []
      : [{ kind: 'code', label: 'Repeat', to: 'comment', text: shown.join('\n') } as const]),
    ...shown.map(
      (line) =>
        ({
          kind: 'code',
          label: 'Repeat the request',
          from: 'page',
          text: `${line} | tail -c ${SCREENFUL}`,
        }) as const,
    ),
    ...(left > 0 ? [{ kind: 'text', text: `… and ${left} more in results.json`, quiet: true } as const] : []),
  ];
}

/** What a fuzz check found: how each set is checked again. */
function setsOf({ replay }: CheckResult): Block[] {
  const sets = replay?.sets ?? [];
  if (sets.length === 0) return [];
  return [
    {
      kind: 'details',
      summary: `${plural(sets.length, 'set')} of arguments that show it`,
      blocks: sets
        .slice(0, MOST_NAMED.page)
        .flatMap(({ message, replay: line, reproduce = [] }, at): Block[] => [
          ...(at === 0
            ? []
            : [
                { kind: 'text', text: `also: ${message}` } as const,
                ...reproduce.slice(0, 1).map((text) => ({ kind: 'code', label: 'Repeat', text }) as const),
              ]),
          ...(line === undefined ? [] : [{ kind: 'code', label: 'Replay', text: line } as const]),
        ]),
    },
  ];
}

const BASIS: Readonly<Record<CheckResult['basis'], string>> = {
  stated: 'This is written there.',
  implied: 'This follows from what is written there.',
  published: 'The site itself says so in what it publishes.',
  doubtful: 'This is written there, but known software does otherwise: it is a warning and no failure.',
};

/** The clause of the specification, in words of our own, with the requirement that the check is for. */
function clauseOf({ id, section, basis }: CheckResult): Block {
  const clause = loadClauses().get(section);
  const requirement = requirementOf(id);
  return {
    kind: 'details',
    from: 'page',
    summary: `The clause: ${sectionName(section)}${clause === undefined ? '' : ` ${clause.title}`}`,
    blocks: [
      ...(requirement === undefined
        ? []
        : [{ kind: 'text', text: [{ text: requirement.statement, as: 'strong' }] } as const]),
      { kind: 'text', text: BASIS[basis], quiet: true },
      ...(clause === undefined
        ? []
        : [{ kind: 'list', items: clause.clauses.map((text) => ({ text })) } as const]),
    ],
  };
}

function folded(
  summary: string,
  checks: readonly CheckResult[],
  result: Pick<RunResult, 'target'>,
  from?: 'page',
): Block[] {
  if (checks.length === 0) return [];
  const blocks = [namedList(result, checks, MOST_NAMED)];
  return [{ kind: 'details', summary, blocks, ...(from !== undefined && { from }) }];
}

/** Checks by name, each a link to its place. */
export function namedList(
  { target }: Pick<RunResult, 'target'>,
  checks: readonly CheckResult[],
  most: Readonly<Record<'screen' | 'comment' | 'page', number>>,
): Block {
  return {
    kind: 'list',
    most,
    rest: 'more, see results.json',
    items: checks.map((check) => ({ text: linkOf(check, target) })),
  };
}

/** Where a check is on the site, and its id as a link to its place on the page. */
export function linkOf(
  check: Pick<CheckResult, 'id' | 'operation' | 'parameter'>,
  { operations }: RunResult['target'],
): (string | Stretch)[] {
  const place = placeOf(check, operations);
  return [
    { text: check.id, as: 'code', to: linkTo(check.id) },
    ...(place === undefined ? [] : ['  ', { text: place, as: 'strong' } as const]),
  ];
}

/** Who can do something about a finding of a run, in one sentence. */
export function whoActsIn({
  target: { operations = {}, vocabulary },
}: Pick<RunResult, 'target'>): (check: CheckResult) => string {
  const core = loadContract({ deployment: 'core', vocabulary: 'neutral' }).operations;
  const coreNamespaces = new Set(
    core.flatMap(({ id }) => (Object.hasOwn(operations, id) ? [operations[id]?.namespace] : [])),
  );
  return (check) => {
    if (check.verdict === 'error') {
      return 'The authors of this suite: please report it, together with results.json.';
    }
    const namespace = namespaceOf(check, operations);
    if (namespace !== undefined && !coreNamespaces.has(namespace)) {
      return `The author of the plugin or theme that serves ${namespace}; the owner of the site can update or replace it.`;
    }
    return vocabulary === 'neutral'
      ? 'The author of this implementation.'
      : 'The owner of the site: its core software answers here, or a plugin that alters what it answers.';
  };
}
