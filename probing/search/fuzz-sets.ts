import { hash } from 'node:crypto';
import type { Finding } from '../../engine/check.ts';
import type { KeptSet, SearchPhase } from '../../engine/fuzz-options.ts';
import type { Session } from '../../engine/session.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Parameter } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';

/** What a search is about: a check, and the parameters that its sets may have. */
export interface Search {
  readonly session: Session;
  readonly check: string;
  readonly free: readonly Free[];
}

/** A parameter that a search may set, with the schema of its values on this site. */
export interface Free {
  readonly parameter: Parameter;
  readonly schema: Schema;
}

/** Parameters with the schemas that the contract states. */
export function asFree(parameters: readonly Parameter[]): Free[] {
  return parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
}

/** A set of arguments to be evaluated. */
export interface FuzzSet {
  readonly phase: SearchPhase;
  readonly args: Args;
  /** The arguments that may be at fault, by their names on the target, with a keyword or a kind of value. Others are valid. */
  readonly about: readonly { readonly name: string; readonly keyword: string }[];
  /** For a set drawn by the seed of the run: its key in later runs. */
  readonly key?: string;
}

/** The result of evaluating a set of arguments. */
export interface Evaluation {
  readonly end: 'accepted' | 'refused' | 'other';
  readonly finding?: Finding | undefined;
  /** The kind of violation. Only findings of one kind are merged. */
  readonly kind?: string;
}

/** Whether a finding is a violation of a property. */
export function isViolation(finding: Finding | undefined): finding is Finding {
  return finding?.kind === 'failure' || finding?.kind === 'warning';
}

/** Something that must hold for every set of a search. */
export interface Property {
  /** @param fresh whether remembered answers are forbidden */
  evaluate(args: Args, fresh: boolean): Promise<Evaluation>;
  /** How many findings end a search; default: four. */
  readonly mostFindings?: number;
  /** Which boundary values of keywords it checks; undefined for none. */
  readonly edges?: 'accepted' | 'refused';
  /** Whether it only applies to sets with the arguments that the set is about. */
  readonly keepsSubject?: boolean;
  /** For a property of any value: a name that similar operations share, whose counterexamples are worth a try. */
  readonly ofAnyValue?: string;
  /** Strictly simpler values of an argument to which the property also applies, the simplest first. */
  simpler(name: string, value: unknown): readonly unknown[];
  /** The check that reports the same violation for these arguments; undefined if there is none, as by default. */
  reportedBy?(names: readonly string[]): Promise<string | undefined>;
}

/** A value that differs in each run, such as the id of a new record, and its kind. */
interface OwnValue {
  readonly kind: string;
  readonly value: unknown;
}

/** The sets of a search but replayed ones: from files, drawn by the seed, and some that the baseline did not draw. */
export function drawSets(
  { fuzz, seed }: Pick<Session, 'fuzz' | 'seed'>,
  check: string,
  draw: (examples: number, seed: number) => readonly FuzzSet[],
  own: readonly OwnValue[] = [],
): FuzzSet[] {
  const { further } = fuzz;
  const kept = fuzz.kept
    .filter((one) => one.check === check && one.known !== true)
    .map((one): FuzzSet => (further === undefined ? keptSet(one) : { ...keptSet(one), phase: 'further' }));
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

/** A set with arguments of one kind, each of which may be at fault. */
export function setOf(phase: SearchPhase, args: Args, keyword: string): FuzzSet {
  return { phase, args, about: Object.keys(args).map((name) => ({ name, keyword })) };
}

/** A kept set, to be evaluated. */
export function keptSet({ args }: Pick<KeptSet, 'args'>): FuzzSet {
  return setOf('kept', args, 'kept');
}

/** The seed that a set was drawn with, by its path. */
export function seedOf({ fuzz, seed }: Pick<Session, 'fuzz' | 'seed'>, path: string): number {
  return path.startsWith('further') ? (fuzz.further?.seed ?? seed) : seed;
}

/** A digest of the sets that a seed drew, in their order; undefined where none was drawn. */
export function digestOf(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return undefined;
  return hash('sha256', keys.join('\n')).slice(0, 16);
}

/** A share of a number as an integer. If it is less than one, a search gets one set in some runs only. */
export function shareOf(count: number, share: number, chance: number): number {
  return Math.floor(count * share + chance);
}

/** A number from 0 to 1 that looks random, the same for the same text. */
export function chanceOf(text: string): number {
  return hash('sha256', text, 'buffer').readUInt32BE() / 2 ** 32;
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

/** Divides examples among the phases: a fifth for boundary values, a fifth for pairs, the rest at random. */
export function sharesOf(examples: number): Shares {
  const fifth = Math.floor(examples / 5);
  return { boundary: fifth, pairs: fifth, random: examples - 2 * fifth };
}

/** A number of items of a list, cyclically, from a start by the seed, so that many runs cover all of them. */
export function turned<T>(items: readonly T[], count: number, seed: number): T[] {
  const most = Math.min(count, items.length);
  return Array.from({ length: most }, (_, at) => items[(seed * count + at) % items.length]).filter(
    (item) => item !== undefined,
  );
}

/** From this many examples on, a search is thorough: it leaves nothing out, and sends each set alone. */
export const THOROUGH = 40;

/** A share of a number of examples: small if there are few, and everything from a threshold on. */
export function partOf(examples: number, all: number = THOROUGH): number {
  return Math.min(examples, Math.ceil(examples ** 2 / all));
}
