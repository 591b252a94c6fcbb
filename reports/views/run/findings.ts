import type { CheckResult, RunResult } from '../../../engine/result.ts';
import { grouped, listed, type Maybe, plural } from '../../../engine/text.ts';
import { sectionOf } from '../../../specs/texts.ts';
import { BASIS, linkTo, placeOf, requirementOf, sectionName, sectionWithBasis } from '../../about-check.ts';
import type { Block, Item, Span, Text } from '../blocks.ts';
import { code, command, details, facts, list, quoted, section, strong, text } from '../blocks.ts';
import { type Cause, causesOf, type Which, whoActsIn } from './causes.ts';

/** How many causes are shown in full. People who fix them run again. */
const MOST_IN_FULL = { fail: 40, error: 10, warn: 10, unstable: 10, waived: 40 } as const;
const MOST_NAMED = { screen: 5, comment: 40, page: 40 } as const;
const MOST_FURTHER = { screen: 10, comment: 200, page: 200 } as const;
const MOST_COMMANDS = 3;
/** About 25 lines of 80 characters. */
const SCREENFUL = 2000;

/** The checks that are shown in cards. All others are in the list of all checks. */
export function shownInCards(result: RunResult): ReadonlySet<string> {
  const sorts: readonly Which[] = ['fail', 'error', 'warn', 'waived', 'unstable'];
  const shown = sorts.flatMap((which) => causesOf(result, which).slice(0, MOST_IN_FULL[which]));
  return new Set(shown.map(({ first }) => first.id));
}

/** A section of findings by cause. */
interface CauseSection {
  readonly which: Exclude<Which, 'waived'>;
  readonly id: string;
  readonly way: string;
  readonly noun: string;
  /** Default: the noun with an s. */
  readonly many?: string;
  readonly lead?: string;
  readonly from?: 'comment';
}

const OF_SUITE = { noun: 'fault of the suite itself', many: 'faults of the suite itself' };
const FAULTS: CauseSection = { which: 'error', id: 'errors', way: 'Faults', ...OF_SUITE };
const UNSTABLE: CauseSection = {
  which: 'unstable',
  id: 'unstable',
  way: 'Unstable',
  noun: 'unstable check',
  lead: 'A violation occurred, but not in each retry. That is neither a failure nor a pass.',
};
const WARNINGS: CauseSection = {
  which: 'warn',
  id: 'warnings',
  way: 'Warnings',
  noun: 'warning',
  lead: 'The specification is doubtful or only advises, or the site contradicts what it publishes.',
};
const FAILURES: CauseSection = { which: 'fail', id: 'failures', way: 'Failures', noun: 'failure' };
const NEW: CauseSection = { ...FAILURES, noun: 'new failure' };
const FOUND: CauseSection = {
  ...FAILURES,
  id: 'found',
  way: 'Found',
  lead: 'Found with sets of arguments that earlier runs did not try. Since when is unknown.',
};
/** Old failures must not hide new ones. */
const KNOWN: CauseSection = {
  ...FAILURES,
  id: 'before',
  way: 'Known',
  noun: 'failure that was there before',
  many: 'failures that were there before',
  from: 'comment',
};

/** Failures of the site, faults of the suite, unstable checks, and warnings, as sections. */
export function findingSections(result: RunResult): Maybe<Block> {
  return [failureSections(result), [FAULTS, UNSTABLE, WARNINGS].map((about) => causeSection(result, about))];
}

function failureSections(result: RunResult): Maybe<Block> {
  if (result.baseline === undefined) return causeSection(result, FAILURES);
  const unwaived = new Set(result.baseline.unwaived);
  const sectionFor = ({ first: { id, standing = 'new' } }: Cause): CauseSection => {
    if (standing === 'new' || unwaived.has(id)) return NEW;
    return standing === 'found' ? FOUND : KNOWN;
  };
  const groups = Map.groupBy(causesOf(result, 'fail'), sectionFor);
  return [NEW, FOUND, KNOWN].map((about) => causeSection(result, about, groups.get(about) ?? []));
}

/** The cards of waived failures. */
export function waivedCards(result: RunResult): Maybe<Block> {
  const causes = causesOf(result, 'waived').slice(0, MOST_IN_FULL.waived);
  return list(cardsOf(result, causes, 'waived'), { from: 'page', as: 'cards' });
}

function causeSection(
  result: RunResult,
  { which, id, way, noun, many = `${noun}s`, lead, from }: CauseSection,
  causes: readonly Cause[] = causesOf(result, which),
): Maybe<Block> {
  if (causes.length === 0) return undefined;
  const number = causes.reduce((sum, { alike }) => sum + 1 + alike.length, 0);
  const most = MOST_IN_FULL[which];
  const rest = causes.slice(most).map(({ first }) => first);
  const causesInWords = causes.length < number ? ` from ${plural(causes.length, 'cause')}` : '';
  return section(
    {
      id,
      way: [way, grouped(number)],
      title: `${plural(number, noun, many)}${causesInWords}`,
      tone: which,
      from,
    },
    lead !== undefined && text(lead, { quiet: true }),
    list(cardsOf(result, causes.slice(0, most), which), { as: 'cards', most: { comment: most } }),
    details(plural(rest.length, 'further cause'), [namedList(result.target, rest, MOST_FURTHER)]),
  );
}

function cardsOf(result: RunResult, causes: readonly Cause[], which: Which): Item[] {
  const whoActs = whoActsIn(result);
  // On a screen, a warning is a line and its command.
  const room = which === 'warn' ? ({ from: 'comment' } as const) : {};
  const named = (checks: readonly CheckResult[]) => namedList(result.target, checks, MOST_NAMED);
  return causes.map(({ first, alike, blocked }): Item => {
    const { id, message, title } = first;
    const hides = `Hides ${plural(blocked.length, 'check')}`;
    return {
      id,
      tone: which,
      name: nameSpans(first, result.target),
      text: message ?? title,
      blocks: [
        { ...facts(factsOf(first)), ...room },
        addedBy(first, result),
        facts([['Who acts', whoActs(first)]], { from: 'page' }),
        commandsOf(first, room),
        setsOf(first),
        clauseOf(first),
        details(`The same in ${plural(alike.length, 'other place')}`, [named(alike)]),
        blocked.length > 0 && text(hides, { to: 'comment' }),
        details(hides, [named(blocked)], { from: 'page' }),
      ],
    };
  });
}

function nameSpans(check: CheckResult, { operations }: RunResult['target']): Text {
  const { id, standing, basis, section: clause, unstable } = check;
  const place = placeOf(check, operations);
  const badge = (words: string): Span => ({ text: words, as: 'badge' });
  return [
    place !== undefined && [strong(place), '  '],
    code(id),
    `  ${basis === 'stated' ? sectionName(clause) : sectionWithBasis(check)}`,
    standing === 'new' && ['  ', { ...badge('new'), tone: 'fail' }],
    standing === 'found' && ['  ', badge('found')],
    standing === 'still' && ['  ', badge('persisting')],
    unstable && ['  ', badge('unstable')],
  ];
}

function factsOf(check: CheckResult): (readonly [string, Text | undefined])[] {
  const { message, title, expected, observed, unstable, upstream, waived } = check;
  const see = (link: string | undefined): string => (link === undefined ? '' : `, see ${link}`);
  return [
    ['Check', message === undefined ? undefined : title],
    ['Expected', quoted(expected)],
    ['Observed', quoted(observed)],
    ['Unstable', unstable && `failed ${unstable.failed} of ${unstable.asked} times`],
    ['Known', upstream && `upstream: ${upstream.reason}${see(upstream.link)}; ${KNOWN_WAIVERS}`],
    ['Accepted', waived && `${waived.reason} (${waived.owner}, until ${waived.expires})${see(waived.link)}`],
  ];
}

const KNOWN_WAIVERS = 'a run with --waivers known accepts it';
const MOST_WORDS = 5;

/** Plugins add words to what software accepts. For the owner of the site that is no error, and `init` adopts them. */
function addedBy({ adds, parameter = '' }: CheckResult, { target }: RunResult): Maybe<Block> {
  if (adds === undefined || target.vocabulary === 'neutral') return undefined;
  return text([
    `The site adds ${listed(adds, MOST_WORDS)} to ${parameter}, as its plugins may. A contract of what this site publishes takes that: `,
    code(`npm start -- init --target ${target.url}`),
  ]);
}

/** On a page, the output of a command fits a screen: the end of a long answer, with the status. */
function commandsOf(
  { reproduce = [], declare }: CheckResult,
  ofDeclaration: Pick<Block, 'from'>,
): Maybe<Block> {
  const shown = reproduce.slice(0, MOST_COMMANDS);
  const left = reproduce.length - shown.length;
  return [
    declare !== undefined && command(declare, { label: 'Declare', ...ofDeclaration }),
    shown.length > 0 && command(shown.join('\n'), { label: 'Repeat', to: 'comment' }),
    shown.map((line) =>
      command(`${line} | tail -c ${SCREENFUL}`, { label: 'Repeat the request', from: 'page' }),
    ),
    left > 0 && text(`… and ${left} more in results.json`, { quiet: true }),
  ];
}

function setsOf({ replay }: CheckResult): Maybe<Block> {
  const sets = replay?.sets ?? [];
  const shown = sets.slice(0, MOST_NAMED.page);
  return details(
    `${plural(sets.length, 'set')} of arguments that show it`,
    shown.map(({ message, replay: line, reproduce: [again] = [] }, at) => [
      at > 0 && [text(`also: ${message}`), again !== undefined && command(again, { label: 'Repeat' })],
      line !== undefined && command(line, { label: 'Replay' }),
    ]),
  );
}

function clauseOf({ id, section: number, basis }: CheckResult): Maybe<Block> {
  const clause = sectionOf(number);
  const requirement = requirementOf(id);
  return details(
    `The clause: ${sectionName(number)}${clause === undefined ? '' : ` ${clause.title}`}`,
    [
      requirement && text([strong(requirement.statement)]),
      text(BASIS[basis], { quiet: true }),
      clause && list(clause.clauses),
    ],
    { from: 'page' },
  );
}

/** Checks by name, each a link to its place. */
export function namedList(
  target: RunResult['target'],
  checks: readonly CheckResult[],
  most: Readonly<Record<'screen' | 'comment' | 'page', number>>,
  place: { readonly from?: 'page' } = {},
): Maybe<Block> {
  const items = checks.map((check) => ({ text: linkOf(check, target) }));
  return list(items, { most, ...place });
}

/** The place of a check on the site, and its id as a link. */
export function linkOf(
  check: Pick<CheckResult, 'id' | 'operation' | 'parameter'>,
  { operations }: RunResult['target'],
): Text {
  const place = placeOf(check, operations);
  return [{ ...code(check.id), to: linkTo(check.id) }, place !== undefined && ['  ', strong(place)]];
}
