import type { CheckResult, RunResult, Waived } from '../../../engine/result.ts';
import { listed, plural } from '../../../engine/text.ts';
import { type Block, type Item, type Section, sectionOf } from '../blocks.ts';
import { namedList, waivedCards } from './findings.ts';
import { stateOf } from './map.ts';

const MOST_REASONS = { screen: 10, comment: 10, page: 80 } as const;
const MOST_NAMED = { screen: 1, comment: 1, page: 20 } as const;
const MOST_WANTED = 12;

/** Checks that were inconclusive and those that were skipped, by reason, and what would make them conclusive. */
export function reasonSections({ checks, target }: RunResult): Section[] {
  const open = checks.filter((check) => stateOf(check) === 'inconclusive');
  const skipped = checks.filter(({ verdict }) => verdict === 'skip');
  return [
    ...sectionOf(
      {
        id: 'inconclusive',
        way: ['Inconclusive', open.length.toLocaleString('en-US')],
        tone: 'inconclusive',
        title: `${plural(open.length, 'check')} inconclusive, by reason`,
        blocks: [...hints(open), byReason(open, target)],
      },
      open.length > 0,
    ),
    ...sectionOf(
      {
        id: 'skipped',
        way: ['Skipped', skipped.length.toLocaleString('en-US')],
        tone: 'skip',
        title: `${plural(skipped.length, 'check')} skipped, by reason`,
        blocks: [byReason(skipped, target)],
      },
      skipped.length > 0,
    ),
  ];
}

function byReason(checks: readonly CheckResult[], target: RunResult['target']): Block {
  const groups = [...Map.groupBy(checks, reasonOf)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return {
    kind: 'list',
    as: 'folded',
    most: MOST_REASONS,
    rest: 'reasons',
    items: groups.map(([reason, own]) => ({
      text: [{ text: String(own.length), as: 'strong' }, `  ${reason}`],
      notes: [own.length === 1 ? (own[0]?.id ?? '') : `such as ${own[0]?.id}`, wayOf(own[0])].filter(Boolean),
      blocks: [{ ...namedList({ target }, own, MOST_NAMED), from: 'page' }],
    })),
  };
}

/** One root cause is one reason. */
export function reasonOf({ skip, controls, message = 'no reason given' }: CheckResult): string {
  if ((controls?.wanted.length ?? 0) > 0) return 'the site refused every valid call that was tried';
  return skip?.kind === 'blocked' ? 'blocked by what another check reports' : message;
}

/** What would make a check conclusive, where the run knows. */
function wayOf(check: CheckResult | undefined): string {
  const { skip, controls } = check ?? {};
  if ((controls?.wanted.length ?? 0) > 0) return 'A hints file would make it conclusive.';
  switch (skip?.kind) {
    case 'credentials':
      return 'Run with --user.';
    case 'mode':
      return `Run with --mode ${skip.needs}.`;
    case 'blocked':
      return 'Fix that first.';
    case 'over-budget':
      return 'Run with a larger --budget.';
    case 'selection':
      return `Run without ${skip.option}.`;
    case 'ended':
      return 'Run again.';
    default:
      return '';
  }
}

/** The file of hints that would make checks conclusive, ready to be filled in. */
function hints(checks: readonly CheckResult[]): Block[] {
  const wanted = new Map<string, Set<string>>();
  for (const { operation, controls } of checks) {
    if (operation === undefined || controls === undefined) continue;
    const names = wanted.get(operation) ?? new Set();
    for (const name of controls.wanted) names.add(name);
    if (names.size > 0) wanted.set(operation, names);
  }
  if (wanted.size === 0) return [];
  const operations = Object.fromEntries(
    [...wanted]
      .slice(0, MOST_WANTED)
      .map(([operation, names]) => [
        operation,
        Object.fromEntries([...names].map((name): [string, string] => [name, 'a good value'])),
      ]),
  );
  return [
    {
      kind: 'details',
      from: 'page',
      summary: `A file of hints for ${plural(wanted.size, 'operation')} would make more checks conclusive`,
      blocks: [
        {
          kind: 'text',
          text: [
            'The site refused every valid call that the suite could think of. Somebody who knows it writes good values into a file, and runs with ',
            { text: '--hints FILE', as: 'code' },
            `${wanted.size > MOST_WANTED ? `; these are the first ${MOST_WANTED} of ${wanted.size} operations` : ''}:`,
          ],
        },
        { kind: 'code', label: 'A file of hints', text: JSON.stringify({ operations }, undefined, 2) },
      ],
    },
  ];
}

const DAY_MS = 86_400_000;
/** So many days before a waiver expires its owner has time to look again. */
const SOON = 14;
const MOST_IDS = 10;

/**
 * The failures that waivers cover, an entry for each waiver, and what is to be done about the list. What is about to expire is
 * counted from the start of the run, so that the report can be made again.
 */
export function waiverSection(result: RunResult): Section[] {
  const uses = usesOf(result);
  const remarks = [
    ...uses.flatMap(({ waived }) => expiringSoon(waived, result.run.started)),
    ...remarksOn(result),
  ];
  const count = result.counts.waived ?? 0;
  return sectionOf(
    {
      id: 'waived',
      way: ['Waived', count.toLocaleString('en-US')],
      title: count === 0 ? 'Waivers' : `${plural(count, 'failure')} waived, not counted`,
      blocks: [
        { kind: 'list', items: [...uses.map(useItem), ...remarks.map((text) => ({ text }))] },
        ...(count === 0 ? [] : waivedCards(result)),
      ],
    },
    count + remarks.length > 0,
  );
}

/** A waiver, and the checks whose failures it covers. */
interface Use {
  readonly waived: Waived;
  readonly checks: readonly string[];
}

function usesOf({ checks }: RunResult): Use[] {
  const all = checks.flatMap(({ id, waived }) =>
    waived === undefined ? [] : [waived, ...(waived.also ?? [])].map((one) => ({ id, waived: one })),
  );
  return [...Map.groupBy(all, ({ waived }) => waived.waiver)].flatMap(([, same]) => {
    const [first] = same;
    return first === undefined ? [] : [{ waived: first.waived, checks: same.map(({ id }) => id) }];
  });
}

/** The waiver with its words, what it covers where that is more than its name says, and its link whole, so that it can be copied. */
function useItem({ waived, checks }: Use): Item {
  const { waiver, reason, owner, expires, link } = waived;
  const isAlone = checks.every((id) => id === waiver);
  return {
    text: [
      { text: String(checks.length), as: 'strong' },
      `  ${waiver}: ${reason} (${owner}, until ${expires})`,
    ],
    ...(!isAlone && { notes: [listed(checks, MOST_IDS)] }),
    ...(link !== undefined && { blocks: [{ kind: 'code', text: link }] }),
  };
}

function expiringSoon({ waiver, owner, expires }: Waived, started: string): string[] {
  const days = Math.round((Date.parse(expires) - Date.parse(started.slice(0, 'yyyy-mm-dd'.length))) / DAY_MS);
  if (!(days <= SOON)) return [];
  return [
    `expires ${days <= 0 ? 'today' : `in ${plural(days, 'day')}`}, on ${expires}: ${waiver} (${owner})`,
  ];
}

/** What is to be done about the list itself. */
function remarksOn({ waivers }: RunResult): string[] {
  if (waivers === undefined) return [];
  const { expired, unmatched, passing, elsewhere = [], unversioned = [] } = waivers;
  const rows: [readonly string[], string][] = [
    [expired, 'expired, so that what it covered counts again'],
    [unmatched, 'matches no check of the contract'],
    [passing, 'no longer needed, because all of its checks pass'],
    [elsewhere, 'for another version of the software'],
  ];
  return [
    ...rows
      .filter(([names]) => names.length > 0)
      .map(([names, what]) => `${what}: ${listed(names, MOST_IDS)}`),
    ...(unversioned.length === 0
      ? []
      : [
          `${plural(unversioned.length, 'waiver')} applied to any version of the software: the version of this one is unknown (--software)`,
        ]),
  ];
}
