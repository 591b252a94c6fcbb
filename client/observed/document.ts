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
  seen: number;
  of: number;
  sometimes?: true;
  types: Tallies<ValueType>;
  texts?: Tallies<TextKind>;
  signs?: Tallies<NumberSign>;
  marks?: Tallies;
}

/** A header of accepted answers. */
export interface HeaderNotes {
  seen: number;
  words?: Tallies;
}

/** A median with the quartiles around it. */
export interface Spread {
  answers: number;
  low: number;
  median: number;
  high: number;
}

interface RecordSample {
  readonly members: readonly string[];
  readonly records: Readonly<Record<string, string>>;
  readonly order?: readonly string[];
}

/** Notes for the answers of one method of a route, in one context, to one caller. */
export interface AnswerNotes {
  route: string;
  namespace: string;
  method: string;
  context?: string;
  caller: string;
  with?: string[];
  statuses: Tallies;
  accepted: number;
  forms: Tallies<AnswerForm>;
  records: number;
  members?: Record<string, MemberNotes>;
  personal?: Record<string, string[]>;
  sample?: RecordSample;
  cut?: true;
  unstable?: string[];
  headers: Record<string, HeaderNotes>;
  totals?: {
    true: number;
    untrue: number;
    paged: number;
    before?: number;
    after?: number;
    astray?: number;
    chosen?: { kept: number; lost: number };
    repeated?: number;
    twice?: number;
    cap?: number;
    usual?: number;
  };
  locked?: { hidden: number; shown: number };
  published?: { public: number; hidden: number };
  around?: Tallies;
  unsent?: Record<string, Tallies>;
  seconds?: Spread & { byRecords?: Record<string, Spread> };
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
  | 'page beyond the last'
  | 'server error';

/** Refusals of one kind with the same status and code. */
export interface RefusalNotes {
  route: string;
  namespace: string;
  method: string;
  caller: string;
  kind: RefusalKind;
  status: number;
  code?: string;
  answers: number;
  asked?: string;
  members: Tallies;
  values?: Tallies;
  types: Tallies;
  headers?: Tallies;
  around?: Tallies;
}

/** `answers` and `refusals` of `observed` in `results.json`; `specs/schemas/result.schema.json` describes the members. */
export interface ObservedAnswers {
  answers: AnswerNotes[];
  refusals: RefusalNotes[];
}
