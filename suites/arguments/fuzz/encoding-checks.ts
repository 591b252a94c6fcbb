import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { draw } from '../../../generators/explore.ts';
import { type SetParameter, validSets } from '../../../generators/sets.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { isDeclaredAsStated } from '../../declarations/declared-constraints.ts';
import { servedBy } from '../../declarations/place-id.ts';
import { ownRecordsOf } from '../../records/own/own-records-of.ts';
import { drawSets } from '../../search/draw-sets.ts';
import type { FuzzSet } from '../../search/fuzz-set.ts';
import { searchTelling } from '../../search/search-telling.ts';
import { sameInAnyForm } from './same-in-any-form.ts';
import { IDENTIFYING } from './write-fuzz-checks.ts';

type Argument = readonly [name: string, value: unknown];

const FEWEST_PARAMETERS = 3;
/** Of the examples of a run, one of so many: each is written in every form. */
const SHARE = 10;
/** Sets that are drawn for each that is sent: the largest of them say most. */
const DRAWN = 4;

/** Texts that an encoding may change on the way. */
const TEXTS: readonly string[] = [
  'one & two = three; four+five %41 #6 ?7',
  'quotes \' and " and \\ a backslash',
  'línea 日本 😀',
  'first line\nsecond line',
  '[1,2] {"a": null} a,b,,c',
];

/**
 * The property-based check of a change of records: whether a query, a form or JSON carries its arguments, and in which order,
 * does not change what they mean (§4).
 */
export function encodingChecks(operation: Operation): Check[] {
  const { id, role, resource, section } = operation;
  if (role !== 'update' || resource?.parent !== undefined || operation.effect !== 'writes') return [];
  const free = operation.parameters.filter(isPlain);
  if (free.length < FEWEST_PARAMETERS) return [];
  const check = checkId(id, 'fuzz', 'encodings');
  return [
    {
      id: check,
      title: `${id} takes the same arguments alike from a query, a form and JSON, in any order`,
      section,
      basis: 'implied',
      effect: 'writes',
      mode: 'write',
      needsUser: true,
      operation: id,
      dependsOn: servedBy(operation),
      // What is not read from a form as a whole, or of one field, is reported already.
      buildsOn: [
        checkId(id, 'form'),
        ...free.filter((one) => !isText(one)).map(({ name }) => checkId(id, name, 'form')),
      ],
      run: (session) => judge(session, check, operation, free),
    },
  ];
}

/** Arguments that every encoding can say, and that hang on nothing of the site. */
function isPlain({ name, in: place, schema }: Parameter): boolean {
  if (
    place === 'path' ||
    IDENTIFYING.has(name) ||
    schema.readOnly === true ||
    schema['x-names'] !== undefined
  )
    return false;
  return !typesOf(schema).includes('object') || isText({ schema });
}

/** Whether it is a text that shows more than it takes (§2). */
function isText({ schema }: Pick<Parameter, 'schema'>): boolean {
  return schema.properties?.raw !== undefined;
}

async function judge(
  session: Session,
  check: string,
  operation: Operation,
  plain: readonly Parameter[],
): Promise<Finding[]> {
  const own = ownRecordsOf(session);
  if (own === undefined) return [inconclusive('the run writes no records of its own')];
  const parameters = plain.filter((one) => isDeclaredAsStated(session.index, operation, one));
  const free = parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
  const sets = drawSets(session, check, (examples, seed) =>
    drawnSets(parameters, Math.ceil(examples / SHARE), seed),
  );
  const property = sameInAnyForm(session, own, operation, parameters);
  if (typeof property === 'string') return [inconclusive(property)];
  return searchTelling(session, check, free, sets, property);
}

/** Leaves out null, which not every encoding can say, and the second of two fields that are not written together. */
function withoutApart(parameters: readonly Parameter[], given: readonly Argument[]): Argument[] {
  const apartOf = (wire: string): readonly string[] =>
    parameters.find((one) => one.wire === wire)?.schema['x-apart'] ?? [];
  const neutral = new Map(parameters.map(({ wire, name }) => [wire, name]));
  const left: Argument[] = [];
  for (const [name, value] of given) {
    const isApart = left.some(
      ([other]) =>
        apartOf(other).includes(neutral.get(name) ?? '') || apartOf(name).includes(neutral.get(other) ?? ''),
    );
    if (value !== null && !isApart) left.push([name, value]);
  }
  return left;
}

function drawnSets(parameters: readonly Parameter[], count: number, seed: number): FuzzSet[] {
  const known = parameters.map(
    (parameter): SetParameter => ({
      name: parameter.wire,
      schema: parameter.schema,
      required: false,
      ...(isText(parameter) && { known: TEXTS.map((raw) => ({ raw })) }),
    }),
  );
  const drawn = draw(validSets(known), count * DRAWN, seed)
    .map(({ args }) => Object.entries(args).map(([name, { value }]) => [name, value] as const))
    .map((given) => withoutApart(parameters, given))
    .sort((one, other) => other.length - one.length);
  return drawn.slice(0, count).map((given) => ({
    phase: 'random',
    args: Object.fromEntries(given),
    about: given.map(([name]) => ({ name, keyword: 'encoding' })),
  }));
}
