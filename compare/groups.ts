import { byText } from '../client/json.ts';
import { listed, plural } from '../engine/text.ts';
import { type Accepted, type Change, digestOfCause } from './change.ts';
import { headlineOf } from './headline.ts';
import { type ChangeClass, CLASSES } from './law.ts';
import { SITE } from './surface.ts';
import { KIND_WORDS, sayWithoutEvidence } from './words.ts';

/** One root cause with all its dependents. */
export interface Group {
  /** The id of its first change. */
  readonly id: string;
  /** The same for the same thing in every comparison. People use it to accept and explain the cause. */
  readonly digest: string;
  readonly class: ChangeClass;
  readonly owner: string;
  /** What changed, in at most 120 characters and without patterns. */
  readonly headline: string;
  /** What changed, in one sentence with places and values. */
  readonly sentence: string;
  /** Who is affected, and what to do. */
  readonly advice: string;
  /** The ids of the changes that belong to this cause. */
  readonly changes: readonly string[];
  /** The ids of its dependents. */
  readonly hanging: readonly string[];
  /** Who accepted all of it, why, and until when. */
  readonly accepted?: Accepted;
  /** The software and the two versions between which every site changes like this. */
  readonly everywhere?: string;
}

/** Groups changes by cause, the worst first, then by owner. */
export function groupsOf(changes: readonly Change[]): Group[] {
  const byId = new Map(changes.map((one) => [one.id, one]));
  const rooted = changes.map((one) => ({ one, root: rootOf(one, byId) }));
  const roots = rooted.flatMap(({ one, root }) => (root === one ? [one] : []));
  const byRoot = Map.groupBy(rooted, ({ root }) => keyOf(root));
  const alikes = Map.groupBy(new Map(roots.map((one) => [keyOf(one), one])).values(), (one) =>
    digestFor(one),
  );
  const groups = [...Map.groupBy(roots, keyOf)].flatMap(([key, alike]): Group[] => {
    const [found] = alike;
    if (found === undefined) return [];
    const first = withBefores(found, alike);
    const members = byRoot.get(key) ?? [];
    const dependents = members.flatMap(({ one, root }) => (root === one ? [] : [one]));
    return [
      {
        id: first.id,
        digest: (alikes.get(digestFor(first)) ?? []).length > 1 ? digestFor(first, alike) : digestFor(first),
        class: worst(alike, dependents),
        owner: alike.every(({ owner }) => owner === first.owner) ? first.owner : SITE,
        headline: headlineOf(first, alike, sayWithoutEvidence(first)),
        sentence: sentenceFor(first, alike),
        advice: adviceFor(first, worst(alike, dependents)),
        changes: alike.map(({ id }) => id),
        hanging: dependents.map(({ id }) => id),
      },
    ];
  });
  return groups.toSorted(
    (one, other) =>
      CLASSES.indexOf(one.class) - CLASSES.indexOf(other.class) || byText(one.owner, other.owner),
  );
}

/** Follows causes to the first one among the changes. In a circle, a change is its own cause. */
function rootOf(one: Change, byId: ReadonlyMap<string, Change>): Change {
  let root = one;
  const seen = new Set([one.id]);
  for (;;) {
    const cause: Change | undefined = root.cause === undefined ? undefined : byId.get(root.cause);
    if (cause === undefined) return root;
    if (seen.has(cause.id)) return one;
    seen.add(cause.id);
    root = cause;
  }
}

/**
 * The key of a cause. The same keyword of the same parameter with the same values is one cause, in any
 * number of places of a namespace.
 */
function keyOf({ kind, effect, owner, subject, before, after, reason }: Change): string {
  // Everything that cannot be compared for the same reason is one line.
  if (reason !== undefined) return JSON.stringify([kind, reason]);
  // So are descriptions in other words that accept the same.
  if (kind === 'constraint' && effect === 'none') return JSON.stringify([kind, effect, owner]);
  // So are changed refusals, whatever their codes were.
  if (kind === 'refusal-changed' && subject.startsWith('the code of "'))
    return JSON.stringify([kind, subject, after]);
  if (kind.startsWith('refusal-') && !subject.startsWith('the '))
    return JSON.stringify([kind, subject.replace(/ of ".*$/, ''), before, after]);
  // Words that a header lost have one cause, even where it had more of them or more answers show it.
  if (kind === 'header-words' && before?.startsWith('with ')) return JSON.stringify([kind, subject]);
  return JSON.stringify([kind, effect, owner, subject, before, after]);
}

/** Notes how many other values there were before, if several became the same one. */
function withBefores(first: Change, alike: readonly Change[]): Change {
  const others = new Set(alike.map(({ before }) => before)).size - 1;
  const isOne = others === 0 || first.kind !== 'refusal-changed';
  return isOne ? first : { ...first, before: `${first.before} or ${plural(others, 'other')}` };
}

/** @param places distinguishes it from others of the same kind and subject */
function digestFor({ kind, owner, subject, reason }: Change, places: readonly Change[] = []): string {
  const [first] = places.map(({ digest }) => digest).toSorted();
  return digestOfCause(
    kind,
    reason === undefined ? owner : '',
    reason ?? subject,
    first === undefined ? [] : [first],
  );
}

/** The worst class of a cause and its breaking dependents; the other dependents do not count. */
function worst(alike: readonly Change[], dependents: readonly Change[]): ChangeClass {
  const counted = [...alike, ...dependents.filter((one) => one.class === 'breaking')];
  return CLASSES.find((one) => counted.some((change) => change.class === one)) ?? 'compatible';
}

const MOST_PLACES = 3;
const MOST_SUBJECTS = 8;

/** What changed, in one sentence with its places. @param alike the changes of this cause */
function sentenceFor(first: Change, alike: readonly Change[]): string {
  const said = KIND_WORDS[first.kind].says(first);
  const places = [...new Set(alike.map(({ place }) => place))];
  if (said.startsWith(first.place)) return `${said}.`;
  const subjects = first.kind === 'constraint' ? [...new Set(alike.map(({ subject }) => subject))] : [];
  const others = subjects.length < 2 ? '' : `; likewise ${listed(subjects.slice(1), MOST_SUBJECTS)}`;
  return `${listed(places, MOST_PLACES)}: ${said}${others}.`;
}

/** Who is affected, and what to do. @param worst its class with all dependents */
function adviceFor({ kind, class: found }: Change, worst: ChangeClass): string {
  const { advice, unsure = advice, harmless = 'Nobody is hit.' } = KIND_WORDS[kind];
  if (found === 'compatible') {
    return worst === 'breaking' ? 'See what depends on it in the later run: that breaks callers.' : harmless;
  }
  return found === 'unknown' ? unsure : advice;
}
