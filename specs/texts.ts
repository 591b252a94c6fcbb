import { join } from 'node:path';
import type { Basis } from './operation-file.ts';
import { readValidated } from './validators.ts';

/** A kind of checks: what they require, of any operation. */
export interface CheckKind {
  readonly kind: string;
  /** One short word. */
  readonly title: string;
  /** What such a check requires, in one sentence. */
  readonly asks: string;
  /** How such a check decides, in a sentence or two. */
  readonly decides: string;
  /** What to do if one fails, for those who build or run the site. */
  readonly fix: string;
  /** How many requests such a check sends on average, by its effect on the site (measured). */
  readonly requests: Readonly<Partial<Record<'reads' | 'validates' | 'writes' | 'alters-site', number>>>;
  /**
   * How many records such checks create at most in one collection: one check, all checks together (they share records),
   * and each further example of a fuzz check. Measured; tests enforce it.
   */
  readonly records?: { readonly each: number; readonly all: number; readonly perExample?: number };
  /** Whether its failures are mostly fixed in one place of the software. */
  readonly together?: boolean;
}

/** A section of the specification in our own words. */
export interface Section {
  /** Such as `4.6`. */
  readonly section: string;
  readonly title: string;
  /** What it requires and what it leaves open, in a sentence or two each. */
  readonly clauses: readonly string[];
}

/** Our reading of an open statement in the specification. */
export interface Reading {
  /** The number of the ruling, such as `R33`. */
  readonly id: string;
  readonly section: string;
  readonly says: string;
  /** Globs of the check ids that follow it. */
  readonly checks: readonly string[];
  /** What a conforming site may do that makes these checks inconclusive. */
  readonly mayBeInconclusive?: string;
}

/** What a verdict means, and what to do about it. */
export interface VerdictWords {
  readonly verdict: 'pass' | 'fail' | 'warn' | 'inconclusive' | 'skip' | 'error';
  readonly means: string;
  readonly todo: string;
}

/** A row of `requirements.json`: what operation files cannot express, with globs of its checks or why it has none. */
export interface Requirement {
  readonly id: string;
  readonly section: string;
  readonly basis: Basis;
  readonly statement: string;
  /** Neutral names. The row applies only if the deployment serves one of them. */
  readonly namespaces?: readonly string[];
  readonly checks?: readonly string[];
  /** Completes the sentence "there is no check, because …". */
  readonly reason?: string;
}

/** A row of `unspecified.json`: what the specification leaves open, and what no check asserts. */
export interface Unspecified {
  readonly id: string;
  readonly section: string;
  readonly subject: string;
  readonly never: string;
}

/** Names that a run looks for when it notes answers: headers, parameters and members. */
export interface ObservedNames {
  readonly headers: readonly {
    /** In lower case. */
    readonly name: string;
    readonly as: 'presence' | 'number' | 'words' | 'relations' | 'type' | 'cookies' | 'origin';
    readonly for: 'callers' | 'caches';
  }[];
  readonly context: string;
  /** Parameters that change the shape of an answer, and those whose value decides the shape. */
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
  /** Members with an address that stays that of the site where a record was made, also in a copy. */
  readonly origins: readonly string[];
  /** Members with the date of the last change of a record. */
  readonly modified: readonly string[];
  /** The member with the links of a record, by relation. */
  readonly links: string;
  /** What a run looks for in texts of records; a fault is nothing that somebody writes. */
  readonly marks: readonly { readonly name: string; readonly pattern: string; readonly isFault?: true }[];
  /** What a tour sends: parameters that every route accepts, and the headers of a preflight. */
  readonly tour: {
    readonly fields: string;
    readonly embed: string;
    readonly envelope: string;
    /** Values that no record has. */
    readonly unmatched: { readonly text: string; readonly number: string };
    /** Headers with the version of an answer, the most precise first, each with its conditional request header. */
    readonly validators: Readonly<Record<string, string>>;
    readonly preflight: Readonly<Record<string, string>>;
    /** The context for editing records, and the statuses of non-public records. */
    readonly rights: {
      readonly context: string;
      readonly parameter: string;
      readonly statuses: readonly string[];
    };
    /** Last parts of routes that change the site when they are read. */
    readonly altering: readonly string[];
  };
  /** Kinds of personal data, and the members that show them. */
  readonly personal: Readonly<Record<string, readonly string[]>>;
  /** The member that says whether a record is public, with its values. */
  readonly published: {
    readonly member: string;
    readonly public: readonly string[];
    readonly hidden: readonly string[];
  };
  /** Texts behind a password: the member that says so, the text beside it, and the parameter for the password. */
  readonly locked: { readonly member: string; readonly text: string; readonly key: string };
}

/** What callers do about a change: if they are affected, if that is unknown, and if nobody is. */
type Advice = Readonly<Partial<Record<'advice' | 'unsure' | 'compatible', string>>>;

/** The files of texts, by their names in `specs/texts`. */
interface Texts {
  /** The kinds of checks, in the order of the map of checks. */
  readonly 'check-kinds': readonly CheckKind[];
  /** The sections in order. */
  readonly clauses: readonly Section[];
  /** The readings, sorted by number. */
  readonly readings: readonly Reading[];
  readonly verdicts: readonly VerdictWords[];
  readonly requirements: readonly Requirement[];
  readonly unspecified: readonly Unspecified[];
  /** The advice for kinds of changes. */
  readonly advice: Readonly<Partial<Record<string, Advice>>>;
  /** The names that a run looks for. */
  readonly observed: ObservedNames;
}

const read: { -readonly [Name in keyof Texts]?: Texts[Name] } = {};

/** The texts of one file, which is read once. */
export function textsOf<Name extends keyof Texts>(name: Name): Texts[Name] {
  const texts: Texts[Name] =
    read[name] ??
    readValidated<Texts[Name]>(join(import.meta.dirname, `texts/${name}.json`), `${name}.schema.json`);
  read[name] = texts;
  return texts;
}

/** A section of the specification in our own words; undefined for one that it does not have. */
export function sectionOf(number: string): Section | undefined {
  return textsOf('clauses').find(({ section }) => section === number);
}
