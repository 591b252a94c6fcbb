import { byReason } from '../../../engine/extent.ts';
import type { CheckResult, RunResult, Waived } from '../../../engine/result.ts';
import {
  dayOf,
  daysBetween,
  grouped,
  groupsBy,
  listed,
  type Maybe,
  plural,
  present,
} from '../../../engine/text.ts';
import type { Block, Item, State } from '../blocks.ts';
import { code, command, details, list, section, strong, text } from '../blocks.ts';
import { stateOf } from './causes.ts';
import { namedList, waivedCards } from './findings.ts';

const MOST_REASONS = { screen: 10, comment: 10, page: 80 } as const;
const MOST_NAMED = { screen: 1, comment: 1, page: 20 } as const;
const MOST_WANTED = 12;

/** Inconclusive and skipped checks by reason, and what would decide them. */
export function reasonSections(result: RunResult): Maybe<Block> {
  const open = result.checks.filter((check) => stateOf(check) === 'inconclusive');
  const skipped = result.checks.filter(({ verdict }) => verdict === 'skip');
  const about = (word: string, { length }: readonly CheckResult[], tone: State) => ({
    id: word.toLowerCase(),
    way: [word, grouped(length)] as const,
    tone,
    title: `${plural(length, 'check')} ${word.toLowerCase()}, by reason`,
  });
  return [
    section(about('Inconclusive', open, 'inconclusive'), hints(open), reasonList(open, result)),
    section(about('Skipped', skipped, 'skip'), reasonList(skipped, result)),
  ];
}

function reasonList(open: readonly CheckResult[], { checks, target }: RunResult): Maybe<Block> {
  const items = byReason(open, checks).map(({ why, checks: own, root }): Item => {
    const [first] = own;
    return {
      text: [strong(String(own.length)), `  ${why}`],
      notes: [own.length === 1 ? first?.id : `such as ${first?.id}`, wayOf(first, root)],
      blocks: [namedList(target, own, MOST_NAMED, { from: 'page' })],
    };
  });
  return list(items, { as: 'folded', most: MOST_REASONS, rest: 'reasons' });
}

/** What would decide a check, if the run knows. @param root what it waits for */
function wayOf(check: CheckResult | undefined, root: CheckResult | undefined): string | undefined {
  const { skip, controls } = check ?? {};
  if ((controls?.wanted.length ?? 0) > 0) return 'A hints file would make it conclusive.';
  if (skip?.kind === 'mode') return `Run with --mode ${skip.needs}.`;
  if (skip?.kind === 'selection') return `Run without ${skip.option}.`;
  if (root?.verdict === 'inconclusive') return `This is the reason of ${root.id}, which they need.`;
  return skip && WAYS[skip.kind];
}

const WAYS: Readonly<Partial<Record<NonNullable<CheckResult['skip']>['kind'], string>>> = {
  credentials: 'Run with --user.',
  blocked: 'Fix that first.',
  'over-budget': 'Run with a larger --budget.',
  ended: 'Run again.',
};

/** A hints file that would decide checks, to be filled in. */
function hints(checks: readonly CheckResult[]): Maybe<Block> {
  const named = checks.flatMap(({ operation, controls }) =>
    operation === undefined ? [] : (controls?.wanted ?? []).map((name) => ({ operation, name })),
  );
  const wanted = Map.groupBy(named, ({ operation }) => operation);
  if (wanted.size === 0) return undefined;
  const valuesOf = (all: typeof named) => Object.fromEntries(all.map(({ name }) => [name, 'a good value']));
  const first = [...wanted].slice(0, MOST_WANTED);
  const operations = Object.fromEntries(first.map(([operation, all]) => [operation, valuesOf(all)]));
  return details(
    `A file of hints for ${plural(wanted.size, 'operation')} would make more checks conclusive`,
    [
      text([
        'The site refused every valid call that the suite could think of. Somebody who knows it writes good values into a file, and runs with ',
        code('--hints FILE'),
        wanted.size > MOST_WANTED && `; these are the first ${MOST_WANTED} of ${wanted.size} operations`,
        ':',
      ]),
      command(JSON.stringify({ operations }, undefined, 2), { label: 'A file of hints' }),
    ],
    { from: 'page' },
  );
}

/** How many days before its expiry a waiver is mentioned. */
const SOON = 14;
const MOST_IDS = 10;
const MOST_USES = 5;

/** Waived failures, by waiver. Days count from the start of the run, so that the report can be made again. */
export function waiverSection(result: RunResult): Maybe<Block> {
  const uses = usesOf(result).toSorted(([, one], [, other]) => other.length - one.length);
  const remarks = present([
    uses.map(([waiver]) => expiringSoon(waiver, result.run.started)),
    remarksOn(result),
  ]);
  const count = result.counts.waived ?? 0;
  if (count + remarks.length === 0) return undefined;
  return section(
    {
      id: 'waived',
      way: ['Waived', grouped(count)],
      title: count === 0 ? 'Waivers' : `${plural(count, 'failure')} waived, not counted`,
    },
    list([...remarks, ...uses.flatMap(useItems)], { most: { screen: MOST_USES }, rest: 'waivers' }),
    count > 0 && waivedCards(result),
  );
}

/** A waiver, with the ids of the checks that it covers. */
type Use = readonly [waiver: Waived, ids: readonly string[]];

function usesOf({ checks }: RunResult): Use[] {
  const all = checks.flatMap(({ id, waived }) =>
    waived === undefined ? [] : [waived, ...(waived.also ?? [])].map((one) => ({ id, waived: one })),
  );
  return groupsBy(all, ({ waived }) => waived.waiver).map((uses) => [
    uses[0].waived,
    uses.map(({ id }) => id),
  ]);
}

/** A waiver with its words and its complete link, to copy. A screen only has its name: somebody has decided. */
function useItems([{ waiver, reason, owner, expires, link }, checks]: Use): Item[] {
  const number = strong(String(checks.length));
  return [
    { text: [number, `  ${waiver} (${owner}, until ${expires})`], to: 'screen' },
    {
      text: [number, `  ${waiver}: ${reason} (${owner}, until ${expires})`],
      notes: [!checks.every((id) => id === waiver) && listed(checks, MOST_IDS)],
      blocks: [link !== undefined && command(link)],
      from: 'comment',
    },
  ];
}

function expiringSoon({ waiver, owner, expires }: Waived, started: string): string | undefined {
  const days = daysBetween(dayOf(started), expires);
  if (!(days <= SOON)) return undefined;
  return `expires ${days <= 0 ? 'today' : `in ${plural(days, 'day')}`}, on ${expires}: ${waiver} (${owner})`;
}

function remarksOn({ waivers }: RunResult): Maybe<string | Item> {
  if (waivers === undefined) return undefined;
  const { expired, unmatched, passing, elsewhere = [], unversioned = [] } = waivers;
  const remark = (what: string, names: readonly string[]): Maybe<string> =>
    names.length > 0 && `${what}: ${listed(names, MOST_IDS)}`;
  return [
    remark('expired, so that it covers nothing any more', expired),
    remark('matches no check of the contract', unmatched),
    remark('no longer needed, because all of its checks pass', passing),
    elsewhere.length > 0 && {
      text: `for another version of the software: ${listed(elsewhere, MOST_IDS)}`,
      from: 'comment',
    },
    unversioned.length > 0 &&
      `${plural(unversioned.length, 'waiver')} applied to any version of the software: the version of this one is unknown (--software)`,
  ];
}
