/** What a JSON value is; empty lists and objects are apart, because software confuses them. */
export type ValueType =
  | 'null'
  | 'boolean'
  | 'integer'
  | 'fraction'
  | 'text'
  | 'list'
  | 'empty list'
  | 'object'
  | 'empty object';

/** What a text looks like. */
export type TextKind =
  | 'empty'
  | 'date-time'
  | 'date-time with zone'
  | 'date-time with blank'
  | 'date-time with fraction'
  | 'date-time of zeros'
  | 'own address'
  | 'other address'
  | 'relative address'
  | 'mail address'
  | 'markup'
  | 'number'
  | 'plain';

/** The sign of a number. */
export type NumberSign = 'negative' | 'zero' | 'positive';

/** How often each was seen: names sorted, none with 0. */
export type Tallies<Name extends string = string> = Partial<Record<Name, number>>;

/** What stood at one path of answers, counted in records. */
export interface MemberNotes {
  /** How many records had it. */
  seen: number;
  /** How many records had the object that it is a member of. */
  of: number;
  /** Some of those objects did not have it. */
  sometimes?: true;
  types: Tallies<ValueType>;
  texts?: Tallies<TextKind>;
  signs?: Tallies<NumberSign>;
}

/** A header of accepted answers. */
export interface HeaderNotes {
  /** How many answers had it. */
  seen: number;
  /** Its words, relations or names, or the kind of its value, and how many answers had each. */
  words?: Tallies;
}

/** A median with the quartiles around it. */
export interface Spread {
  /** How many answers were measured. */
  answers: number;
  low: number;
  median: number;
  high: number;
}

/** Some records of a list, without what they hold. */
interface RecordSample {
  /** Members of which there are digests. */
  readonly members: readonly string[];
  /** By id: a short digest of when it was changed, and one for each of the members, `-` where it has none. */
  readonly records: Readonly<Record<string, string>>;
  /** The ids of the first page, where it was the same each time. */
  readonly order?: readonly string[];
}

/** What the answers of one method of a route looked like, in one context, to one caller. */
export interface AnswerNotes {
  /** Path parameters as `{name}`. */
  route: string;
  namespace: string;
  method: string;
  /** Absent where the route knows none. */
  context?: string;
  caller: string;
  /** Parameters and ways of asking that change the shape of an answer, such as one that embeds others. */
  with?: string[];
  /** How many answers had each status. */
  statuses: Tallies;
  /** How many answers were accepted. */
  accepted: number;
  /** What accepted answers were: a list, an object, another value, nothing, or nothing that can be read. */
  forms: Tallies<AnswerForm>;
  /** How many different records were looked at. */
  records: number;
  /** By path: `title.rendered`, `tags[]`, `_links.self[].href`; of a list, those of its records. */
  members?: Record<string, MemberNotes>;
  /** What of persons was shown, such as mail addresses, and the paths of the members that showed it. */
  personal?: Record<string, string[]>;
  /** Of a list: digests of what some of its records hold, and the order of its first page. */
  sample?: RecordSample;
  /** There was more than is noted. */
  cut?: true;
  /** Paths and headers that two readings of one request showed differently; `*` for the whole answer. */
  unstable?: string[];
  headers: Record<string, HeaderNotes>;
  /** Of lists with totals: how many were true, untrue, and of more than one page. */
  totals?: {
    true: number;
    untrue: number;
    paged: number;
    /** How many were pages with one before them, and with one after them. Absent from runs of earlier versions. */
    before?: number;
    after?: number;
    /** How many were pages with a record that another page of the same list has, or they themselves have twice. */
    repeated?: number;
    twice?: number;
    /** What pages held at most, where all that were too short ended there. */
    cap?: number;
  };
  /** Records that ask for a password, asked without it: how many kept their texts, and how many showed one. */
  locked?: { hidden: number; shown: number };
  /** Records that say whether they are public: how many are, and how many are not. */
  published?: { public: number; hidden: number };
  /** What stood around the JSON, or in its place. */
  around?: Tallies;
  /** Seconds of accepted answers, together and by the power of ten of their records. */
  seconds?: Spread & { byRecords?: Record<string, Spread> };
  /** How long they took in relation to the median of the answers around them; by records as well. */
  pace?: Spread & { byRecords?: Record<string, Spread> };
  /** Bytes of accepted answers. */
  bytes?: Spread;
}

/** What an accepted answer was; other values are no objects, some of them at least; a refusal is a body that calls itself one. */
export type AnswerForm =
  | 'list'
  | 'list of other values'
  | 'object'
  | 'value'
  | 'nothing'
  | 'unreadable'
  | 'refusal';

/** Why a request was not served, as far as it is known from what was asked. */
export type RefusalKind =
  | 'unknown route'
  | 'wrong method'
  | 'denied'
  | 'unknown record'
  | 'broken JSON'
  | 'invalid argument'
  | 'server error';

/** Refusals of one kind with one status and one code. */
export interface RefusalNotes {
  /** `*` for what is no route. */
  route: string;
  namespace: string;
  method: string;
  caller: string;
  kind: RefusalKind;
  status: number;
  /** Absent where the body has none. */
  code?: string;
  answers: number;
  /** Path and query of a read that was refused so; names in capitals or braces stand for values of the site. */
  asked?: string;
  /** Members of the body and of objects in it, and how many answers had each. */
  members: Tallies;
  /** The members with the types of their values, such as `data.status integer`. Absent from runs of earlier versions. */
  values?: Tallies;
  types: Tallies;
  /** Headers that callers need of refusals too. Absent where there are none, and from runs of earlier versions. */
  headers?: Tallies;
  around?: Tallies;
}

/** What answers looked like: `answers` and `refusals` of `observed` in `results.json`. */
export interface ObservedAnswers {
  answers: AnswerNotes[];
  refusals: RefusalNotes[];
}
