import { type Constraint, type Schema, type Step, typesOf } from '../specs/schema.ts';
import { goodObject, goodValue, plainTypes, takesNoWord } from './valid-values.ts';

/** A value that breaks exactly one keyword; `undefined` means leaving the parameter out. */
interface RefusedValue {
  readonly value: unknown;
  readonly why: string;
  /** A value of a kind that is sent anyway; it is sent with others, but seldom in a request of its own. */
  readonly further?: true;
  /** The requests that seldom hold it by mistake: a query holds words alone, and a body in JSON knows lists. */
  readonly unlikelyIn?: 'queries' | 'bodies';
}

const NOT_A_MEMBER = 'not-a-member';
/** A word that no enum has. */
export const A_WORD: RefusedValue = { value: NOT_A_MEMBER, why: 'a word outside the enum' };
/** A letter of three bytes, and one character however software counts: in code points or in code units of UTF-16. */
const WIDE_LETTER = 'あ';

/**
 * Values that must be refused because they break only the keyword of a constraint; none if no value is certain.
 * @param outside values that are known to be outside an enum, the most certain first
 */
export function refusedValues(
  schema: Schema,
  constraint: Constraint,
  outside: readonly RefusedValue[] = [],
): RefusedValue[] {
  if (constraint.kind === 'required') return withoutIt(schema, constraint);
  return [
    ...refusedLeaves(constraint, outside).map((leaf) => ({
      ...leaf,
      value: embedValue(schema, constraint.steps, leaf.value),
    })),
    ...secondItems(schema, constraint),
    ...fractions(constraint),
  ];
}

/** A fraction, only for a parameter itself, which is enough to show how a site reads numbers. */
function fractions({ kind, steps, schema }: Constraint): RefusedValue[] {
  const isWhole = steps.length === 0 && plainTypes(schema).join() === 'integer' && schema.enum === undefined;
  if (kind !== 'type' || !isWhole) return [];
  return [{ value: 1.5, why: 'a number that is whole only when it is rounded' }];
}

/** An invalid item after a valid one, for software that checks only the first. */
function secondItems({ items, maxItems = Infinity }: Schema, { kind, steps }: Constraint): RefusedValue[] {
  const isItem = steps.length === 1 && steps[0]?.to === 'items';
  if (!isItem || kind !== 'enum' || items === undefined || maxItems < 2) return [];
  return [{ value: [goodValue(items), NOT_A_MEMBER], why: 'a word outside the enum behind a member' }];
}

function withoutIt(schema: Schema, { required, steps }: Constraint): RefusedValue[] {
  const last = steps.at(-1);
  if (required !== true) return [];
  if (last?.to !== 'property') return [{ value: undefined, why: 'a request without it' }];
  const path = steps.slice(0, -1);
  const { [last.name]: _, ...rest } = goodObject(path.reduce(innerSchema, schema));
  return [{ value: embedValue(schema, path, rest), why: 'an object without it' }];
}

function refusedLeaves(
  { kind, schema, absent }: Constraint,
  outside: readonly RefusedValue[],
): RefusedValue[] {
  switch (kind) {
    case 'absent':
      return absent?.closed === true && absent.probe !== undefined
        ? [{ value: absent.probe, why: `the member ${absent.name}, which the contract excludes` }]
        : [];
    case 'enum': {
      const [first = A_WORD, ...others] = outside;
      return [first, ...others.map((one): RefusedValue => ({ ...one, further: true }))];
    }
    case 'minimum':
      return belowMinimum(schema);
    case 'maximum':
      return [{ value: (schema.maximum ?? 0) + 1, why: `one more than the maximum ${schema.maximum}` }];
    case 'maxLength':
      return [textOf((schema.maxLength ?? 0) + 1)];
    case 'minLength':
      return [textOf((schema.minLength ?? 1) - 1)];
    case 'maxItems':
      return [itemsOf(schema, (schema.maxItems ?? 0) + 1)];
    case 'minItems':
      return [itemsOf(schema, (schema.minItems ?? 1) - 1)];
    case 'uniqueItems':
      return [{ value: twice(schema), why: 'the same item twice' }];
    case 'additionalProperties':
      return schema.additionalProperties === false
        ? [{ value: { ...goodObject(schema), not_a_member: 1 }, why: 'a member that the contract excludes' }]
        : [];
    case 'format':
      return schema.format === 'date-time' ? NO_DATES : [];
    case 'pattern':
      return [{ value: 'a/b!', why: 'characters that the pattern excludes' }];
    case 'type':
      return wrongTypes(schema);
    default:
      return [];
  }
}

/** For a maximum number of records, software reads a negative number as no limit. */
function belowMinimum({ minimum = 0, maximum }: Schema): RefusedValue[] {
  const nearest = { value: minimum - 1, why: `one less than the minimum ${minimum}` };
  const isMost = minimum > 0 && maximum !== undefined;
  return isMost ? [nearest, { value: -1, why: 'a number below nothing', further: true }] : [nearest];
}

const NO_DATES: RefusedValue[] = [
  // Lenient parsers take the name of a day.
  { value: 'tomorrow', why: 'a word for a date' },
  { value: '2024-05-06', why: 'a day without a time', further: true },
  { value: '2024-05-06T07:08:09abc', why: 'a word after a date', further: true },
  // It may take a date back (R48).
  { value: '', why: 'an empty text for a date', further: true, unlikelyIn: 'bodies' },
];

/** Software reads it as zero, as false, or as nothing given. */
export const EMPTY: RefusedValue = { value: '', why: 'an empty text', further: true };

/** What a language may turn into a number by itself. */
const NUMBERS: RefusedValue[] = [
  { value: '1abc', why: 'a word that begins with a number', further: true },
  { value: [1], why: 'a list for an integer', further: true, unlikelyIn: 'bodies' },
  { value: true, why: 'a boolean for an integer', further: true, unlikelyIn: 'queries' },
];

/** Wrong types that must be refused (R34). A schema with an enum has values of its own. */
function wrongTypes(schema: Schema): RefusedValue[] {
  if (schema.enum !== undefined) return [];
  const [type, ...others] = plainTypes(schema);
  if (others.length > 0) {
    return takesNoWord(schema) ? [{ value: 'abc', why: 'a word for a list of numbers or an object' }] : [];
  }
  switch (type) {
    case 'integer':
      return [
        { value: 'abc', why: 'a word for an integer' },
        // With a limit, the further value is a number below it.
        ...(schema.maximum === undefined ? NUMBERS : []),
        EMPTY,
      ];
    case 'boolean':
      return [
        { value: 'maybe', why: 'a word that is no boolean' },
        { value: '2', why: 'a number that is no boolean', further: true },
        { value: 'yes', why: 'a word that many languages take for true', further: true },
        EMPTY,
      ];
    case 'array':
      // A lone value counts as an array of one, so only its items can be wrong.
      return schema.items === undefined ? [] : wrongItems(schema.items);
    case 'string':
      return [
        { value: { a: 'b' }, why: 'a structure for a string' },
        { value: ['a'], why: 'a list for a string', further: true },
      ];
    default:
      return [];
  }
}

/** The invalid item comes after a valid one; the items themselves are tested alone elsewhere. */
function wrongItems(items: Schema): RefusedValue[] {
  if (!typesOf(items).includes('integer')) return [];
  const good = goodValue(items);
  return [
    { value: [good, 'abc'], why: 'a word in a list of integers' },
    { value: [good, good, '1.5'], why: 'a fraction behind two integers', further: true },
  ];
}

/** A list with the same item at both ends, and another one between them if one is known. */
function twice({ items = {}, maxItems = Infinity }: Schema): unknown[] {
  const item = goodValue(items);
  const other = anotherThan(item, items);
  return other === undefined || maxItems < 3 ? [item, item] : [item, other, item];
}

/** A valid item other than the given one; undefined if none is known. */
function anotherThan(item: unknown, { enum: members }: Schema): unknown {
  if (members !== undefined) return members[1];
  if (typeof item === 'number') return item + 1;
  return typeof item === 'string' ? `${item}-2` : undefined;
}

/** A text of so many characters, to detect software that counts bytes. */
function textOf(characters: number): RefusedValue {
  return { value: WIDE_LETTER.repeat(characters), why: `${characters} characters` };
}

function itemsOf({ items = {} }: Schema, count: number): RefusedValue {
  return { value: Array.from({ length: count }, () => goodValue(items)), why: `${count} items` };
}

/** A value that must be accepted. */
type AcceptedValue = Pick<RefusedValue, 'value' | 'why'>;

/** Values that must be accepted because they just meet a constraint: members, limits and spellings of a type. */
export function acceptedValues(schema: Schema, constraint: Constraint): AcceptedValue[] {
  return acceptedLeaves(constraint).map((leaf) => ({
    ...leaf,
    value: embedValue(schema, constraint.steps, leaf.value),
  }));
}

function acceptedLeaves({ kind, schema }: Constraint): AcceptedValue[] {
  switch (kind) {
    case 'enum':
      return (schema.enum ?? []).map((value) => ({ value, why: `the member ${JSON.stringify(value)}` }));
    case 'minimum':
    case 'maximum':
      return [{ value: schema[kind], why: `the ${kind} itself` }];
    case 'maxLength':
      return schema.pattern === undefined ? [textOf(schema.maxLength ?? 0)] : [];
    case 'maxItems':
      return [itemsOf(schema, schema.maxItems ?? 0)];
    case 'minItems':
      return [itemsOf(schema, schema.minItems ?? 0)];
    case 'format':
      return schema.format === 'date-time' ? DATES : [];
    case 'type':
      return [
        ...spellings(schema),
        ...(schema['x-examples'] ?? []).map((value) => ({ value, why: 'a value that the contract names' })),
      ];
    default:
      return [];
  }
}

const DATES: AcceptedValue[] = [
  '2024-05-06T07:08:09',
  '2024-05-06T07:08:09Z',
  '2024-05-06T07:08:09+02:00',
].map((value) => ({ value, why: 'a date-time of ISO 8601' }));

function spellings(schema: Schema): AcceptedValue[] {
  if (schema.enum !== undefined) return [];
  const types = typesOf(schema);
  if (types.includes('boolean')) {
    return [true, false].map((value) => ({ value, why: 'a boolean' }));
  }
  if (types.includes('integer')) return [{ value: goodValue(schema), why: 'an integer' }];
  // If a list is accepted, a text is too.
  if (types.includes('array') && types.includes('string')) return [{ value: 'sample', why: 'a text' }];
  if (types.includes('array') && schema.items !== undefined) {
    const item = goodValue(schema.items);
    const other = anotherThan(item, schema.items) ?? `${String(item)}-2`;
    const plain = ['string', 'integer'].includes(typesOf(schema.items)[0] ?? 'string');
    if (!plain) return [];
    return [{ value: [item, other], why: 'a list with brackets' }];
  }
  return [];
}

/** The name of a member for objects without named members. */
const ANY_MEMBER = 'sample';

const FIRST_MEMBER = 'first';

/** Puts a value inside a parameter; in a list of objects behind a good one, which software may check alone. */
function embedValue(schema: Schema, steps: readonly Step[], leaf: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return leaf;
  const inner = innerSchema(schema, step);
  const value = embedValue(inner, rest, leaf);
  if (step.to === 'items') {
    const { minItems = 0, maxItems = Infinity } = schema;
    const isBehind = isGoodObject(inner) && maxItems > 1;
    const length = Math.max(isBehind ? 1 : 0, minItems - 1);
    const others = Array.from({ length }, () => goodValue(inner));
    return isBehind ? [...others, value] : [value, ...others];
  }
  if (step.to === 'property') return { ...goodObject(schema), [step.name]: value };
  const first = isGoodObject(inner) ? { [FIRST_MEMBER]: goodObject(inner) } : {};
  return { ...goodObject(schema), ...first, [ANY_MEMBER]: value };
}

/** The schema that is one step inside of another one. */
function innerSchema({ items, properties, additionalProperties }: Schema, step: Step): Schema {
  if (step.to === 'items') return items ?? {};
  if (step.to === 'property') return properties?.[step.name] ?? {};
  return typeof additionalProperties === 'object' ? additionalProperties : {};
}

/** Whether a good object of this schema can be made; other requirements of its variants are unknown. */
function isGoodObject(schema: Schema): boolean {
  return typesOf(schema).join() === 'object' && schema['x-variants'] === undefined;
}
