import type { Change } from './change.ts';
import { type ChangeClass, CLASSES } from './law.ts';
import { adviceFor, sentenceFor } from './sentences.ts';
import { SITE } from './surface.ts';

/** One root cause, however much hangs on it. */
export interface Group {
  /** The id of its first change. */
  readonly id: string;
  readonly class: ChangeClass;
  readonly owner: string;
  /** What changed, in one sentence. */
  readonly sentence: string;
  /** Who is hit, and what to do. */
  readonly advice: string;
  /** The ids of the changes that are this one thing. */
  readonly changes: readonly string[];
  /** The ids of the changes that depend on it. */
  readonly hanging: readonly string[];
}

/** Groups changes by what brought them about: the worst first, then by owner. */
export function groupsOf(changes: readonly Change[]): Group[] {
  const byId = new Map(changes.map((one) => [one.id, one]));
  const roots = new Map<string, Change[]>();
  const hanging = new Map<string, Change[]>();
  for (const one of changes) {
    const root = rootOf(one, byId);
    if (root === one) push(roots, keyOf(one), one);
    else push(hanging, keyOf(root), one);
  }
  const groups = [...roots].flatMap(([key, alike]): Group[] => {
    const [first] = alike;
    if (first === undefined) return [];
    const hung = hanging.get(key) ?? [];
    return [
      {
        id: first.id,
        class: worst(alike, hung),
        owner: alike.every(({ owner }) => owner === first.owner) ? first.owner : SITE,
        sentence: sentenceFor(first, alike),
        advice: adviceFor(first, worst(alike, hung)),
        changes: alike.map(({ id }) => id),
        hanging: hung.map(({ id }) => id),
      },
    ];
  });
  return groups.toSorted(
    (one, other) =>
      CLASSES.indexOf(one.class) - CLASSES.indexOf(other.class) ||
      (one.owner < other.owner ? -1 : Number(one.owner > other.owner)),
  );
}

/** Follows causes to the first that is among the changes; what goes round in a circle has none but itself. */
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

/** The same keyword of the same parameter with the same values is one change, in however many places of a namespace. */
function keyOf({ kind, effect, owner, subject, before, after, reason }: Change): string {
  // What cannot be compared for one reason is one line, whatever it is about.
  if (reason !== undefined) return JSON.stringify([kind, reason]);
  return JSON.stringify([kind, effect, owner, subject, before, after]);
}

/** What hangs on a change may break callers; that it could not be told before or after is a matter of its root. */
function worst(alike: readonly Change[], hung: readonly Change[]): ChangeClass {
  const counted = [...alike, ...hung.filter((one) => one.class === 'breaking')];
  return CLASSES.find((one) => counted.some((change) => change.class === one)) ?? 'compatible';
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
