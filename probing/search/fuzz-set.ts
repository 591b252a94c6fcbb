import type { Finding } from '../../engine/check.ts';
import type { Phase } from '../../engine/fuzz-options.ts';
import type { Parameter } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import type { Args } from '../records/reading/list-request.ts';

export type { Phase };

/** A parameter that a search may set, with the schema that its values have on this site. */
export interface Free {
  readonly parameter: Parameter;
  readonly schema: Schema;
}

/** What a set is about: a parameter by the name of the target, and a keyword or a kind of value. */
export interface Subject {
  readonly name: string;
  readonly keyword: string;
}

/** A set of arguments to be evaluated. */
export interface FuzzSet {
  readonly phase: Phase;
  readonly args: Args;
  /** The arguments that may be at fault; the others are the valid ones beside them. */
  readonly about: readonly Subject[];
  /** Of a set that the seed of the run drew: by what a later run knows it. */
  readonly key?: string;
}

/** What a set of arguments showed. */
export interface Evaluation {
  /** What came of it, for the coverage. */
  readonly end: 'accepted' | 'refused' | 'other';
  readonly finding?: Finding | undefined;
  /** What kind of violation it is; only findings of one kind are the same. */
  readonly kind?: string;
}

/** Something that must hold for every set of a search. */
export interface Property {
  /** @param fresh whether nothing may be answered from memory */
  evaluate(args: Args, fresh: boolean): Promise<Evaluation>;
  /** After so many findings a search ends; four unless given. */
  readonly mostFindings?: number;
  /** Which values at the edges of keywords it is about; undefined where it is about none of them. */
  readonly edges?: 'accepted' | 'refused';
  /** Whether it says nothing of a set without the arguments that the set is about. */
  readonly keepsSubject: boolean;
  /** Strictly simpler values of an argument that the property says something about as well, the simplest first. */
  simpler(name: string, value: unknown): readonly unknown[];
  /** Another check that reports the same of these arguments, the ones that matter; undefined where none does. */
  reportedBy(names: readonly string[]): Promise<string | undefined>;
}
