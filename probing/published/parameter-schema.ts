import { asObject, isObject, type JsonObject } from '../../client/json.ts';
import type { Schema } from '../../specs/schema.ts';
import type { Report } from './lint-rules.ts';
import {
  type Draft,
  isBeside,
  readDefault,
  readEnum,
  readLimits,
  readTexts,
  reportBeside,
  typesIn,
} from './parameter-keywords.ts';
import { shown } from './values.ts';

/** A parameter, or a part of one, as a contract holds it. */
interface ReadSchema {
  readonly schema: Schema;
  /** Whether it is declared as required; undefined where that is moot. */
  readonly required: boolean | undefined;
}

const DEEPEST = 12;
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
  const silent = NARROWING.filter((keyword) => isLeftOut(keyword, given, draft));
  const isMoot = given.required === true && given.default !== undefined && given.default !== null;
  if (isMoot)
    report('required-with-default', place, `required, and ${shown(given.default)} when it is left out`);
  const left = isMoot ? [...silent, 'required'] : silent;
  if (left.length > 0) draft['x-silent'] = left;
  return { schema: ordered(draft), required: isMoot ? undefined : given.required === true };
}

/** What narrows the values that a parameter takes. Where one of these contradicts itself, the contract says nothing of it. */
const NARROWING = [
  ...(['type', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength'] as const),
  ...(['pattern', 'format', 'minItems', 'maxItems', 'default'] as const),
];

function isLeftOut(keyword: (typeof NARROWING)[number], given: JsonObject, draft: Draft): boolean {
  const isKept = draft[keyword] !== undefined || draft['x-published']?.[keyword] !== undefined;
  return (given[keyword] ?? '') !== '' && !isKept;
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
  ...([
    'properties',
    'required',
    'additionalProperties',
    'readOnly',
    'x-contexts',
    'x-published',
    'x-silent',
  ] as const),
];

function ordered(draft: Draft): Schema {
  return Object.fromEntries(
    ORDER.filter((keyword) => draft[keyword] !== undefined).map((keyword) => [keyword, draft[keyword]]),
  );
}
