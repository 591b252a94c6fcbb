import type { RefusalNotes } from '../../engine/result.ts';
import { type Difference, either, evidence, type Pair, share } from './difference.ts';

type Refusals = readonly RefusalNotes[];

/** Refusals of one code on one route. */
interface ByCode {
  readonly code: string;
  readonly all: Refusals;
  readonly answers: number;
}

/** So few refusals may be other ones than before. */
const LEAST = 2;

/** What became of the refusals of one method of a route to one caller: their code, status, members, and what they are. */
export function compareRefusals({ was, is }: Pair<Refusals>): Difference[] {
  const [then, now] = [byCode(was), byCode(is)];
  const shared = then.flatMap((one): Pair<ByCode>[] => {
    const other = now.find(({ code }) => code === one.code);
    return other === undefined ? [] : [{ was: one, is: other }];
  });
  const codes = new Set(shared.map(({ was: { code } }) => code));
  return [...new Set([...was, ...is].map(({ kind }) => kind))]
    .flatMap((kind): Difference[] => {
      const of = (all: Refusals): Refusals => all.filter((one) => one.kind === kind);
      const [before, after] = [of(was), of(is)];
      const unreadable = unreadableDifference(kind, before, after);
      if (unreadable !== undefined) return [unreadable];
      const own = (all: Refusals): Refusals => all.filter(({ code = '' }) => !codes.has(code));
      return codeDifference(kind, own(before), own(after));
    })
    .concat(shared.flatMap((pair) => [...statusDifference(pair), ...memberDifferences(pair)]));
}

function byCode(all: Refusals): ByCode[] {
  return [...new Set(all.map(({ code = '' }) => code))].map((code) => {
    const own = all.filter((one) => (one.code ?? '') === code);
    return { code, all: own, answers: answersOf(own) };
  });
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

/** A read that is refused so now, where one is noted: both sides can be asked the same. */
function askedOf(refusals: Refusals): Pick<Difference, 'asked'> {
  const asked = refusals.find((one) => one.asked !== undefined)?.asked;
  return asked === undefined ? {} : { asked };
}

/** Codes that one side alone has, for refusals of the same kind. */
function codeDifference(kind: string, was: Refusals, is: Refusals): Difference[] {
  const [then, now] = [was, is].map((all) => [...new Set(all.map(({ code = 'none' }) => code))].sort());
  if (then === undefined || now === undefined || then.length === 0 || now.length === 0) return [];
  const [first, other] = [answersOf(was), answersOf(is)];
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

/** Members that each refusal with a code had and none has, and the other way round. */
function memberDifferences({ was, is }: Pair<ByCode>): Difference[] {
  if (Math.min(was.answers, is.answers) < LEAST) return [];
  const [then, now] = [membersOf(was), membersOf(is)];
  const gone = (one: Members, other: Members): string[] =>
    one.always.filter((name) => {
      const parent = name.slice(0, Math.max(0, name.lastIndexOf('.')));
      return !other.any.has(name) && (parent === '' || other.always.includes(parent));
    });
  return [
    ...gone(then, now).map(
      (name): Difference => ({
        kind: 'refusal-member-removed',
        effect: 'widens',
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
  };
}
