import { asObject, isObject, type JsonObject } from '../client/json.ts';
import { LIMITS } from '../specs/constraints.ts';
import type { Schema } from '../specs/schema.ts';
import type { LintFinding, Report } from './lint-rules.ts';
import { isPlain, kindOfPattern } from './plain-pattern.ts';
import { fitsType, shown } from './values.ts';

/** A parameter, or a part of one, as a contract holds it. */
export interface ReadSchema {
  readonly schema: Schema;
  /** Whether it is declared as required; undefined where that is moot. */
  readonly required: boolean | undefined;
}

type Draft = { -readonly [K in keyof Schema]: Schema[K] };

const DEEPEST = 12;
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
const CONTEXT = /^[a-z][a-z_-]*$/;

/**
 * Reads how an index describes a parameter (§1) into the words of a contract, keywords in a fixed order. What contradicts
 * itself is reported and left out; nothing is thrown, whatever it holds.
 * @param place where it stands, for a reader
 */
export function readParameterSchema(raw: unknown, place: string, report: Report, depth = 0): ReadSchema {
  const given = asObject(raw);
  if (given === undefined) {
    report('keyword-shape', place, `the description is ${shown(raw)}, not an object`);
    return { schema: {}, required: undefined };
  }
  if (depth > DEEPEST) {
    report('too-deep', place, `nested more than ${DEEPEST} levels deep`);
    return { schema: {}, required: undefined };
  }
  const draft: Draft = {};
  for (const name of ['title', 'description'] as const) {
    const text = given[name];
    if (typeof text === 'string' && text !== '') draft[name] = text;
  }
  const types = typesIn(given, place, report);
  const [single] = types;
  if (types.length === 1 && single !== undefined) draft.type = single;
  if (types.length > 1) draft.type = types;
  readEnum(given, types, draft, place, report);
  readLimits(given, types, draft, place, report);
  readTexts(given, draft, place, report);
  readParts(given, types, draft, place, report, depth);
  if (given.readonly === true) draft.readOnly = true;
  const contexts = given.context;
  if (Array.isArray(contexts)) {
    const words = contexts.filter((one: unknown) => typeof one === 'string' && CONTEXT.test(one));
    draft['x-contexts'] = [...new Set(words)];
  }
  readDefault(given, types, draft, place, report);
  const required = given.required === true;
  if (required && given.default !== undefined && given.default !== null) {
    report('required-with-default', place, `required, and ${shown(given.default)} when it is left out`);
    return { schema: { ...ordered(draft), 'x-silent': ['required'] }, required: undefined };
  }
  return { schema: ordered(draft), required };
}

function typesIn(given: JsonObject, place: string, report: Report): string[] {
  if (given.type === undefined || given.type === null) return [];
  const words: unknown[] = Array.isArray(given.type) ? given.type : [given.type];
  const types = words.map((word) => (typeof word === 'string' ? (SYNONYMS[word] ?? word) : ''));
  const unknown = types.findIndex((type) => !TYPES.has(type));
  if (unknown === -1) return [...new Set(types)];
  report('type-unknown', place, `the type is ${shown(words[unknown])}`);
  return [];
}

function readEnum(
  given: JsonObject,
  types: readonly string[],
  draft: Draft,
  place: string,
  report: Report,
): void {
  const members = given.enum;
  if (members === undefined) return;
  // PHP prints a list with gaps as an object.
  const listed = Array.isArray(members) ? members : isObject(members) ? Object.values(members) : undefined;
  if (listed === undefined || listed.length === 0) {
    if (listed === undefined) report('keyword-shape', place, `enum is ${shown(members)}, not a list`);
    else report('enum-empty', place, 'the enum has no members');
    return;
  }
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

function readLimits(
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

function isBeside(keyword: string, types: readonly string[]): boolean {
  const about = ABOUT[keyword] ?? [];
  return types.length > 0 && !types.some((type) => about.includes(type));
}

function reportBeside(keyword: string, types: readonly string[], place: string, report: Report): void {
  report('keyword-beside-type', place, `${keyword} beside the type ${types.join(' or ')}`);
}

/** Pattern and format, and what is compared only. */
function readTexts(given: JsonObject, draft: Draft, place: string, report: Report): void {
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

function readParts(
  given: JsonObject,
  types: readonly string[],
  draft: Draft,
  place: string,
  report: Report,
  depth: number,
): void {
  if (given.items !== undefined) {
    if (isBeside('items', types)) reportBeside('items', types, place, report);
    else draft.items = readParameterSchema(given.items, `${place} items`, report, depth + 1).schema;
  }
  if (given.uniqueItems === true) draft.uniqueItems = true;
  const members = asObject(given.properties);
  if (given.properties !== undefined && members === undefined)
    report('keyword-shape', place, `properties is ${shown(given.properties)}`);
  const required = new Set(Array.isArray(given.required) ? given.required.map(String) : []);
  if (members !== undefined && Object.keys(members).length > 0) {
    if (isBeside('properties', types)) reportBeside('properties', types, place, report);
    else {
      const read = sortedEntries(members).flatMap(([name, inner]) => {
        if (!isUsable(name)) {
          report('name-unusable', place, `a member is called ${shown(name)}`);
          return [];
        }
        const part = readParameterSchema(inner, `${place}.${name}`, report, depth + 1);
        if (part.required === true) required.add(name);
        return [[name, part.schema] as const];
      });
      draft.properties = Object.fromEntries(read);
    }
  }
  const unknown = [...required].filter((name) => !Object.hasOwn(draft.properties ?? {}, name));
  for (const name of unknown)
    report('required-unknown', place, `requires ${shown(name)}, which it does not describe`);
  const known = [...required].filter((name) => !unknown.includes(name)).sort();
  if (known.length > 0) draft.required = known;
  const others = given.additionalProperties;
  if (typeof others === 'boolean') draft.additionalProperties = others;
  else if (isObject(others))
    draft.additionalProperties = readParameterSchema(others, `${place} members`, report, depth + 1).schema;
}

function readDefault(
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

/** Names that check ids can hold. */
export function isUsable(name: string): boolean {
  return /^[^*?[\]{}!()\\\s/]+$/.test(name) && name.length <= 200;
}

/** The members of an object in an order that does not depend on the machine. */
export function sortedEntries(object: JsonObject): [string, unknown][] {
  return Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1));
}

const ORDER: readonly (keyof Schema)[] = [
  ...(['title', 'description', 'type', 'enum', 'default', 'minimum', 'maximum', 'minLength'] as const),
  ...(['maxLength', 'pattern', 'format', 'items', 'minItems', 'maxItems', 'uniqueItems'] as const),
  ...(['properties', 'required', 'additionalProperties', 'readOnly', 'x-contexts', 'x-published'] as const),
];

function ordered(draft: Draft): Schema {
  return Object.fromEntries(
    ORDER.filter((keyword) => draft[keyword] !== undefined).map((keyword) => [keyword, draft[keyword]]),
  );
}
