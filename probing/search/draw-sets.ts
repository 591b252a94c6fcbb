import { createHash } from 'node:crypto';
import type { KeptSet } from '../../engine/fuzz-options.ts';
import type { Session } from '../../engine/session.ts';
import type { FuzzSet } from './fuzz-set.ts';

/** A value that is another one in each run, such as the id of a new record, and what kind it is. */
interface OwnValue {
  readonly kind: string;
  readonly value: unknown;
}

/**
 * The sets of a search but for those that it replays: kept ones, those that the seed of the run draws, and, beside a baseline,
 * some that the baseline did not ask.
 * @param draw so many sets with a seed; @param own values that do not make a set another one
 */
export function drawSets(
  { fuzz, seed }: Pick<Session, 'fuzz' | 'seed'>,
  check: string,
  draw: (examples: number, seed: number) => readonly FuzzSet[],
  own: readonly OwnValue[] = [],
): FuzzSet[] {
  const { further } = fuzz;
  const kept = fuzz.kept
    .filter((one) => one.check === check && one.known !== true)
    .map((one): FuzzSet => (further === undefined ? setOf(one) : { ...setOf(one), phase: 'further' }));
  const drawn = draw(fuzz.examples, seed).map((set): FuzzSet => ({ ...set, key: keyOf(set, own) }));
  if (further === undefined || further.share === 0) return [...kept, ...drawn];
  const asked = new Set(drawn.map(({ key }) => key));
  const others = draw(further.examples, further.seed);
  const chance = chanceOf(`${check} ${further.seed}`);
  const fresh = others.filter((set) => !asked.has(keyOf(set, own)));
  const beyond = turned(fresh, shareOf(others.length, further.share, chance), Math.floor(chance * 1000));
  return [...kept, ...drawn, ...beyond.map((set): FuzzSet => ({ ...set, phase: 'further' }))];
}

/** The sets of a check that are replayed before its search begins. */
export function knownSets({ fuzz }: Pick<Session, 'fuzz'>, check: string): KeptSet[] {
  return fuzz.kept.filter((one) => one.check === check && one.known === true);
}

/** A kept set; each argument of it may be at fault. */
export function setOf({ args }: Pick<KeptSet, 'args'>): FuzzSet {
  return { phase: 'kept', args, about: Object.keys(args).map((name) => ({ name, keyword: 'kept' })) };
}

/** The seed that a set was drawn with, by its path. */
export function seedOf({ fuzz, seed }: Pick<Session, 'fuzz' | 'seed'>, path: string): number {
  return path.startsWith('further') ? (fuzz.further?.seed ?? seed) : seed;
}

/** A digest of the sets that a seed drew, in their order; undefined where none was drawn. */
export function digestOf(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return undefined;
  return createHash('sha256').update(keys.join('\n')).digest('hex').slice(0, 16);
}

/** A part of a number, whole: where it is less than one, a search has its turn in some runs only. */
export function shareOf(count: number, share: number, chance: number): number {
  return Math.floor(count * share + chance);
}

/** A number from 0 to 1 that looks random, the same for the same text. */
export function chanceOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

function keyOf({ args }: FuzzSet, own: readonly OwnValue[]): string {
  return JSON.stringify(args, (_, value: unknown) => own.find((one) => one.value === value)?.kind ?? value);
}

/** How many sets each phase has. */
export interface Shares {
  readonly boundary: number;
  readonly pairs: number;
  readonly random: number;
}

/** Divides a number of examples among the phases: a fifth for edges, a fifth for pairs, the rest at random. */
export function sharesOf(examples: number): Shares {
  const fifth = Math.floor(examples / 5);
  return { boundary: fifth, pairs: fifth, random: examples - 2 * fifth };
}

/** So many items of a list from a place that depends on the seed, round and round: many runs come to all of them. */
export function turned<T>(items: readonly T[], count: number, seed: number): T[] {
  const most = Math.min(count, items.length);
  return Array.from({ length: most }, (_, at) => items[(seed * count + at) % items.length]).filter(
    (item) => item !== undefined,
  );
}

/** A part of a number of examples that is small where there are few, and all of them from so many on. */
export function partOf(examples: number, all: number): number {
  return Math.min(examples, Math.ceil(examples ** 2 / all));
}
