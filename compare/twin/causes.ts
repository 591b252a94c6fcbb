import type { RequestSpec } from '../../client/observation.ts';
import type { Operation } from '../../specs/model.ts';
import type { Exchange } from '../change.ts';
import { classOfKind } from '../kinds.ts';
import { CLASSES } from '../law.ts';
import type { Found } from './answers.ts';
import type { TwinRead } from './reads.ts';
import { type Args, isListed } from './sets.ts';

/** The smallest set of arguments that shows a difference of a list. */
export interface Cause {
  readonly list: TwinRead;
  readonly operation: Operation;
  readonly args: Args;
  readonly found: Found;
  /** Who is answered otherwise, where the user is not. */
  readonly caller?: 'anonymous';
  /** Whether it shows only beside one of several other arguments. */
  readonly isBeside?: true;
  /** The request that shows it. */
  readonly spec: RequestSpec;
  readonly exchange: Exchange;
}

/** In words, who is answered otherwise where the user is not. */
export const ANONYMOUS = 'to an anonymous caller';

const GRAVEST = ['list-answer', 'list-records', 'list-totals', 'list-order'];

function gravityOf({ found: { kind, effect } }: Cause): number {
  return CLASSES.indexOf(classOfKind(kind, effect));
}

/** One cause for each set of names, and none for one that holds another: several values of a name are one cause. */
export function byCause(all: readonly Cause[]): Cause[] {
  const alike = Map.groupBy(all, ({ args }) => Object.keys(args).toSorted().join());
  const merged = [...alike.values()].flatMap((some): Cause[] => {
    const [worst] = some.toSorted(
      (one, other) =>
        gravityOf(one) - gravityOf(other) ||
        GRAVEST.indexOf(one.found.kind) - GRAVEST.indexOf(other.found.kind),
    );
    if (worst === undefined) return [];
    const isOne = some.every(({ args }) => JSON.stringify(args) === JSON.stringify(worst.args));
    if (isOne || some.length === 1) return [worst];
    const names = Object.keys(worst.args).filter((name) => isListed(worst.operation, name));
    const varying = names.filter(
      (name) => new Set(some.map(({ args }) => JSON.stringify(args[name]))).size > 1,
    );
    return [{ ...worst, args: { ...worst.args, ...Object.fromEntries(varying.map((name) => [name, ANY])) } }];
  });
  return oneOfMany(merged).filter(
    (one) =>
      !merged.some(
        (other) =>
          other !== one &&
          other.isBeside !== true &&
          Object.keys(other.args).length > 0 &&
          Object.keys(other.args).length < Object.keys(one.args).length &&
          Object.entries(other.args).every(
            ([name, value]) => name in one.args && (value === ANY || !isListed(one.operation, name)),
          ),
      ),
  );
}

/** An argument that shows a difference beside several others is one cause. */
function oneOfMany(all: readonly Cause[]): Cause[] {
  const several = all.filter(({ args }) => Object.keys(args).length > 1);
  const partners = Map.groupBy(
    several.flatMap((one) => Object.keys(one.args).map((name) => ({ name, one }))),
    ({ name }) => name,
  );
  const [most] = [...partners].toSorted(([, some], [, others]) => others.length - some.length);
  if (most === undefined || most[1].length < 2) return [...all];
  const [name, some] = most;
  const joined = new Set(some.map(({ one }) => one));
  const [first] = all.filter((one) => joined.has(one));
  const rest = oneOfMany(all.filter((one) => !joined.has(one)));
  return first === undefined
    ? rest
    : [...rest, { ...first, args: { [name]: first.args[name] }, isBeside: true }];
}

/** Stands for several values of an argument. */
const ANY: unique symbol = Symbol('any');

/** The arguments of a cause in words: listed values are named, others depend on the site. */
export function describeCause({ args, operation, isBeside, caller }: Cause): string {
  const words = Object.entries(args)
    .map(([name, value]) =>
      value === ANY || !isListed(operation, name)
        ? `\`${name}\``
        : `\`${name}=${Array.isArray(value) ? value.join() : String(value)}\``,
    )
    .toSorted((one, other) => Number(other.includes('=')) - Number(one.includes('=')));
  const [first, ...more] = words;
  if (first === undefined) return caller === undefined ? 'without arguments' : ANONYMOUS;
  if (isBeside === true) return `${first} beside other arguments`;
  return more.length === 0 ? first : `${first} with ${more.join(' and ')}`;
}
