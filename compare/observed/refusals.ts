import type { RefusalKind, RefusalNotes } from '../../client/observed/document.ts';
import { loadObservedNames } from '../../specs/texts.ts';
import { type Difference, either, evidence, FEW, type Pair, pairsOf, share } from './difference.ts';

type Refusals = readonly RefusalNotes[];

/** Refusals with one code on one route. */
interface ByCode {
  readonly code: string;
  readonly all: Refusals;
  readonly answers: number;
}

/** Added to the name of a header that only refusals lack. */
export const OF_REFUSALS = ' of refusals';

/** Fewer refusals may have other reasons than before. */
const LEAST = 2;

/** Placeholders in a noted request. */
const LEFT_OPEN = /[A-Z{]/;

/** Changes in the refusals of one method of a route to one caller: code, status, members and type. */
export function compareRefusals({ was, is }: Pair<Refusals>): Difference[] {
  const shared = pairsOf(byCode(was), byCode(is), ({ code }) => code);
  const codes = new Set(shared.map(({ was: { code } }) => code));
  return [...new Set([...was, ...is].map(({ kind }) => kind))]
    .flatMap((kind): Difference[] => {
      const of = (all: Refusals): Refusals => all.filter((one) => one.kind === kind);
      const [before, after] = [of(was), of(is)];
      const unreadable = unreadableDifference(kind, before, after);
      if (unreadable !== undefined) return [unreadable];
      const own = (all: Refusals): Refusals => all.filter(({ code = '' }) => !codes.has(code));
      const isOneOfMany = own(before).length < before.length && own(after).length < after.length;
      return codeDifference(kind, { was: own(before), is: own(after) }, isOneOfMany);
    })
    .concat(shared.flatMap((pair) => [...statusDifference(pair), ...memberDifferences(pair)]))
    .concat(shared.length === 0 ? kindDifference(was, is) : [])
    .concat(typeDifference(was, is), headerDifferences(was, is));
}

function byCode(all: Refusals): ByCode[] {
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
  return {
    kind: 'answer-unreadable',
    effect: 'incomparable',
    subject: `the body of "${kind}"`,
    before: 'JSON',
    after: either([...new Set(broken.flatMap(({ around = {} }) => Object.keys(around)))]),
    evidence: evidence(
      share(0, answersOf(was), 'refusal'),
      share(answersOf(broken), answersOf(is), 'refusal'),
    ),
    ...askedOf(broken),
    isRoot: true,
  };
}

/** A refused read, if one is noted, to repeat on both sides. */
function askedOf(refusals: Refusals): Pick<Difference, 'asked'> {
  const asked = refusals.find((one) => one.asked !== undefined)?.asked;
  return asked === undefined ? {} : { asked };
}

/**
 * Codes that only one side has, for refusals of the same kind.
 * @param isOneOfMany whether other refusals of that kind kept their code; then a few have other reasons, which depend
 * on the drawn values, unless both sides sent the same
 */
function codeDifference(kind: string, { was, is }: Pair<Refusals>, isOneOfMany: boolean): Difference[] {
  const [then, now] = [was, is].map((all) => [...new Set(all.map(({ code = 'none' }) => code))].sort());
  if (then === undefined || now === undefined || then.length === 0 || now.length === 0) return [];
  const [first, other] = [answersOf(was), answersOf(is)];
  // Access may be denied to one record only.
  const isOfRecord = kind === 'denied' && was.some(({ route }) => route.includes('{'));
  if (isOfRecord && Math.min(first, other) < LEAST) return [];
  const isSame = was.some(
    ({ asked = '{' }) => !LEFT_OPEN.test(asked) && is.some((one) => one.asked === asked),
  );
  if (isOneOfMany && !isSame && Math.min(first, other) < FEW) return [];
  return [
    {
      kind: 'refusal-changed',
      effect:
        Math.min(first, other) >= LEAST && then.length === 1 && now.length === 1 ? 'incomparable' : 'unknown',
      ...(then.length === 1 && now.length === 1 && { together: 'incomparable' as const }),
      subject: `the code of "${kind}"`,
      before: either(then),
      after: either(now),
      ...askedOf(is),
      isRoot: true,
    },
  ];
}

function statusDifference({ was, is }: Pair<ByCode>): Difference[] {
  if (was.code === '') return [];
  const statuses = ({ all }: ByCode): string[] => [...new Set(all.map(({ status }) => String(status)))];
  const [then, now] = [statuses(was), statuses(is)];
  if (now.some((status) => then.includes(status))) return [];
  const kinds = [...new Set(was.all.map(({ kind }) => `"${kind}"`))];
  return [
    {
      kind: 'refusal-changed',
      effect: Math.min(was.answers, is.answers) >= LEAST ? 'incomparable' : 'unknown',
      together: 'incomparable',
      subject: `the status of ${either(kinds)}`,
      before: either(then),
      after: either(now),
      ...askedOf(is.all),
      isRoot: true,
    },
  ];
}

/** Kinds of refusals that depend on the content of a site, because arguments come from its records. */
const OF_CONTENT: readonly RefusalKind[] = ['invalid argument', 'unknown record'];

/** A kind of refusal that became another one with another code. */
function kindDifference(was: Refusals, is: Refusals): Difference[] {
  const only = (all: Refusals, other: Refusals): Refusals =>
    all.filter(({ kind }) => !other.some((one) => one.kind === kind));
  const [gone, came] = [only(was, is), only(is, was)];
  const [then, now] = [gone, came].map((all) => [...new Set(all.map(({ kind }) => kind))]);
  const [kind, other] = [then?.[0], now?.[0]];
  if (kind === undefined || other === undefined || then?.length !== 1 || now?.length !== 1) return [];
  if (OF_CONTENT.includes(other)) return [];
  const statuses = (all: Refusals): string => either([...new Set(all.map(({ status }) => String(status)))]);
  return [
    {
      kind: 'refusal-changed',
      effect: other === 'server error' ? 'incomparable' : 'unknown',
      subject: `the answer to "${kind}"`,
      before: statuses(gone),
      after: `${statuses(came)}, "${other}"`,
      ...askedOf(came),
      isRoot: true,
    },
  ];
}

/** The content type of all refusals. */
function typeDifference(was: Refusals, is: Refusals): Difference[] {
  const typesOf = (all: Refusals): string[] => [
    ...new Set(all.flatMap(({ types }) => Object.keys(types).map((type) => type.replaceAll(/\s+/g, '')))),
  ];
  const [then, now] = [typesOf(was), typesOf(is)];
  const isKnown = then.length > 0 && now.length > 0 && ![...then, ...now].includes('none');
  const isReadable = [...was, ...is].every(({ around }) => around === undefined);
  if (!isKnown || !isReadable || now.some((type) => then.includes(type))) return [];
  return [
    {
      kind: 'refusal-changed',
      effect: Math.min(answersOf(was), answersOf(is)) >= LEAST ? 'incomparable' : 'unknown',
      together: 'incomparable',
      subject: 'the content type of refusals',
      before: either(then),
      after: either(now),
      ...askedOf(is),
    },
  ];
}

/**
 * Headers that all refusals of a kind had and none has now. Scripts of other sites cannot read such refusals, or
 * callers do not learn how to log in.
 */
function headerDifferences(was: Refusals, is: Refusals): Difference[] {
  return [...new Set(was.map(({ kind }) => kind))].flatMap((kind) => {
    const [before, after] = [was, is].map((all) => all.filter((one) => one.kind === kind));
    if (before === undefined || after === undefined || after.length === 0) return [];
    const seen = (all: Refusals, name: string): number =>
      all.reduce((sum, { headers = {} }) => sum + (headers[name] ?? 0), 0);
    const [asked, askedNow] = [answersOf(before), answersOf(after)];
    return loadObservedNames()
      .refused.filter((name) => seen(before, name) === asked && seen(after, name) === 0)
      .map(
        (name): Difference => ({
          kind: 'header-removed',
          effect: Math.min(asked, askedNow) >= FEW ? 'widens' : 'unknown',
          together: 'widens',
          subject: `${name}${OF_REFUSALS}`,
          evidence: evidence(share(asked, asked, 'refusal'), share(0, askedNow, 'refusal')),
          ...askedOf(after),
        }),
      );
  });
}

/** Members that each refusal with a code had and none has now, and the reverse. */
function memberDifferences({ was, is }: Pair<ByCode>): Difference[] {
  if (was.code === '') return [];
  const isConclusive = Math.min(was.answers, is.answers) >= LEAST;
  const [then, now] = [membersOf(was), membersOf(is)];
  const retyped = then.always.filter((name) => {
    const [types, typesNow] = [then.typesOf(name), now.typesOf(name)];
    const isKnown = types.length > 0 && typesNow.length > 0 && now.always.includes(name);
    return isKnown && !typesNow.some((type) => types.includes(type));
  });
  const gone = (one: Members, other: Members): string[] =>
    one.always.filter((name) => {
      const parent = name.slice(0, Math.max(0, name.lastIndexOf('.')));
      return (
        !other.any.has(name) &&
        (parent === '' || (other.always.includes(parent) && !retyped.includes(parent)))
      );
    });
  return [
    ...retyped.map(
      (name): Difference => ({
        kind: 'refusal-changed',
        effect: isConclusive ? 'incomparable' : 'unknown',
        together: 'incomparable',
        subject: `${name} of "${was.code}"`,
        before: either(then.typesOf(name)),
        after: either(now.typesOf(name)),
        ...askedOf(is.all),
      }),
    ),
    ...gone(then, now).map(
      (name): Difference => ({
        kind: 'refusal-member-removed',
        effect: isConclusive ? 'widens' : 'unknown',
        together: 'widens',
        subject: `${name} of "${was.code}"`,
        evidence: evidence(share(was.answers, was.answers, 'refusal'), share(0, is.answers, 'refusal')),
        ...askedOf(is.all),
      }),
    ),
    ...gone(now, then).map(
      (name): Difference => ({
        kind: 'refusal-member-added',
        effect: 'narrows',
        subject: `${name} of "${was.code}"`,
        ...askedOf(is.all),
      }),
    ),
  ];
}

interface Members {
  readonly always: readonly string[];
  readonly any: ReadonlySet<string>;
  /** The types of a member's values; empty if they are not noted. */
  typesOf(name: string): string[];
}

function membersOf({ all, answers }: ByCode): Members {
  const counts = new Map<string, number>();
  for (const { members } of all) {
    for (const [name, count = 0] of Object.entries(members))
      counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return {
    always: [...counts].flatMap(([name, count]) => (count === answers ? [name] : [])).sort(),
    any: new Set(counts.keys()),
    typesOf: (name) => [
      ...new Set(
        all.flatMap(({ values = {} }) =>
          Object.keys(values).flatMap((value) =>
            value.startsWith(`${name} `) ? [value.slice(name.length + 1)] : [],
          ),
        ),
      ),
    ],
  };
}
