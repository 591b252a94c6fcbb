import { asObject, byName, isObject, type JsonObject } from '../../client/json.ts';
import type { ParameterSet } from '../../specs/operation-file.ts';
import {
  FORMATS,
  isAbout,
  LIMIT_KEYWORDS,
  type LimitKeyword,
  RANGES,
  type Schema,
  TYPES,
} from '../../specs/schema.ts';
import type rules from '../../specs/texts/lint-rules.json';
import { inclusiveLimit } from '../declarations/compare-keywords.ts';
import { SYNONYMS } from '../declarations/descriptor.ts';
import { fits, isReadable, isTooLarge } from '../declarations/patterns.ts';

/** The id of a rule of the linter, which is stable. */
type LintRuleId = keyof typeof rules;

/** A contradiction within an index. The keyword is left out of the contract. */
export interface LintFinding {
  readonly rule: LintRuleId;
  /** Where it stands: the key of the route, the method, the parameter, the place inside it. */
  readonly place: string;
  readonly message: string;
}

/** Receives the findings of a reader of the index. */
export type Report = (rule: LintRuleId, place: string, message: string) => void;

interface ReadSchema {
  readonly schema: Schema;
  /** Whether it is declared as required; undefined if that has no effect. */
  readonly required: boolean | undefined;
}

const DEEPEST = 12;
const CONTEXT = /^[a-z][a-z_-]*$/;

/** Converts the description of a parameter (§1) to a schema, whatever the input. Contradictions are reported. */
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
  const found = (rule: LintRuleId, message: string): void => report(rule, place, message);
  const types = typesIn(given, found);
  const [single] = types;
  if (single !== undefined) draft.type = types.length === 1 ? single : types;
  const reading: SchemaReading = { given, types, draft, report: found };
  readEnum(reading);
  readLimits(reading);
  readTexts(reading);
  readParts(reading, (raw, part) => readParameterSchema(raw, `${place}${part}`, report, depth + 1));
  if (given.readonly === true) draft.readOnly = true;
  readContexts(reading);
  readDefault(reading);
  const silent = [...NARROWING, 'default' as const].filter((keyword) => isLeftOut(keyword, given, draft));
  const isMoot = given.required === true && given.default !== undefined && given.default !== null;
  if (isMoot) found('required-with-default', `required, and ${shown(given.default)} when it is left out`);
  const left = isMoot ? [...silent, 'required'] : silent;
  if (left.length > 0) draft['x-silent'] = left;
  return { schema: draft, required: isMoot ? undefined : given.required === true };
}

/** Keywords that narrow the valid values. If one of them is contradictory, the contract states none. */
export const NARROWING: readonly ('type' | 'enum' | 'pattern' | 'format' | LimitKeyword)[] = [
  ...(['type', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength'] as const),
  ...(['pattern', 'format', 'minItems', 'maxItems'] as const),
];

/** Whether a declaration has a keyword that a schema does not have, not even as published text. */
export function isLeftOut(keyword: keyof Schema, given: JsonObject, schema: Schema): boolean {
  const isKept = schema[keyword] !== undefined || schema['x-published']?.[keyword] !== undefined;
  return (given[keyword] ?? '') !== '' && !isKept;
}

function readParts(
  { given, types, draft, report }: SchemaReading,
  read: (raw: unknown, part: string) => ReadSchema,
): void {
  if (given.items !== undefined && !reportsBeside('items', types, report)) {
    draft.items = read(given.items, ' items').schema;
  }
  if (given.uniqueItems === true) draft.uniqueItems = true;
  const members = asObject(given.properties);
  if (given.properties !== undefined && members === undefined)
    report('keyword-shape', `properties is ${shown(given.properties)}`);
  const required = new Set(Array.isArray(given.required) ? given.required.map(String) : []);
  const isEmpty = members === undefined || Object.keys(members).length === 0;
  if (!isEmpty && !reportsBeside('properties', types, report)) {
    const unusable = (name: string): void => report('name-unusable', `a member is called ${name}`);
    const parts = usableEntries(members, unusable).flatMap(([name, inner]) => {
      const part = read(inner, `.${name}`);
      // A keyword among the members is a mistake, not a member.
      if (asObject(inner) === undefined) return [];
      if (part.required === true) required.add(name);
      return [[name, part.schema] as const];
    });
    draft.properties = Object.fromEntries(parts);
  }
  const unknown = [...required].filter((name) => !Object.hasOwn(draft.properties ?? {}, name));
  for (const name of unknown)
    report('required-unknown', `requires ${shown(name)}, which it does not describe`);
  const known = [...required].filter((name) => !unknown.includes(name)).sort();
  if (known.length > 0) draft.required = known;
  const others = given.additionalProperties;
  if (typeof others === 'boolean') draft.additionalProperties = others;
  else if (isObject(others)) draft.additionalProperties = read(others, ' members').schema;
}

/** Reads some parameters as an operation file holds them. @param placeOf where a parameter is, for messages */
export function readParameters(
  declared: Iterable<readonly [name: string, raw: unknown]>,
  placeOf: (name: string) => string,
  report: Report,
): ParameterSet {
  const read = [...declared].map(([name, raw]) => ({
    name,
    ...readParameterSchema(raw, placeOf(name), report),
  }));
  if (read.length === 0) return {};
  const required = read.flatMap((one) => (one.required === true ? [one.name] : []));
  const properties = Object.fromEntries(read.map(({ name, schema }) => [name, schema]));
  return { properties, ...(required.length > 0 && { required }) };
}

/** The members of an object whose names check ids can hold, in an order that is the same on every machine. */
export function usableEntries(object: JsonObject, unusable: (name: string) => void): [string, unknown][] {
  return Object.entries(object)
    .sort(byName)
    .filter(([name]) => {
      const isUsable = /^[^*?[\]{}!()\\\s/]+$/.test(name) && name.length <= 200;
      if (!isUsable) unusable(shown(name));
      return isUsable;
    });
}

interface SchemaReading {
  readonly given: JsonObject;
  readonly types: readonly string[];
  readonly draft: Draft;
  report(rule: LintRuleId, message: string): void;
}

type Draft = { -readonly [K in keyof Schema]: Schema[K] };

/** Keywords that are compared, but not used to generate values. */
const OPAQUE = [
  ...['oneOf', 'anyOf', 'allOf', 'not', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minProperties', 'maxProperties', 'patternProperties'],
];
const LONGEST_OPAQUE = 20_000;

/** The types that a description names, in one spelling; none where one of them is unknown. */
function typesIn(given: JsonObject, report: SchemaReading['report']): string[] {
  if (given.type === undefined || given.type === null) return [];
  const words: unknown[] = Array.isArray(given.type) ? given.type : [given.type];
  const types = words.map((word) => (typeof word === 'string' ? (SYNONYMS[word] ?? word) : ''));
  const unknown = types.findIndex((type) => !TYPES.includes(type));
  if (unknown === -1) return [...new Set(types)];
  report('type-unknown', `the type is ${shown(words[unknown])}`);
  return [];
}

/** Takes an enum over, unless one of its members can never be valid. */
function readEnum({ given, types, draft, report }: SchemaReading): void {
  const members = given.enum;
  if (members === undefined) return;
  if (!Array.isArray(members) || members.length === 0) {
    if (Array.isArray(members)) report('enum-empty', 'the enum has no members');
    else report('keyword-shape', `enum is ${shown(members)}, not a list`);
    return;
  }
  const listed: readonly unknown[] = members;
  const texts = listed.map((one) => JSON.stringify(one));
  const twice = listed.find((_, at) => texts.indexOf(texts[at] ?? '') !== at);
  if (twice !== undefined) report('enum-repeated', `${shown(twice)} is in the enum twice`);
  const isList = types.length === 1 && types[0] === 'array';
  const outsider = listed.find(
    (one) =>
      types.length > 0 &&
      (isList ? !Array.isArray(one) : one !== null && !types.some((type) => fitsType(one, type))),
  );
  if (outsider !== undefined) {
    report('enum-type', `${shown(outsider)} is in the enum of the type ${types.join(' or ')}`);
    return;
  }
  draft.enum = listed.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
}

function fitsLimit(keyword: LimitKeyword, value: unknown): value is number {
  const isCount = keyword !== 'minimum' && keyword !== 'maximum';
  return typeof value === 'number' && (!isCount || (Number.isInteger(value) && value >= 0));
}

function readContexts({ given: { context }, draft }: SchemaReading): void {
  if (!Array.isArray(context)) return;
  const words = context.filter((one: unknown) => typeof one === 'string' && CONTEXT.test(one));
  draft['x-contexts'] = [...new Set(words)];
}

/** Takes limits over, unless minimum and maximum contradict each other or do not apply to the type. */
function readLimits({ given, types, draft, report }: SchemaReading): void {
  for (const keyword of LIMIT_KEYWORDS) {
    const value = inclusiveLimit(keyword, (name) => given[name], types);
    if (value === undefined) continue;
    if (!fitsLimit(keyword, value)) report('keyword-shape', `${keyword} is ${shown(value)}`);
    else if (!reportsBeside(keyword, types, report)) draft[keyword] = value;
  }
  for (const [low, high] of RANGES) {
    const [least, most] = [draft[low], draft[high]];
    if (least === undefined || most === undefined || least <= most) continue;
    report('limits-crossed', `${low} ${least} is above ${high} ${most}`);
    delete draft[low];
    delete draft[high];
  }
}

/** Reports a keyword that does not apply to any of the types. @returns whether it did */
function reportsBeside(keyword: string, types: readonly string[], report: SchemaReading['report']): boolean {
  if (types.length === 0 || types.some((type) => isAbout(keyword, type))) return false;
  report('keyword-beside-type', `${keyword} beside the type ${types.join(' or ')}`);
  return true;
}

/** Takes over what restricts texts; as published what is only compared. */
function readTexts(reading: SchemaReading): void {
  const opaque = { ...readPattern(reading), ...readFormat(reading), ...readOpaque(reading) };
  if (Object.keys(opaque).length > 0) reading.draft['x-published'] = opaque;
}

/** @returns a pattern that is only compared */
function readPattern(reading: SchemaReading): JsonObject {
  const { draft, report } = reading;
  const pattern = textOf(reading, 'pattern');
  if (pattern === undefined) return {};
  const kind = kindOfPattern(pattern);
  if (kind === 'invalid') report('pattern-invalid', `the pattern ${shown(pattern)} does not compile`);
  if (kind === 'not-comparable') report('pattern-not-comparable', `the pattern ${shown(pattern)}`);
  // A pattern for which texts can be generated, and which refuses the invalid texts that the suite sends.
  const isUsed = kind === 'good' && PLAIN.test(pattern) && !fits(pattern, 'a/b!');
  if (isUsed) draft.pattern = pattern;
  return isUsed || kind === 'invalid' ? {} : { pattern };
}

/** @returns a format that is only compared */
function readFormat(reading: SchemaReading): JsonObject {
  const format = textOf(reading, 'format') ?? '';
  const isUsed = FORMATS.has(format);
  if (isUsed) reading.draft.format = format;
  return isUsed || format === '' ? {} : { format };
}

function textOf({ given, report }: SchemaReading, keyword: 'pattern' | 'format'): string | undefined {
  const value = given[keyword];
  if (value === undefined || typeof value === 'string') return value;
  report('keyword-shape', `${keyword} is ${shown(value)}`);
  return undefined;
}

function readOpaque({ given, types, report }: SchemaReading): JsonObject {
  const opaque: Record<string, unknown> = {};
  for (const keyword of OPAQUE) {
    const value = given[keyword];
    // For integers the exclusive bound has been converted to an inclusive one.
    const isSaid = types.includes('integer') && keyword.startsWith('exclusive');
    if (value === undefined || isSaid) continue;
    if (JSON.stringify(value).length > LONGEST_OPAQUE) report('too-deep', `${keyword} is too large`);
    else opaque[keyword] = value;
  }
  return opaque;
}

/** Takes a default over, unless it is not a valid value. */
function readDefault({ given, types, draft, report }: SchemaReading): void {
  const value = given.default;
  // A missing default may be printed as null.
  if (value === undefined || value === null) return;
  const fault = faultOfDefault(value, types, draft);
  if (fault === undefined) draft.default = value;
  else report(...fault);
}

function faultOfDefault(
  value: unknown,
  types: readonly string[],
  draft: Draft,
): Parameters<SchemaReading['report']> | undefined {
  if (types.length > 0 && !types.some((type) => fitsType(value, type)))
    return ['default-type', `the default ${shown(value)} beside the type ${types.join(' or ')}`];
  const members = draft.enum ?? draft.items?.enum;
  const values: unknown[] = draft.enum === undefined ? [value].flat() : [value];
  const outsider = values.find(
    (one) => members !== undefined && !members.some((member) => String(member) === String(one)),
  );
  if (outsider !== undefined)
    return ['default-outside-enum', `the default ${shown(outsider)} is not in ${shown(members)}`];
  const { minimum = -Infinity, maximum = Infinity } = draft;
  if (typeof value !== 'number' || (value >= minimum && value <= maximum)) return undefined;
  return ['default-outside-limits', `the default ${value} is not from ${minimum} to ${maximum}`];
}

/** Syntax that the linear-time engine lacks and the site's own may have. */
const BEYOND = ['(?=', '(?!', '(?<=', '(?<!', '(?>', '(?|', '*+', '++', '?+', '\\1', '\\2', '\\k'];

/** Classifies a pattern of a site without running it in an engine with unbounded run time. */
function kindOfPattern(pattern: string): 'good' | 'not-comparable' | 'invalid' {
  if (isReadable(pattern)) return 'good';
  const isBeyond = isTooLarge(pattern) || BEYOND.some((sign) => pattern.includes(sign));
  return isBeyond ? 'not-comparable' : 'invalid';
}

/** Letters, digits and classes in sequence, with quantifiers. */
const PLAIN =
  /^\^(?:(?:\[[A-Za-z0-9_.-]+\]|\\[dw]|[A-Za-z0-9_-])(?:[+*?]|\{\d{1,2}(?:,\d{1,2})?\})?){1,8}\$$/;

/** Whether a value has a type, or is converted to it when sent as a form (`"15"` as an integer). */
function fitsType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' || typeof value === 'number';
    case 'integer':
      return isNumeric(value) && Number.isInteger(Number(value));
    case 'number':
      return isNumeric(value);
    case 'boolean':
      return [true, false, 0, 1, '0', '1', 'true', 'false', ''].some((one) => one === value);
    case 'array':
      return Array.isArray(value) || typeof value === 'string' || typeof value === 'number';
    case 'object':
      return isObject(value) || value === '' || (Array.isArray(value) && value.length === 0);
    default:
      return value === null;
  }
}

function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}

/** A value shortened for a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
