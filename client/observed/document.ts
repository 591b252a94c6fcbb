/** The types of JSON values. Empty lists and objects are separate, because software confuses them. */
export const VALUE_TYPES = [
  'null',
  'boolean',
  'integer',
  'fraction',
  'text',
  'list',
  'empty list',
  'object',
  'empty object',
] as const;

/** One of them. */
export type ValueType = (typeof VALUE_TYPES)[number];

/** The form of a text. */
export type TextKind =
  | 'empty'
  | 'date-time'
  | 'date-time with zone'
  | 'date-time with blank'
  | 'date-time with fraction'
  | 'date-time of zeros'
  | 'own address'
  | 'own address by another scheme'
  | 'other address'
  | 'relative address'
  | 'mail address'
  | 'markup'
  | 'number'
  | 'plain';

/** The sign of a number. */
export type NumberSign = 'negative' | 'zero' | 'positive';

/** Counts by name, sorted and without zeros. */
export type Tallies<Name extends string = string> = Partial<Record<Name, number>>;

/** Notes for one path of answers, counted in records. */
export interface MemberNotes {
  /** How many records had it. */
  seen: number;
  /** How many records had the object that it belongs to. */
  of: number;
  /** Set if some of those objects did not have it. */
  sometimes?: true;
  types: Tallies<ValueType>;
  texts?: Tallies<TextKind>;
  signs?: Tallies<NumberSign>;
}

/** A header of accepted answers. */
export interface HeaderNotes {
  seen: number;
  /** Its words, relations or names, or the kind of its value, with counts. */
  words?: Tallies;
}

/** A median with the quartiles around it. */
export interface Spread {
  answers: number;
  low: number;
  median: number;
  high: number;
}

/** A sample of the records of a list, without their content. */
interface RecordSample {
  /** The members with digests. */
  readonly members: readonly string[];
  /** By id: a short digest of the date of change, and one for each member, `-` for a missing one. */
  readonly records: Readonly<Record<string, string>>;
  /** The ids of the first page, if it was always the same. */
  readonly order?: readonly string[];
}

/** Notes for the answers of one method of a route, in one context, to one caller. */
export interface AnswerNotes {
  /** Path parameters as `{name}`. */
  route: string;
  namespace: string;
  method: string;
  /** Absent if the route has no contexts. */
  context?: string;
  caller: string;
  /** Parameters and other features of a request that change the form of an answer, such as embedding. */
  with?: string[];
  statuses: Tallies;
  accepted: number;
  /** The forms of accepted answers: a list, an object, another value, nothing, or unreadable. */
  forms: Tallies<AnswerForm>;
  /** How many different records were seen. */
  records: number;
  /** By path: `title.rendered`, `tags[]`, `_links.self[].href`. For a list, the paths of its records. */
  members?: Record<string, MemberNotes>;
  /** Kinds of personal data that were shown, such as mail addresses, with the paths of their members. */
  personal?: Record<string, string[]>;
  /** For a list: digests of some of its records, and the order of its first page. */
  sample?: RecordSample;
  /** Set if there was more than is noted. */
  cut?: true;
  /** Paths and headers that differed between two readings of one request; `*` for the whole answer. */
  unstable?: string[];
  headers: Record<string, HeaderNotes>;
  /** For lists with totals: how many were true, untrue, and of more than one page. */
  totals?: {
    true: number;
    untrue: number;
    paged: number;
    /** How many had a page before them, and a page after them. Absent in runs of earlier versions. */
    before?: number;
    after?: number;
    /** How many had a link to a page before or after them that leads to another page. Absent in runs of earlier versions. */
    astray?: number;
    /** How many had a record twice, or one that another page of the same list also has. */
    repeated?: number;
    twice?: number;
    /** The size at which all short pages ended. */
    cap?: number;
    /** The size of pages without a size in the request, if all other pages were complete. */
    usual?: number;
  };
  /** Records with a password, read without it: how many hid their texts, and how many showed one. */
  locked?: { hidden: number; shown: number };
  /** Records with a status: how many are public, and how many are not. */
  published?: { public: number; hidden: number };
  /** What was printed around the JSON, or in its place. */
  around?: Tallies;
  /** Seconds of accepted answers, in total and by the power of ten of their number of records. */
  seconds?: Spread & { byRecords?: Record<string, Spread> };
  /** Their time relative to the median of the answers around them; also by records. */
  pace?: Spread & { byRecords?: Record<string, Spread> };
  bytes?: Spread;
}

/** The form of an accepted answer. In a `list of other values` some are not objects; a `refusal` calls itself one. */
export type AnswerForm =
  | 'list'
  | 'list of other values'
  | 'object'
  | 'value'
  | 'nothing'
  | 'unreadable'
  | 'refusal';

/** Why a request was not served, as far as the request itself shows. */
export type RefusalKind =
  | 'unknown route'
  | 'wrong method'
  | 'denied'
  | 'unknown record'
  | 'broken JSON'
  | 'invalid argument'
  | 'server error';

/** Refusals of one kind with the same status and code. */
export interface RefusalNotes {
  /** `*` if there is no such route. */
  route: string;
  namespace: string;
  method: string;
  caller: string;
  kind: RefusalKind;
  status: number;
  code?: string;
  answers: number;
  /** Path and query of such a read. Names in capitals or braces stand for values of the site. */
  asked?: string;
  /** Members of the body and of the objects in it, with counts. */
  members: Tallies;
  /** The same members with the types of their values. Absent in runs of earlier versions. */
  values?: Tallies;
  types: Tallies;
  /** Headers that callers need even in refusals. Absent if there are none, and in runs of earlier versions. */
  headers?: Tallies;
  around?: Tallies;
}

/** Notes on all answers: `answers` and `refusals` of `observed` in `results.json`. */
export interface ObservedAnswers {
  answers: AnswerNotes[];
  refusals: RefusalNotes[];
}
