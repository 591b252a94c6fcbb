import { type Change, isAddedMember } from '../change.ts';
import { NONE_LEFT } from '../declared/compare-surfaces.ts';
import { CLASSES, KINDS, type Kind } from '../law.ts';
import { RENDERED } from '../observed/difference.ts';

/** Changes with one cause, and those that depend on them. */
interface Cause {
  readonly changes: readonly Change[];
  readonly dependents: readonly Change[];
  /** Whether the changes are about several subjects. */
  readonly isJoined: boolean;
}

/** Follows changes to their causes. */
export function causesOf(changes: readonly Change[]): Cause[] {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const followed = changes.map((change) => ({ change, root: rootOf(change, byId) }));
  const keyFor = keysOf(followed.flatMap(({ change, root }) => (root === change ? [change] : [])));
  const grave = followed.filter(({ change }) => GRAVE.has(change.class));
  const [sole, another] = new Map(grave.map(({ root }) => [keyFor(root), root])).values();
  // If one cause alone breaks callers, checks can no longer be evaluated because of it.
  const rooted = followed.map(({ change, root }) => {
    const isOpen = root.kind === 'check-untold' && /^(?:inconclusive|skip) after/.test(root.reason ?? '');
    return { change, root: another === undefined && isOpen ? (sole ?? root) : root };
  });
  const roots = rooted.flatMap(({ change, root }) => (root === change ? [change] : []));
  const others = rooted.filter(({ change, root }) => root !== change);
  const dependents = Map.groupBy(others, ({ root }) => keyFor(root));
  return [...Map.groupBy(roots, keyFor)].map(([key, alike]) => ({
    changes: alike,
    dependents: (dependents.get(key) ?? []).map(({ change }) => change),
    isJoined: alike.every((change) => keyOf(change) !== key),
  }));
}

const GRAVE: ReadonlySet<string> = new Set(CLASSES.slice(0, 2));

/** Follows causes to the first one among the changes. In a circle, a change is its own cause. */
export function rootOf(change: Change, byId: ReadonlyMap<string, Change>): Change {
  let root = change;
  const seen = new Set([change.id]);
  for (;;) {
    const cause: Change | undefined = root.cause === undefined ? undefined : byId.get(root.cause);
    if (cause === undefined) return root;
    if (seen.has(cause.id)) return change;
    seen.add(cause.id);
    root = cause;
  }
}

/** What changes with one cause are about; undefined if each is a cause of its own. */
export function joinedAs(change: Change): string | undefined {
  return KINDS[change.kind].joinedAs ?? (isAddedMember(change) ? 'member' : undefined);
}

/** Kinds of members that all records lack, or some. */
const LACKS: ReadonlySet<Kind> = new Set(['answer-member-removed', 'field-removed', 'field-doubtful']);

/** The key of the cause of each root, which several may share. */
function keysOf(roots: readonly Change[]): (root: Change) => string {
  const joined = new Map<Change, string>();
  for (const [manner, alike] of Map.groupBy(roots, (root) => JSON.stringify(mannerOf(root)))) {
    const parts = joinedParts(alike).filter((part) => subjectsOf(part).length > 1);
    for (const part of parts) {
      const [first] = part.map(({ id }) => id).sort();
      for (const root of part) joined.set(root, `${manner} ${first}`);
    }
  }
  return (root) => joined.get(root) ?? keyOf(root);
}

/** The groups of changes alike that have one cause. */
function joinedParts(alike: readonly Change[]): readonly (readonly Change[])[] {
  const [first] = alike;
  if (first === undefined || joinedAs(first) === undefined) return [];
  if (isAddedMember(first)) return inSamePlaces(alike);
  return OF_PLACES.has(first.kind) ? connected(alike) : [alike];
}

/** The parts of changes whose subjects are in exactly the same places. */
function inSamePlaces(changes: readonly Change[]): Change[][] {
  const bySubject = [...Map.groupBy(changes, ({ subject }) => subject).values()];
  const placesOf = (all: readonly Change[]): string => JSON.stringify(all.map(({ place }) => place).sort());
  return [...Map.groupBy(bySubject, placesOf).values()].map((part) => part.flat());
}

/** Kinds of changes with one cause only if they share a place or a member, directly or through others. */
const OF_PLACES: ReadonlySet<Kind> = new Set([...LACKS, 'answer-rendered']);

/** The parts of changes that do so. */
function connected(changes: readonly Change[]): Change[][] {
  let parts: Change[][] = [];
  for (const change of changes) {
    const isNear = (part: readonly Change[]): boolean =>
      part.some((other) => embedded(other) === embedded(change) || listOf(other) === listOf(change));
    const near = parts.filter(isNear);
    parts = [...parts.filter((part) => !near.includes(part)), [...near.flat(), change]];
  }
  return parts;
}

/** The member of a record, also where other records embed it. */
function embedded({ subject }: Change): string {
  return subject.replace(/^_embedded\.[^[]*(?:\[\])+\./, '');
}

/** The list that a change is about, in which its records count. */
function listOf({ calls, place }: Change): string {
  return (calls?.route ?? place).replace(/\/\{\}$/, '');
}

/** How a member changes, whatever it was before. Few records that do so like others do it for the same reason. */
function mannerOf(change: Change): readonly unknown[] {
  const { kind, owner, after, calls, subject } = change;
  if (isAddedMember(change)) return ['member', owner, subject.split(' ')[0]];
  if (kind === 'answer-type' || kind === 'answer-value') return [kind, after];
  if (kind === 'answer-refused' || kind === 'answer-rendered') return [kind, owner, renderedAs(change)];
  if (kind === 'member-type') return [kind, owner, after];
  // The description of a route is no record.
  return [LACKS.has(kind) ? 'lacks' : kind, owner, calls?.methods.join() === 'OPTIONS'];
}

/** The first words of codes, if nothing else differs, such as that of a vendor; undefined if more does. */
function renamedIn(before = '', after = ''): string | undefined {
  const [was, is] = [before, after].map((codes) => codes.split(' or ').map((code) => code.split('_')));
  if (was === undefined || is === undefined || was.length !== is.length) return undefined;
  const renamed = was.map(([first = '', ...rest], at) => {
    const [other = '', ...others] = is[at] ?? [];
    return rest.length > 0 && rest.join() === others.join() ? `${first} ${other}` : undefined;
  });
  return renamed.every((words) => words === renamed[0]) ? renamed[0] : undefined;
}

/** Records without a date of change render a member otherwise for the same reason as those with one, whatever texts hold. */
function renderedAs({ kind, after }: Change): string | undefined {
  const isOfTexts = kind === 'answer-rendered' && after !== RENDERED.order && after !== RENDERED.numbers;
  return isOfTexts ? undefined : after;
}

/** What changes are about, each once. */
export function subjectsOf(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(({ subject }) => subject))];
}

type Parts = (change: Change) => readonly unknown[];

/** What changes of some kinds and subjects share if they have one cause, and which changes these are. The first row counts. */
const SHARED: readonly (readonly [named: RegExp, parts: Parts, is?: (change: Change) => boolean])[] = [
  // Everything that cannot be compared for the same reason is one line.
  [/^/, ({ reason }) => [reason], ({ reason }) => reason !== undefined],
  // So are all parameters of operations that have none any more.
  [/^parameter-removed /, ({ evidence }) => [evidence], ({ evidence }) => evidence === NONE_LEFT],
  // So is a removed parameter, however each method described it.
  [/^parameter-removed /, ({ owner, subject }) => [owner, subject]],
  // So are descriptions in other words that accept the same.
  [/^constraint /, ({ owner }) => ['none', owner], ({ effect }) => effect === 'none'],
  // So are words that a parameter no longer accepts, whatever it accepts beside them.
  [
    /^constraint /,
    ({ owner, subject, lost }) => [owner, subject.split(' ')[0], lost],
    ({ effect, lost = [] }) => effect === 'narrows' && lost.length > 0,
  ],
  // So are checks that fail for one parameter, or for the same requirement of several operations.
  [/^check-broken /, (change) => [change.owner, checkedIn(change)]],
  // So are refusals that cannot be read, whatever was refused.
  [/^answer-unreadable the body of "/, ({ after }) => [after]],
  // So are refusals with one other code, or none, whatever was refused and their codes were, or with another prefix.
  [/^refusal-changed the code of "/, ({ before, after }) => ['the code', renamedIn(before, after) ?? after]],
  [/^refusal-\S+ (?!the )/, ({ subject, before, after }) => [subject.replace(/ of ".*$/, ''), before, after]],
  // So are words that a header lost, even where it had more of them or more answers show it.
  [/^header-words /, ({ subject }) => [subject], ({ before }) => before?.startsWith('with ') === true],
  // The form of a site's addresses is one for all of its namespaces.
  [/^member-value _links\//, ({ subject, before, after }) => [subject, before, after]],
  // All others share the same keyword and values of the same parameter, wherever it is in a namespace.
  [/^/, (change) => [change.effect, change.owner, change.subject, change.before, renderedAs(change)]],
];

/** The key of the cause of a change, if it is joined with no others by its manner. */
function keyOf(change: Change): string {
  const { kind, subject } = change;
  const row = SHARED.find(([named, , is]) => named.test(`${kind} ${subject}`) && is?.(change) !== false);
  return JSON.stringify([kind, ...(row?.[1](change) ?? [])]);
}

/** The parameter that a check is about, or its requirement without the operation. */
export function checkedIn({ calls, place }: Change): string {
  return calls?.parameter ?? place.slice(place.indexOf('/') + 1);
}
