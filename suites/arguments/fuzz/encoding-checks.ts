import { member } from '../../../client/json.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { describe, failure, inconclusive, show } from '../../../engine/findings.ts';
import { draw } from '../../../generators/explore.ts';
import { anyValidSet, type SetParameter, valuesOf } from '../../../generators/sets.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import { isDeclaredAsStated } from '../../../probing/declarations/compare-constraint.ts';
import { ownCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { isText } from '../../../probing/records/own/writable-fields.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import type { Evaluation, FuzzSet, Property } from '../../../probing/search/fuzz-sets.ts';
import { asFree, drawSets, setOf } from '../../../probing/search/fuzz-sets.ts';
import { searchComparing } from '../../../probing/search/search.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { distinct } from '../calls/argument-values.ts';
import { makeOwnRecord } from '../calls/probe-as-user.ts';
import { COMPARED_SHARE, endOf, FEWEST_PARAMETERS, simplerAmong } from './properties.ts';
import { IDENTIFYING } from './write-fuzz-checks.ts';

type Argument = readonly [name: string, value: unknown];

/** Sets drawn for each set that is sent: only the largest are used. */
const DRAWN = 4;

const TEXTS: readonly string[] = [
  'one & two = three; four+five %41 #6 ?7',
  'quotes \' and " and \\ a backslash',
  'línea 日本 😀',
  'first line\nsecond line',
  '[1,2] {"a": null} a,b,,c',
];

/** The check that a change of records means the same in a query, a form or JSON, in any order (§4). */
export function encodingChecks(operation: Operation): Check[] {
  const { id, role, resource } = operation;
  if (role !== 'update' || resource?.parent !== undefined || operation.effect !== 'writes') return [];
  const free = operation.parameters.filter(isPlain);
  if (free.length < FEWEST_PARAMETERS) return [];
  const own = checkId(id, 'fuzz', 'encodings');
  return [
    ownCheck({
      id: own,
      kind: 'drawn',
      title: `${id} takes the same arguments alike from a query, a form and JSON, in any order`,
      on: operation,
      needs: [serves(operation)],
      // Forms that are not read at all, or not for one field, are already reported.
      after: [
        checkId(id, 'form'),
        free.filter((one) => !isText(one)).map(({ name }) => checkId(id, name, 'form')),
      ],
      run: (records) => evaluate(records, own, operation, free),
    }),
  ];
}

/** Whether every encoding can express an argument, and it does not depend on the site. */
function isPlain({ name, in: place, schema }: Parameter): boolean {
  const isBound = IDENTIFYING.has(name) || schema.readOnly === true || schema['x-names'] !== undefined;
  if (place === 'path' || isBound) return false;
  return !typesOf(schema).includes('object') || isText({ schema });
}

async function evaluate(
  own: OwnRecords,
  check: string,
  operation: Operation,
  plain: readonly Parameter[],
): Promise<Finding[]> {
  const { session } = own;
  const parameters = plain.filter((one) => isDeclaredAsStated(session.index, operation, one));
  const sets = drawSets(session, check, (examples, seed) =>
    drawnSets(parameters, Math.ceil(examples / COMPARED_SHARE), seed),
  );
  const property = sameInAnyForm(own, operation, parameters);
  return searchComparing({ session, check, free: asFree(parameters) }, sets, property);
}

/** Leaves out null, which not every encoding can express, and one of two fields that may not be written together. */
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
  const drawn = draw(anyValidSet(known), count * DRAWN, seed)
    .map((set) => withoutApart(parameters, Object.entries(valuesOf(set))))
    .sort((one, other) => other.length - one.length);
  return drawn.slice(0, count).map((given) => setOf('random', Object.fromEntries(given), 'encoding'));
}

interface WireForm {
  readonly encoding: 'query' | 'form' | 'json';
  readonly sent: Pick<RequestSpec, 'query' | 'body'>;
}

/** Writes to a record of its own for each kind of form; undefined if none could be made. */
type WriteInForm = (form: WireForm, kind: string) => Promise<Observation | undefined>;

interface Unlike {
  readonly names: readonly string[];
  readonly one: Observation;
  readonly other: Observation;
  readonly form: WireForm;
}

/** A difference counts if it shows on new records too, and two records written alike do not differ. */
function sameInAnyForm(own: OwnRecords, operation: Operation, parameters: readonly Parameter[]): Property {
  const collection = operation.resource?.id;
  if (collection === undefined || own.route(collection) === undefined)
    throw inconclusiveAbort(`${operation.id} is not about records`);
  const newRecords = (): WriteInForm => {
    const made = new Map<string, ReturnType<typeof makeOwnRecord>>();
    return async ({ sent }, kind) => {
      const making = made.get(kind) ?? makeOwnRecord(own, collection);
      made.set(kind, making);
      const record = await making;
      if (record === undefined) return undefined;
      const about = { method: 'POST', route: own.routeOf(record), as: 'user', intent: 'own-record' } as const;
      return own.session.client.request({ ...about, ...sent });
    };
  };
  const shared = newRecords();
  return {
    async evaluate(args, fresh) {
      if (!fresh) {
        const found = await compareForms(shared, args);
        if (found === undefined || 'answer' in found)
          return { end: found === undefined ? 'other' : endOf(found) };
      }
      return confirmForms(newRecords(), args, `${show(args)} for ${operation.id}`);
    },
    simpler: simplerAmong(asFree(parameters)),
  };
}

/** Writes arguments in every form. @returns the first difference, or else the answer, if anything was written */
async function compareForms(write: WriteInForm, args: Args): Promise<Unlike | Observation | undefined> {
  const one = await write(jsonOf(args), 'json');
  if (one === undefined || endOf(one) === 'other') return one;
  for (const [at, form] of formsOf(args).entries()) {
    const other = await write(form, `other ${at}`);
    if (other === undefined || endOf(other) === 'other') continue;
    const names = unlikeNames(args, one, other);
    if (names !== undefined) return { names, one, other, form };
  }
  return one;
}

/** Confirms a difference with new records, of which two written alike must be equal. */
async function confirmForms(write: WriteInForm, args: Args, what: string): Promise<Evaluation> {
  const found = await compareForms(write, args);
  if (found === undefined) return { end: 'other', finding: inconclusive('no own records could be made') };
  if ('answer' in found) return { end: endOf(found) };
  const { names, one, other, form } = found;
  const again = await write(jsonOf(args), 'json again');
  if (again === undefined || unlikeNames(args, one, again) !== undefined) {
    return { end: endOf(one), finding: inconclusive(`${what} is not answered alike even in the same form`) };
  }
  const named = form.encoding === 'query' ? '' : ' with a charset';
  const differs = names.length === 0 ? 'is answered otherwise' : `is stored otherwise (${names.join(', ')})`;
  return {
    end: endOf(one),
    kind: 'encoding',
    finding: failure(`${what} ${differs} when a ${form.encoding}${named} carries it`, {
      expected: `as from JSON: ${shownOf(args, one)}`,
      observed: shownOf(args, other),
      reproduce: [one.curl, other.curl],
    }),
  };
}

function jsonOf(json: Args): WireForm {
  return { encoding: 'json', sent: { body: { json } } };
}

/** The arguments in each other form, spelt and ordered by what they are; bodies name their charset, as of many clients. */
function formsOf(args: Args): WireForm[] {
  const json = Object.fromEntries(Object.entries(args).reverse());
  const spellings = distinct([encodeArgs(args), encodeArgs(json)]);
  const pairs = spellings[JSON.stringify(args).length % spellings.length] ?? [];
  const reordered: WireForm = { encoding: 'json', sent: { body: { json, charset: true } } };
  const others: WireForm[] = [
    { encoding: 'query', sent: { query: pairs } },
    { encoding: 'form', sent: { body: { form: pairs, charset: true } } },
  ];
  return [...(Object.keys(args).length > 1 ? [reordered] : []), ...(isSayable(args) ? others : [])];
}

/** Whether a query can express a value: it has no `null` and no empty structures. */
function isSayable(value: unknown): boolean {
  if (value === null) return false;
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object') return true;
  const inner: unknown[] = Object.values(value);
  return inner.every(
    (one) => isSayable(one) && (typeof one !== 'object' || Object.keys(Object(one)).length > 0),
  );
}

/** The arguments that two answers show differently; empty if exactly one is a refusal. */
function unlikeNames(args: Args, one: Observation, other: Observation): string[] | undefined {
  if (one.answer !== other.answer) return [];
  if (one.answer !== 'accepted') return undefined;
  const names = Object.keys(args).filter((name) => !sameMeaning(storedIn(one, name), storedIn(other, name)));
  return names.length === 0 ? undefined : names;
}

/** The stored value of a field; a rendered one could name the record. */
function storedIn({ json }: Observation, name: string): unknown {
  return rawOf(json, name) ?? member(json, name);
}

function shownOf(args: Args, answer: Observation): string {
  if (answer.answer !== 'accepted') return describe(answer);
  return show(Object.fromEntries(Object.keys(args).map((name) => [name, storedIn(answer, name)])));
}
