import type { RequestSpec } from '../../client/observation.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Operation } from '../../specs/model.ts';
import type { Exchange } from '../change.ts';
import { CLASSES, classOfKind } from '../law.ts';
import type { TwinRead } from './reads.ts';
import type { ListDifference } from './records.ts';
import { isListed } from './sets.ts';

/** The smallest set of arguments that shows a difference of a list. */
export interface Cause {
  readonly list: TwinRead;
  readonly operation: Operation;
  readonly args: Args;
  /** Arguments of which several values show it. */
  readonly varying?: readonly string[];
  readonly found: ListDifference;
  /** Who receives the other answer, if not the user. */
  readonly caller?: 'anonymous';
  /** Whether it shows only with one of several other arguments. */
  readonly isBeside?: true;
  readonly spec: RequestSpec;
  readonly exchange: Exchange;
}

/** Names the caller in words. */
export const ANONYMOUS = 'to an anonymous caller';

/** One cause for each set of names that holds no other, or for an argument that needs any of several others. */
export function byCause(all: readonly Cause[]): Cause[] {
  const alike = Map.groupBy(all, ({ args }) => Object.keys(args).toSorted().join());
  const merged = [...alike.values()].flatMap(mergeValues);
  return joinPartners(merged).filter((one) => !merged.some((other) => other !== one && explains(other, one)));
}

/** Merges causes with the same names into the gravest, and notes arguments with several values. */
function mergeValues(some: readonly Cause[]): Cause[] {
  const [worst] = some.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (worst === undefined) return [];
  const varying = Object.keys(worst.args).filter(
    (name) => new Set(some.map(({ args }) => JSON.stringify(args[name]))).size > 1,
  );
  return [varying.length === 0 ? worst : { ...worst, varying }];
}

/** Joins causes of an argument that needs any of several others, the most frequent argument first. */
function joinPartners(all: readonly Cause[]): Cause[] {
  const several = all.filter(({ args }) => Object.keys(args).length > 1);
  const names = several.flatMap(({ args }) => Object.keys(args));
  const frequency = Map.groupBy(names, (name) => name);
  const [most] = [...frequency].toSorted(([, some], [, others]) => others.length - some.length);
  if (most === undefined || most[1].length < 2) return [...all];
  const [name] = most;
  const [first, ...joined] = several.filter(({ args }) => name in args);
  if (first === undefined) return [...all];
  const rest = all.filter((one) => one !== first && !joined.includes(one));
  return [...joinPartners(rest), { ...first, args: { [name]: first.args[name] }, isBeside: true }];
}

/** Whether fewer arguments already explain a difference, with any values or with the same ones. */
function explains(fewer: Cause, more: Cause): boolean {
  const names = Object.keys(fewer.args);
  return (
    names.length > 0 &&
    names.length < Object.keys(more.args).length &&
    names.every((name) => name in more.args && isNamedAlone(fewer, name))
  );
}

/** Whether an argument is named alone, because its value depends on the site or several show the difference. */
function isNamedAlone({ operation, varying = [] }: Cause, name: string): boolean {
  return varying.includes(name) || !isListed(operation, name);
}

const GRAVEST = ['list-answer', 'list-records', 'list-totals', 'list-order'];

function rankOf({ found: { kind, effect } }: Cause): number {
  return CLASSES.indexOf(classOfKind(kind, effect)) * GRAVEST.length + GRAVEST.indexOf(kind);
}

/** The arguments of a cause in words. Only declared values are named, because others depend on the site. */
export function describeCause(cause: Cause): string {
  const { args, isBeside, caller } = cause;
  const { false: valued = [], true: named = [] } = Object.groupBy(Object.entries(args), ([name]) =>
    isNamedAlone(cause, name) ? 'true' : 'false',
  );
  const [first, ...more] = [
    ...valued.map(([name, value]) => `\`${name}=${[value].flat().join()}\``),
    ...named.map(([name]) => `\`${name}\``),
  ];
  if (first === undefined) return caller === undefined ? 'without arguments' : ANONYMOUS;
  if (isBeside === true) return `${first} beside other arguments`;
  return more.length === 0 ? first : `${first} with ${more.join(' and ')}`;
}
