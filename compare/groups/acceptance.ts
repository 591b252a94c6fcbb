import { defined } from '../../client/json.ts';
import { dayOf } from '../../engine/text.ts';
import { type AcceptedChange, lastDayOf } from '../../specs/waivers.ts';
import { type Accepted, type Change, digestFor } from '../change.ts';
import type { Comparison } from '../comparison.ts';
import { type ChangeClass, countClasses } from '../law.ts';
import type { Group } from './groups.ts';

/** Marks the changes that a list accepts, by change or by cause with its dependents. @param today as an ISO date */
export function acceptIn(
  comparison: Comparison,
  entries: readonly AcceptedChange[],
  today: string,
): Comparison {
  const current = entries.filter((entry) => lastDayOf(entry) >= today);
  const inForce = new Map(current.map((entry) => [entry.id, acceptedBy(entry)]));
  const known = new Map(comparison.changes.map((change) => [change.id, change]));
  const marks = new Map<string, Accepted>();
  // A cause that was accepted before others joined it.
  const alone = (id: string): string => {
    const change = known.get(id);
    return change === undefined ? '' : digestFor(change);
  };
  const groups = comparison.groups.map((group): Group => {
    const whole = inForce.get(group.digest);
    const own = group.changes.flatMap((id) => known.get(id) ?? []);
    for (const { id, digest } of own) {
      const by = whole ?? inForce.get(digest) ?? inForce.get(alone(id));
      if (by !== undefined) marks.set(id, by);
    }
    const [first] = own.map(({ id }) => marks.get(id));
    if (first === undefined || own.some(({ id }) => !marks.has(id))) return group;
    for (const id of group.hanging) marks.set(id, first);
    return { ...group, accepted: first };
  });
  const changes = comparison.changes.map((change): Change => {
    const accepted = marks.get(change.id) ?? inForce.get(change.digest);
    return accepted === undefined ? change : { ...change, accepted };
  });
  const about = digestsIn(comparison);
  const needless = entries.filter((entry) => !about.has(entry.id) && isLookedAt(entry, comparison));
  return {
    ...comparison,
    groups,
    changes,
    acceptance: {
      counts: countClasses(changes.filter((change) => change.accepted !== undefined)),
      expired: entries.flatMap((entry) =>
        about.has(entry.id) && lastDayOf(entry) < today ? [entry.id] : [],
      ),
      needless: needless.map(({ id }) => id),
    },
  };
}

/** How many changes of a class are not accepted. */
export function countedOf({ counts, acceptance }: Comparison, name: ChangeClass): number {
  return counts[name] - (acceptance?.counts[name] ?? 0);
}

/** Whether a comparison would have shown the change: a snapshot has no answers, a run without an index no routes. */
function isLookedAt({ kind = '' }: AcceptedChange, { looked, inconclusive }: Comparison): boolean {
  if (inconclusive !== undefined) return false;
  if (/^(?:answer|header|refusal|right)-/.test(kind)) return looked.answers !== undefined;
  if (kind.startsWith('field-')) return looked.fields !== undefined;
  return kind.startsWith('check-') ? looked.checks > 0 : looked.routes > 0;
}

function digestsIn({ changes, groups }: Pick<Comparison, 'changes' | 'groups'>): Set<string> {
  return new Set([
    ...[...changes, ...groups].map(({ digest }) => digest),
    ...changes.map((change) => digestFor(change)),
  ]);
}

function acceptedBy(entry: AcceptedChange): Accepted {
  const { id, reason, owner, link } = entry;
  return defined({ id, reason, owner, until: lastDayOf(entry), link });
}

/** Updates a list by the comparison that {@link acceptIn} marked: adds breaking causes, drops what is needless. */
export function renewAcceptance(
  accepted: Comparison,
  entries: readonly AcceptedChange[],
  words: Pick<AcceptedChange, 'reason' | 'owner' | 'expires'>,
): Readonly<Record<'entries' | 'added' | 'removed', readonly AcceptedChange[]>> {
  const { groups, changes, after } = accepted;
  const day = dayOf(after.taken);
  const needless = new Set(accepted.acceptance?.needless);
  const listed = new Set(entries.map(({ id }) => id));
  const known = new Map(changes.map((change) => [change.id, change]));
  const about = digestsIn(accepted);
  const isListed = ({ digest, changes: ids }: Group): boolean =>
    listed.has(digest) || ids.every((id) => listed.has(known.get(id)?.digest ?? ''));
  const added = groups
    .filter((group) => (group.class === 'breaking' || group.class === 'exposed') && !isListed(group))
    .map(({ id, digest, headline }): AcceptedChange => {
      const kind = defined({ kind: known.get(id)?.kind });
      return { id: digest, about: headline, ...kind, ...words, firstSeen: day, lastSeen: day };
    });
  const kept = entries
    .filter(({ id }) => !needless.has(id))
    .map((entry): AcceptedChange => {
      if (!about.has(entry.id)) return entry;
      const { firstSeen = day, lastSeen = day } = entry;
      const [earliest = day] = [firstSeen, day].sort();
      const latest = [lastSeen, day].sort().at(-1) ?? day;
      return { ...entry, firstSeen: earliest, lastSeen: latest };
    });
  return { entries: [...kept, ...added], added, removed: entries.filter(({ id }) => needless.has(id)) };
}
