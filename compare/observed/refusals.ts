import type { RefusalKind, RefusalNotes } from '../../client/observed/document.ts';
import { present } from '../../engine/text.ts';
import { textsOf } from '../../specs/texts.ts';
import type { Effect } from '../law.ts';
import type { Difference, Pair } from './difference.ts';
import { differing, either, FEW, pairsOf, SUBJECTS, shares } from './difference.ts';

type Refusals = readonly RefusalNotes[];

type ByCode = ReturnType<typeof byCode>[number];

/** Fewer refusals may have other reasons than before. */
const LEAST = 2;

const LEFT_OPEN = /[A-Z{]/;

/** Changes in the refusals of one method of a route to one caller: code, status, members and type. */
export function compareRefusals({ was, is }: Pair<Refusals>): Difference[] {
  const shared = pairsOf(byCode(was), byCode(is), ({ code }) => code);
  const codes = new Set(shared.map(({ was: { code } }) => code));
  const ofKinds = kindsOf([...was, ...is]).map((kind) => {
    const [before, after] = [ofKind(was, kind), ofKind(is, kind)];
    const own = (all: Refusals): Refusals => all.filter(({ code = '' }) => !codes.has(code));
    const isOneOfMany = own(before).length < before.length && own(after).length < after.length;
    return (
      unreadableDifference(kind, before, after) ??
      servedDifference(kind, before, after) ??
      codeDifference(kind, { was: own(before), is: own(after) }, isOneOfMany)
    );
  });
  return present([
    ofKinds,
    shared.map((pair) => (pair.was.code === '' ? [] : [statusDifference(pair), memberDifferences(pair)])),
    shared.length === 0 && kindDifference(was, is),
    typeDifference(was, is),
    headerDifferences(was, is),
  ]);
}

function kindsOf(all: Refusals): RefusalKind[] {
  return [...new Set(all.map(({ kind }) => kind))];
}

function ofKind(all: Refusals, kind: RefusalKind): Refusals {
  return all.filter((one) => one.kind === kind);
}

function byCode(all: Refusals) {
  const groups = Map.groupBy(all, ({ code = '' }) => code);
  return [...groups].map(([code, own]) => ({ code, all: own, answers: answersOf(own) }));
}

function answersOf(all: Refusals): number {
  return all.reduce((sum, { answers }) => sum + answers, 0);
}

function unreadableDifference(kind: string, was: Refusals, is: Refusals): Difference | undefined {
  const broken = is.filter(({ around }) => around !== undefined);
  if (was.length === 0 || broken.length === 0 || was.some(({ around }) => around !== undefined))
    return undefined;
  // Where others are refused as before, a status that none had may be that of a server before the site, such as 414.
  const isOther =
    broken.length < is.length && broken.every(({ status }) => was.every((one) => one.status !== status));
  return differing('answer-unreadable', `the body of "${kind}"`, isOfUse(kind) && !isOther, {
    before: 'JSON',
    after: either(broken.flatMap(({ around = {} }) => Object.keys(around))),
    evidence: shares('refusal', [0, answersOf(was)], [answersOf(broken), answersOf(is)]),
    asked: askedOf(broken),
    isRoot: true,
  });
}

/** Refusals that look otherwise now, by default with another status. */
function changed(
  subject: string,
  { was, is }: Pair<Refusals>,
  isSure: boolean,
  rest: Pick<Difference, 'together' | 'before' | 'after'> = {},
): Difference {
  const shown = { before: statusesOf(was), after: statusesOf(is), ...rest };
  return differing('refusal-changed', subject, isSure, { ...shown, asked: askedOf(is), isRoot: true });
}

/** The effect of a change that several routes show, each in too few answers. */
function togetherOf(was: Refusals, effect: Effect = 'incomparable'): Pick<Difference, 'together'> {
  return { together: areOfUse(was) ? effect : undefined };
}

/** Callers fail at a server error whatever it says. */
function isOfUse(kind: string): boolean {
  return kind !== 'server error';
}

function areOfUse(all: Refusals): boolean {
  return all.some(({ kind }) => isOfUse(kind));
}

/** From this status on, an answer is no success. */
const LEAST_FAILURE = 400;

/** Kinds of refusals of what no site has. Clients learn from them that a plugin is missing, or that a list ends. */
const OF_NOTHING: readonly RefusalKind[] = ['unknown route', 'page beyond the last'];

/** What no site has, and is answered now. */
function servedDifference(kind: RefusalKind, was: Refusals, is: Refusals): Difference | undefined {
  // Without its path, it is a route that the contract knows, and that the index no longer lists.
  const served = is.filter(({ status, asked }) => status < LEAST_FAILURE && asked !== undefined);
  const isRefused = was.length > 0 && was.every(({ status }) => status >= LEAST_FAILURE);
  if (!OF_NOTHING.includes(kind) || !isRefused || served.length === 0) return undefined;
  return changed(`the status of "${kind}"`, { was, is: served }, true);
}

function statusesOf(all: Refusals): string {
  return either(all.map(({ status }) => status));
}

function askedOf(refusals: Refusals): string | undefined {
  return refusals.find((one) => one.asked !== undefined)?.asked;
}

/** Codes that only one side has. @param isOneOfMany whether others kept theirs, so that a few have other reasons */
function codeDifference(
  kind: string,
  { was, is }: Pair<Refusals>,
  isOneOfMany: boolean,
): Difference | undefined {
  const codesOf = (all: Refusals): Set<string> => new Set(all.map(({ code = 'none' }) => code));
  const [then, now] = [codesOf(was), codesOf(is)];
  if (then.size === 0 || now.size === 0) return undefined;
  const fewest = Math.min(answersOf(was), answersOf(is));
  // Access may be denied to one record only.
  const isOfRecord = kind === 'denied' && was.some(({ route }) => route.includes('{'));
  if (isOfRecord && fewest < LEAST) return undefined;
  const isSame = was.some(
    ({ asked = '{' }) => !LEFT_OPEN.test(asked) && is.some((one) => one.asked === asked),
  );
  if (isOneOfMany && !isSame && fewest < FEW) return undefined;
  const isOne = then.size === 1 && now.size === 1;
  // What a site says of a route that it does not have depends on nothing else.
  const isEnough = fewest >= LEAST || (isSame && kind === 'unknown route');
  return changed(`the code of "${kind}"`, { was, is }, isOne && isEnough && isOfUse(kind), {
    together: isOne && isOfUse(kind) ? 'incomparable' : undefined,
    before: either([...then]),
    after: either([...now]),
  });
}

function statusDifference({ was, is }: Pair<ByCode>): Difference | undefined {
  if (is.all.some(({ status }) => was.all.some((one) => one.status === status))) return undefined;
  const kinds = either(was.all.map(({ kind }) => `"${kind}"`));
  const sides = { was: was.all, is: is.all };
  return changed(`the status of ${kinds}`, sides, isOften(was.all, is.all), togetherOf(was.all));
}

function isOften(was: Refusals, is: Refusals): boolean {
  return Math.min(answersOf(was), answersOf(is)) >= LEAST && areOfUse(was);
}

/** Kinds of refusals that depend on the content of a site, because arguments come from its records. */
const OF_CONTENT: readonly RefusalKind[] = ['invalid argument', 'unknown record'];

function kindDifference(was: Refusals, is: Refusals): Difference | undefined {
  const only = (all: Refusals, other: Refusals): Refusals =>
    all.filter(({ kind }) => !other.some((one) => one.kind === kind));
  const [gone, came] = [only(was, is), only(is, was)];
  const [[kind, ...kinds], [other, ...others]] = [kindsOf(gone), kindsOf(came)];
  if (kind === undefined || other === undefined || kinds.length + others.length > 0) return undefined;
  // A route without path parameters names no record: it is hidden.
  const isHidden = other === 'unknown record' && came.every(({ route }) => !route.includes('{'));
  if (OF_CONTENT.includes(other) && !isHidden) return undefined;
  const isSure = other === 'server error' || (isHidden && isOften(gone, came));
  return changed(`the answer to "${kind}"`, { was: gone, is: came }, isSure, {
    ...(isHidden ? { together: 'incomparable' } : { after: `${statusesOf(came)}, "${other}"` }),
  });
}

function typeDifference(was: Refusals, is: Refusals): Difference | undefined {
  const typesOf = (all: Refusals): string[] =>
    all.flatMap(({ types }) => Object.keys(types).map((type) => type.replaceAll(/\s+/g, '')));
  const [then, now] = [typesOf(was), typesOf(is)];
  const isKnown = then.length > 0 && now.length > 0 && ![...then, ...now].includes('none');
  const isReadable = [...was, ...is].every(({ around }) => around === undefined);
  if (!isKnown || !isReadable || now.some((type) => then.includes(type))) return undefined;
  return differing('refusal-changed', 'the content type of refusals', isOften(was, is), {
    ...togetherOf(was),
    before: either(then),
    after: either(now),
    asked: askedOf(is),
  });
}

/** Headers that all refusals of a kind had and none has now: for scripts of other sites, or to learn how to log in. */
function headerDifferences(was: Refusals, is: Refusals): Difference[] {
  return kindsOf(was).flatMap((kind) => {
    const [before, after] = [ofKind(was, kind), ofKind(is, kind)];
    if (after.length === 0) return [];
    const seen = (all: Refusals, name: string): number =>
      all.reduce((sum, { headers = {} }) => sum + (headers[name] ?? 0), 0);
    const [asked, askedNow] = [answersOf(before), answersOf(after)];
    const isLost = (name: string): boolean => seen(before, name) === asked && seen(after, name) === 0;
    const lost = textsOf('observed').refused.filter(isLost);
    return lost.map((name) =>
      differing('header-removed', name + SUBJECTS.ofRefusals, Math.min(asked, askedNow) >= FEW, {
        together: 'widens',
        evidence: shares('refusal', [asked, asked], [0, askedNow]),
        asked: askedOf(after),
      }),
    );
  });
}

function memberDifferences({ was, is }: Pair<ByCode>): Difference[] {
  const isConclusive = isOften(was.all, is.all);
  const [then, now] = [membersOf(was), membersOf(is)];
  const retyped = then.always.filter((name) => {
    const [types, typesNow] = [then.typesOf(name), now.typesOf(name)];
    const isKnown = types.length > 0 && typesNow.length > 0 && now.always.includes(name);
    return isKnown && !typesNow.some((type) => types.includes(type));
  });
  const gone = (one: Members, other: Members): string[] =>
    one.always.filter((name) => {
      const parent = name.slice(0, Math.max(0, name.lastIndexOf('.')));
      const isParentKept = other.always.includes(parent) && !retyped.includes(parent);
      return !other.any.has(name) && (parent === '' || isParentKept);
    });
  const subject = (name: string): string => `${name} of "${was.code}"`;
  const asked = askedOf(is.all);
  return [
    ...retyped.map((name) =>
      differing('refusal-changed', subject(name), isConclusive, {
        ...togetherOf(was.all),
        before: either(then.typesOf(name)),
        after: either(now.typesOf(name)),
        asked,
      }),
    ),
    ...gone(then, now).map((name) =>
      differing('refusal-member-removed', subject(name), isConclusive, {
        ...togetherOf(was.all, 'widens'),
        evidence: shares('refusal', [was.answers, was.answers], [0, is.answers]),
        asked,
      }),
    ),
    ...gone(now, then).map((name) => differing('refusal-member-added', subject(name), true, { asked })),
  ];
}

type Members = ReturnType<typeof membersOf>;

function membersOf({ all, answers }: ByCode) {
  const counts = new Map<string, number>();
  for (const [name, count = 0] of all.flatMap(({ members }) => Object.entries(members)))
    counts.set(name, (counts.get(name) ?? 0) + count);
  const values = all.flatMap(({ values: noted = {} }) => Object.keys(noted));
  return {
    always: [...counts].flatMap(([name, count]) => (count === answers ? [name] : [])).sort(),
    any: new Set(counts.keys()),
    typesOf: (name: string): string[] =>
      values.flatMap((value) => (value.startsWith(`${name} `) ? [value.slice(name.length + 1)] : [])),
  };
}
