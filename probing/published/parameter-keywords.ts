import type { JsonObject } from '../../client/json.ts';
import { LIMITS, type Schema } from '../../specs/schema.ts';
import type { LintFinding, Report } from './lint-rules.ts';
import { isPlain, kindOfPattern } from './plain-pattern.ts';
import { fitsType, shown } from './values.ts';

/** A schema that is being read. */
export type Draft = { -readonly [K in keyof Schema]: Schema[K] };

const TYPES = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);
const SYNONYMS: Readonly<Record<string, string>> = { bool: 'boolean', int: 'integer' };
const FORMATS = new Set(['date-time', 'uri']);
/** Keywords that a contract compares and makes no values from. */
const OPAQUE = [
  ...['oneOf', 'anyOf', 'allOf', 'not', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minProperties', 'maxProperties', 'patternProperties'],
];
const LONGEST_OPAQUE = 20_000;
const PAIRS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;
/** The type that a keyword is about. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  minLength: ['string'],
  maxLength: ['string'],
  minItems: ['array'],
  maxItems: ['array'],
  items: ['array'],
  properties: ['object'],
};

/** The types that a description names, in one spelling; none where one of them is unknown. */
export function typesIn(given: JsonObject, place: string, report: Report): string[] {
  if (given.type === undefined || given.type === null) return [];
  const words: unknown[] = Array.isArray(given.type) ? given.type : [given.type];
  const types = words.map((word) => (typeof word === 'string' ? (SYNONYMS[word] ?? word) : ''));
  const unknown = types.findIndex((type) => !TYPES.has(type));
  if (unknown === -1) return [...new Set(types)];
  report('type-unknown', place, `the type is ${shown(words[unknown])}`);
  return [];
}

/** Takes an enum over, unless a member can never be sent. */
export function readEnum(
  given: JsonObject,
  types: readonly string[],
  draft: Draft,
  place: string,
  report: Report,
): void {
  const members = given.enum;
  if (members === undefined) return;
  if (!Array.isArray(members) || members.length === 0) {
    if (Array.isArray(members)) report('enum-empty', place, 'the enum has no members');
    else report('keyword-shape', place, `enum is ${shown(members)}, not a list`);
    return;
  }
  const listed: readonly unknown[] = members;
  const texts = listed.map((one) => JSON.stringify(one));
  const twice = listed.find((_, at) => texts.indexOf(texts[at] ?? '') !== at);
  if (twice !== undefined) report('enum-repeated', place, `${shown(twice)} is in the enum twice`);
  const isList = types.length === 1 && types[0] === 'array';
  const stranger = listed.find(
    (one) =>
      types.length > 0 &&
      (isList ? !Array.isArray(one) : one !== null && !types.some((type) => fitsType(one, type))),
  );
  if (stranger !== undefined) {
    report('enum-type', place, `${shown(stranger)} is in the enum of the type ${types.join(' or ')}`);
    return;
  }
  draft.enum = listed.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
}

/** Takes limits over, unless they cross or say nothing of the type. */
export function readLimits(
  given: JsonObject,
  types: readonly string[],
  draft: Draft,
  place: string,
  report: Report,
): void {
  for (const keyword of Object.keys(LIMITS)) {
    if (!isLimit(keyword)) continue;
    const value = given[keyword];
    if (value === undefined) continue;
    const isCount = keyword !== 'minimum' && keyword !== 'maximum';
    const fits = typeof value === 'number' && (!isCount || (Number.isInteger(value) && value >= 0));
    if (!fits) report('keyword-shape', place, `${keyword} is ${shown(value)}`);
    else if (isBeside(keyword, types)) reportBeside(keyword, types, place, report);
    else draft[keyword] = value;
  }
  for (const [low, high] of PAIRS) {
    const [least, most] = [draft[low], draft[high]];
    if (least === undefined || most === undefined || least <= most) continue;
    report('limits-crossed', place, `${low} ${least} is above ${high} ${most}`);
    delete draft[low];
    delete draft[high];
  }
}

function isLimit(keyword: string): keyword is keyof typeof LIMITS {
  return keyword in LIMITS;
}

/** Whether a keyword says nothing about values of the types. */
export function isBeside(keyword: string, types: readonly string[]): boolean {
  const about = ABOUT[keyword] ?? [];
  return types.length > 0 && !types.some((type) => about.includes(type));
}

/** Reports such a keyword. */
export function reportBeside(keyword: string, types: readonly string[], place: string, report: Report): void {
  report('keyword-beside-type', place, `${keyword} beside the type ${types.join(' or ')}`);
}

/** Pattern and format, and what is compared only. */
export function readTexts(given: JsonObject, draft: Draft, place: string, report: Report): void {
  const opaque: Record<string, unknown> = {};
  const { pattern, format } = given;
  if (typeof pattern === 'string') {
    const kind = kindOfPattern(pattern);
    if (kind === 'invalid')
      report('pattern-invalid', place, `the pattern ${shown(pattern)} does not compile`);
    else {
      if (kind === 'not-comparable') report('pattern-not-comparable', place, `the pattern ${shown(pattern)}`);
      if (isPlain(pattern)) draft.pattern = pattern;
      else opaque.pattern = pattern;
    }
  } else if (pattern !== undefined) report('keyword-shape', place, `pattern is ${shown(pattern)}`);
  if (typeof format === 'string' && format !== '') {
    if (FORMATS.has(format)) draft.format = format;
    else opaque.format = format;
  } else if (format !== undefined && format !== '')
    report('keyword-shape', place, `format is ${shown(format)}`);
  for (const keyword of OPAQUE) {
    const value = given[keyword];
    if (value === undefined) continue;
    if (JSON.stringify(value).length > LONGEST_OPAQUE) report('too-deep', place, `${keyword} is too large`);
    else opaque[keyword] = value;
  }
  if (Object.keys(opaque).length > 0) draft['x-published'] = opaque;
}

/** Takes a default over, unless it is a value that may not be sent. */
export function readDefault(
  given: JsonObject,
  types: readonly string[],
  draft: Draft,
  place: string,
  report: Report,
): void {
  const value = given.default;
  // No default may print as null.
  if (value === undefined || value === null) return;
  const wrong = faultOfDefault(value, types, draft);
  if (wrong === undefined) draft.default = value;
  else report(wrong.rule, place, wrong.message);
}

function faultOfDefault(
  value: unknown,
  types: readonly string[],
  draft: Draft,
): Pick<LintFinding, 'rule' | 'message'> | undefined {
  if (types.length > 0 && !types.some((type) => fitsType(value, type))) {
    const message = `the default ${shown(value)} beside the type ${types.join(' or ')}`;
    return { rule: 'default-type', message };
  }
  const members = draft.enum ?? draft.items?.enum;
  const values: unknown[] = draft.enum === undefined ? [value].flat() : [value];
  const stranger = values.find(
    (one) => members !== undefined && !members.some((member) => String(member) === String(one)),
  );
  if (stranger !== undefined) {
    const message = `the default ${shown(stranger)} is not in ${shown(members)}`;
    return { rule: 'default-outside-enum', message };
  }
  const { minimum = -Infinity, maximum = Infinity } = draft;
  if (typeof value !== 'number' || (value >= minimum && value <= maximum)) return undefined;
  const message = `the default ${value} is not from ${minimum} to ${maximum}`;
  return { rule: 'default-outside-limits', message };
}
