import { join } from 'node:path';
import type { Basis } from './operation-file.ts';
import { readValidated } from './validators.ts';

/** A kind of checks: what they ask, whatever operation they ask it of. */
export interface CheckKind {
  /** Stable and unique. */
  readonly kind: string;
  /** One short word. */
  readonly title: string;
  /** What such a check asks, in one sentence. */
  readonly asks: string;
  /** How such a check decides, in a sentence or two. */
  readonly decides: string;
  /** What to do when one fails, for who builds or runs the site. */
  readonly mend: string;
  /** How many requests such a check sends on average, by what it does to the site (measured). */
  readonly requests: Readonly<Partial<Record<'reads' | 'validates' | 'writes' | 'alters-site', number>>>;
  /**
   * How many records of one collection such checks make at most, where they make any: one of them, all of them together (they
   * share records), and for each further example one that draws its arguments. Measured, with tests that hold runs to it.
   */
  readonly records?: { readonly each: number; readonly all: number; readonly perExample?: number };
  /** Only checks that are about this. */
  readonly about?: 'declaration' | 'answer';
  /** Whether its failures, of one parameter or of all, are mostly fixed at one place of the software. */
  readonly together?: boolean;
  /** Globs of check ids. */
  readonly checks: readonly string[];
}

/** Reads `check-kinds.json`: the first kind that fits a check counts. @throws SpecError when it breaks its schema */
export function loadCheckKinds(): CheckKind[] {
  return readValidated(join(import.meta.dirname, 'texts/check-kinds.json'), 'check-kinds.schema.json');
}

/** A section of the specification in words of our own. */
export interface Section {
  /** Such as `4.6`. */
  readonly section: string;
  readonly title: string;
  /** What it asks for and what it leaves open, a sentence or two each. */
  readonly clauses: readonly string[];
}

/** Reads `clauses.json`: the sections in their order, by number. @throws SpecError when it breaks its schema */
export function loadClauses(): ReadonlyMap<string, Section> {
  const rows = readValidated<Section[]>(
    join(import.meta.dirname, 'texts/clauses.json'),
    'clauses.schema.json',
  );
  return new Map(rows.map((row) => [row.section, row]));
}

/** How an open statement of the specification is read. */
export interface Reading {
  /** The number of the ruling, such as `R33`. */
  readonly id: string;
  readonly section: string;
  readonly says: string;
  /** Globs of the ids of the checks that follow it. */
  readonly checks: readonly string[];
  /** What a conforming site may do so that these checks are inconclusive. */
  readonly mayStayUntold?: string;
}

/** Reads `readings.json`, by number. @throws SpecError when it breaks its schema */
export function loadReadings(): Reading[] {
  return readValidated(join(import.meta.dirname, 'texts/readings.json'), 'readings.schema.json');
}

/** A verdict in words. */
export interface VerdictWords {
  readonly verdict: 'pass' | 'fail' | 'warn' | 'inconclusive' | 'skip' | 'error';
  readonly means: string;
  readonly todo: string;
}

/** Reads `verdicts.json`. @throws SpecError when it breaks its schema */
export function loadVerdictWords(): VerdictWords[] {
  return readValidated(join(import.meta.dirname, 'texts/verdicts.json'), 'verdicts.schema.json');
}

/** A row of `requirements.json`: what operation files cannot express, with globs of its checks or the reason for none. */
export interface Requirement {
  readonly id: string;
  readonly section: string;
  readonly basis: Basis;
  readonly statement: string;
  /** Neutral names: the row holds only where the deployment serves one of them. */
  readonly namespaces?: readonly string[];
  readonly checks?: readonly string[];
  /** Completes the sentence "there is no check, because …". */
  readonly reason?: string;
}

/** A row of `unspecified.json`: what is not shown, and what no check asserts for that reason. */
export interface Unspecified {
  readonly id: string;
  readonly section: string;
  readonly subject: string;
  readonly never: string;
}

/** Reads `requirements.json`. @throws SpecError when it breaks its schema */
export function loadRequirements(): Requirement[] {
  return readValidated(join(import.meta.dirname, 'texts/requirements.json'), 'requirements.schema.json');
}

/** Reads `unspecified.json`. @throws SpecError when it breaks its schema */
export function loadUnspecified(): Unspecified[] {
  return readValidated(join(import.meta.dirname, 'texts/unspecified.json'), 'unspecified.schema.json');
}

/** Names that a run looks at when it notes what answers look like: headers, parameters and members. */
export interface ObservedNames {
  readonly headers: readonly {
    /** In lower case. */
    readonly name: string;
    readonly as: 'presence' | 'number' | 'words' | 'relations' | 'type' | 'cookies' | 'origin';
    readonly for: 'callers' | 'caches';
  }[];
  readonly context: string;
  /** Parameters with which answers are of another shape, and those with which the shape depends on their value. */
  readonly shaping: readonly string[];
  readonly shapeless: readonly string[];
  readonly totals: {
    readonly records: string;
    readonly pages: string;
    readonly page: string;
    readonly size: string;
    readonly usual: number;
    /** The relations of links to other pages. */
    readonly relations: Readonly<Record<string, 'before' | 'after'>>;
    readonly shifting: readonly string[];
  };
  readonly code: string;
  readonly refused: readonly string[];
  readonly identity: string;
  /** The members that show when a record was changed last. */
  readonly modified: readonly string[];
  /** What a tour asks with: parameters that every route takes, and the headers of a preflight. */
  readonly tour: {
    readonly fields: string;
    readonly embed: string;
    readonly envelope: string;
    /** Values that no record has. */
    readonly unmatched: { readonly text: string; readonly number: string };
    /** What an answer may say of its version, the most precise first, and the header that asks for it only if that changed. */
    readonly validators: Readonly<Record<string, string>>;
    readonly preflight: Readonly<Record<string, string>>;
    /** The context in which records are edited, and statuses of records that are not public. */
    readonly rights: {
      readonly context: string;
      readonly parameter: string;
      readonly statuses: readonly string[];
    };
    /** Last parts of routes that change the site when they are read. */
    readonly altering: readonly string[];
  };
  /** What of persons not everybody is to see, and the members that show it. */
  readonly personal: Readonly<Record<string, readonly string[]>>;
  /** The member that says whether a record is public, and its values that do and do not. */
  readonly published: {
    readonly member: string;
    readonly public: readonly string[];
    readonly hidden: readonly string[];
  };
  /** Texts that ask for a password: the member that says so, the text beside it, and the parameter that takes the password. */
  readonly locked: { readonly member: string; readonly text: string; readonly key: string };
}

/** Reads `observed.json`. @throws SpecError when it breaks its schema */
export function loadObservedNames(): ObservedNames {
  return readValidated(join(import.meta.dirname, 'texts/observed.json'), 'observed.schema.json');
}
