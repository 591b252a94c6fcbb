import type { QueryPair } from '../../client/address.ts';
import type { RequestSpec } from '../../client/observation.ts';
import { groupsBy } from '../../engine/text.ts';
import { type Args, encodeArgs } from '../../generators/wire-forms.ts';
import type { Exchange } from '../change.ts';
import { CLASSES, classOfKind } from '../law.ts';
import { type Drawing, isListed, setsOf } from './argument-sets.ts';
import type { SharedContent } from './content.ts';
import { differenceOf, isRepeated, type ListDifference, type TwinRead } from './records.ts';
import type { ValueNotes } from './values.ts';

/** Sends sets of arguments to both sites, and shrinks differences. */
export class ArgumentSearch {
  readonly #content: SharedContent;
  readonly #values: ValueNotes;
  /** The outcome of each request, because different sets shrink to the same ones. */
  readonly #known = new Map<string, Promise<ListDifference | undefined>>();
  /** How many sets were sent, and how many differences a site did not show again. */
  sets = 0;
  unrepeated = 0;

  constructor(content: SharedContent, values: ValueNotes) {
    this.#content = content;
    this.#values = values;
  }

  /** Sends a read with sets of arguments. @returns causes, each with the smallest set that shows it */
  async causesOf(read: TwinRead, drawing: Drawing): Promise<ArgumentCause[]> {
    if (read.operation === undefined) return [];
    const records = this.#content.recordsOf(read)?.records ?? [];
    const sameIds = this.#content.hasSameIds;
    const causes = new Map<string, ArgumentCause>();
    for (const args of setsOf(read, records, { ...drawing, sameIds })) {
      this.sets += 1;
      if ((await this.#compare(read, args)) === undefined) continue;
      const smallest = await this.#shrink(read, args);
      const found = await this.#compare(read, smallest);
      if (found === undefined) continue;
      const spec = this.#content.sites.before.specOf(read.route, encodeArgs(smallest));
      const exchange = this.#content.sites.exchange(spec);
      causes.set(JSON.stringify(smallest), { list: read, args: smallest, found, spec, exchange });
    }
    return byCause([...causes.values()]);
  }

  /** Finds the smallest set that shows a difference, by leaving out one argument at a time. */
  async #shrink(read: TwinRead, args: Args): Promise<Args> {
    for (const name of Object.keys(args)) {
      const { [name]: _, ...fewer } = args;
      if ((await this.#compare(read, fewer)) !== undefined) return this.#shrink(read, fewer);
    }
    return args;
  }

  #compare(read: TwinRead, args: Args): Promise<ListDifference | undefined> {
    const query = encodeArgs(args);
    const key = JSON.stringify([read.route, query]);
    const known = this.#known.get(key) ?? this.compareOne(read, query);
    this.#known.set(key, known);
    return known;
  }

  /** The difference between the answers to one query, if it shows twice. */
  async compareOne(read: TwinRead, query: readonly QueryPair[]): Promise<ListDifference | undefined> {
    const spec = this.#content.sites.before.specOf(read.route, query);
    const pairs = this.#content.recordsOf(read)?.pairs;
    if (pairs === undefined || (!pairs.isEqual && this.#content.isPaged(spec))) return undefined;
    const both = await this.#content.sites.ask(spec);
    const found = differenceOf(both.was, both.is, pairs);
    if (found === undefined) {
      if (both.was.answer === both.is.answer) this.#content.sites.note(both);
      await this.#values.note(both);
      return undefined;
    }
    const again = await this.#content.sites.ask(spec);
    if (isRepeated(both.was, again.was) && isRepeated(both.is, again.is)) return found;
    this.unrepeated += 1;
    return undefined;
  }
}

/** The smallest set of arguments that shows a difference of a list. */
export interface ArgumentCause {
  readonly list: TwinRead;
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
function byCause(all: readonly ArgumentCause[]): ArgumentCause[] {
  const merged = groupsBy(all, ({ args }) => Object.keys(args).toSorted().join()).map(mergeValues);
  return joinPartners(merged).filter((one) => !merged.some((other) => other !== one && explains(other, one)));
}

/** The gravest of some causes with the same arguments, and which of these vary. */
function mergeValues(some: readonly ArgumentCause[]): ArgumentCause {
  const worst = some.reduce((one, other) => (rankOf(other) < rankOf(one) ? other : one));
  const varying = Object.keys(worst.args).filter(
    (name) => new Set(some.map(({ args }) => JSON.stringify(args[name]))).size > 1,
  );
  return varying.length === 0 ? worst : { ...worst, varying };
}

/** Joins causes of an argument that needs any of several others, the most frequent argument first. */
function joinPartners(all: readonly ArgumentCause[]): ArgumentCause[] {
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
function explains(fewer: ArgumentCause, more: ArgumentCause): boolean {
  const names = Object.keys(fewer.args);
  return (
    names.length > 0 &&
    names.length < Object.keys(more.args).length &&
    names.every((name) => name in more.args && isNamedAlone(fewer, name))
  );
}

/** Whether an argument is named alone, because its value depends on the site or several show the difference. */
function isNamedAlone({ list, varying = [] }: ArgumentCause, name: string): boolean {
  return varying.includes(name) || !isListed(list, name);
}

const GRAVEST = ['list-answer', 'list-records', 'list-totals', 'list-order'];

function rankOf({ found: { kind, effect } }: ArgumentCause): number {
  return CLASSES.indexOf(classOfKind(kind, effect)) * GRAVEST.length + GRAVEST.indexOf(kind);
}

/** The arguments of a cause in words. Only declared values are named, because others depend on the site. */
export function describeCause(cause: ArgumentCause): string {
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
