import { isObject } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import type { Session } from '../../../engine/session.ts';
import { plainTypes } from '../../../generators/valid-values.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { coreNamespaces } from '../../../specs/deployment.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import type { Constraint, Schema } from '../../../specs/schema.ts';
import { wordsOf } from '../../../specs/value-hints.ts';
import { argsBeside, argsBy, distinct, goodFor, likelyValues } from './argument-values.ts';

/** A valid call that a site may accept. */
interface Candidate {
  readonly route: string;
  readonly args: Args;
  /** Whether a value has no type in the contract: the call proves something only if the site accepts it. */
  readonly guessed: boolean;
}

interface OnSite {
  readonly session: Session;
  readonly operation: Operation;
  readonly parameter: Parameter;
}

const MOST_CONTROLS = 8;

const MOST_NAMED_ROUNDS = 4;

/** Valid calls of an operation, those that a site most likely accepts first. @param routes its path, filled in */
export async function candidatesOf(
  session: Session,
  operation: Operation,
  base: Args,
  routes: readonly string[],
): Promise<Candidate[]> {
  const required = operation.parameters.filter((one) => one.required === true && one.in !== 'path');
  const likely = await Promise.all(required.map((one) => likelyValues(session, operation, one)));
  const nth = (which: 'named' | 'plain', at: number): Args =>
    Object.fromEntries(
      required.flatMap(({ wire }, place) => {
        const values = likely[place]?.[which] ?? [];
        return values.length === 0 ? [] : [[wire, values[Math.min(at, values.length - 1)]]];
      }),
    );
  const rounds = Math.max(...likely.map(({ named }) => named.length), 1);
  const best = { ...base, ...nth('named', 0) };
  const isGuess = required.some(({ schema }) => isOpen(schema));
  // The plain route was refused, so the likeliest other one has its turn.
  const route = routes[1] ?? routes[0] ?? '';
  const call = (args: Args, guessed = false): Candidate => ({ route, args, guessed });
  return onceEach([
    ...routes.map((one) => ({ ...call(base), route: one })),
    ...Array.from({ length: Math.min(rounds, MOST_NAMED_ROUNDS) }, (_, at) =>
      call({ ...base, ...nth('named', at) }),
    ),
    call({ ...(await optionalArgsOf(session, operation, 'named')), ...best }),
    call({ ...best, ...nth('plain', 0) }, isGuess),
    call({ ...best, ...nth('plain', 1) }, isGuess),
    call({ ...(await optionalArgsOf(session, operation, 'all')), ...best }),
    call({ ...(await othersOf(session, operation)), ...best }),
    ...required.flatMap(({ wire, schema }, place) =>
      (likely[place]?.plain ?? []).map((value) => call({ ...best, [wire]: value }, isOpen(schema))),
    ),
  ]).slice(0, MOST_CONTROLS);
}

/** Whether a schema does not define the structure of its values, so that an invented one may be wrong. */
function isOpen(schema: Schema): boolean {
  const { enum: members, items, properties } = schema;
  const [type] = plainTypes(schema);
  const isBare = (type === 'array' && items === undefined) || (type === 'object' && properties === undefined);
  return members === undefined && (type === undefined || isBare);
}

function onceEach(candidates: readonly Candidate[]): Candidate[] {
  const byCall = Map.groupBy(candidates, ({ route, args }) => JSON.stringify([route, args]));
  return [...byCall.values()].flatMap(([first]) => first ?? []);
}

/** Likely valid calls with one parameter: its values, then the first ones with other arguments. */
export async function candidatesWith(about: OnSite, beside: Args): Promise<Args[]> {
  const { session, operation, parameter } = about;
  const { named } = await likelyValues(session, operation, parameter);
  const good = goodFor(session, operation, parameter);
  const alone: Args[] = [];
  for (const value of await goodValuesOf(about)) {
    const needs = await argsBeside(session, operation, parameter, value);
    alone.push({ ...needs, ...beside, [parameter.wire]: value });
  }
  const relatives = await relativesOf(about);
  const likeliest = { ...beside, [parameter.wire]: named[0] ?? good };
  return distinct([
    ...alone,
    { ...relatives, ...likeliest },
    { ...(await optionalArgsOf(session, operation, 'all')), ...likeliest },
  ]);
}

const MOST_CANDIDATE_VALUES = 4;

/** Likely values of a parameter, the most likely first. */
export async function goodValuesOf({ session, operation, parameter }: OnSite): Promise<unknown[]> {
  const { named, plain } = await likelyValues(session, operation, parameter);
  return distinct([goodFor(session, operation, parameter), ...named, ...plain])
    .filter((value) => value !== undefined)
    .slice(0, MOST_CANDIDATE_VALUES);
}

/** Other calls with a refused value: with other arguments, or with a value of its type that names something. */
export async function otherCalls(about: OnSite, kind: Constraint['kind'], args: Args): Promise<Args[]> {
  const { session, operation, parameter } = about;
  const { [parameter.wire]: value, ...others } = args;
  const { named } = await likelyValues(session, operation, parameter);
  const instead = kind === 'type' ? named.flatMap((one) => namedInstead(value, one)) : [];
  const relatives = await relativesOf(about);
  return distinct([
    { ...args, ...namesOfMembers(operation, parameter, value) },
    ...[value, ...instead.slice(0, 1)].flatMap((one) => [
      { ...others, [parameter.wire]: one },
      { ...relatives, ...others, [parameter.wire]: one },
    ]),
  ]).filter((call) => !sameMeaning(call, args));
}

/** A value of the same type that names something; a single item is repeated, as there are several. */
function namedInstead(value: unknown, named: unknown): unknown[] {
  // Booleans and members of objects have to be tested themselves.
  if (typeof named !== typeof value || typeof value === 'boolean' || isObject(value)) return [];
  const isOne = Array.isArray(named) && named.length === 1;
  return Array.isArray(value) && value.length > 1 && isOne ? [[...named, ...named]] : [named];
}

/** The required lists of texts that may have to name the members of a map, as an order of them does. */
export function namesOfMembers({ parameters }: Operation, { schema }: Parameter, value: unknown): Args {
  if (!isMap(schema) || !isObject(value)) return {};
  const lists = parameters.filter((one) => one.required === true && one.schema.items?.type === 'string');
  return Object.fromEntries(lists.map(({ wire }) => [wire, Object.keys(value)]));
}

function isMap({ additionalProperties }: Schema): boolean {
  return typeof additionalProperties === 'object';
}

/** Whether an operation belongs to a plugin or theme: which arguments these require together is silent (R51). */
export function isOfPlugin({ route }: Operation): boolean {
  return !coreNamespaces().has(route.namespace);
}

/**
 * Whether a value may need an undeclared sibling: what plugins require of optional parameters is silent (R51), and
 * whether another argument has to name the members of a map.
 */
export function mayNeedSiblings(operation: Operation, { required, schema }: Parameter): boolean {
  return (required !== true || isMap(schema)) && isOfPlugin(operation);
}

const MOST_SIBLINGS = 6;

/** Optional arguments that a plugin may require with another one (R51), the likeliest first. */
export async function siblingsOf(about: OnSite, refusal: Observation): Promise<Args[]> {
  const { session, operation, parameter } = about;
  const without = ({ [parameter.wire]: _, ...others }: Args): Args => others;
  const named = without(await optionalArgsOf(session, operation, 'named'));
  const all = without(await optionalArgsOf(session, operation, 'all'));
  const each = Object.entries({ ...named, ...all });
  const words = wordsOfRefusal(refusal);
  const said = Object.fromEntries(each.filter(([wire]) => words.has(wire)));
  const alone = each.map(([wire, value]) => ({ [wire]: value }));
  return distinct([said, await relativesOf(about), named, all, ...alone])
    .filter((optional) => Object.keys(optional).length > 0)
    .slice(0, MOST_SIBLINGS);
}

/** The sets of optional arguments of an operation that may be combined with any others of a plugin (R51). */
export async function optionalSets(session: Session, operation: Operation): Promise<Args[]> {
  return distinct([
    await optionalArgsOf(session, operation, 'named'),
    await optionalArgsOf(session, operation, 'all'),
  ]).filter((optional) => Object.keys(optional).length > 0);
}

/** The parameters whose names share the first word with another one; related parameters are often named so. */
export async function relativesOf({ session, operation, parameter }: OnSite): Promise<Args> {
  const [word] = wordsOf(parameter.name);
  const optional = await optionalArgsOf(session, operation, 'all');
  const relatives = operation.parameters.filter(
    (one) => one.name !== parameter.name && wordsOf(one.name)[0] === word,
  );
  return Object.fromEntries(
    relatives.flatMap(({ wire }) => (Object.hasOwn(optional, wire) ? [[wire, optional[wire]]] : [])),
  );
}

/** The optional parameters of an operation with likely values: all, or only those whose names suggest a value. */
function optionalArgsOf(session: Session, operation: Operation, which: 'named' | 'all'): Promise<Args> {
  return argsBy(operation, async (parameter) => {
    if (parameter.required === true) return undefined;
    const { named } = await likelyValues(session, operation, parameter);
    return named.length === 0 && which === 'all' ? goodFor(session, operation, parameter) : named[0];
  });
}

/** Other good values of optional parameters: a site may refuse to set a value that is already set. */
export function othersOf(session: Session, operation: Operation): Promise<Args> {
  return argsBy(operation, async (parameter) => {
    const [other] = (await likelyValues(session, operation, parameter)).plain;
    return parameter.required === true ? undefined : other;
  });
}

/** Adds the members named by a refusal to structures without a schema; undefined if it names no missing member. */
export function completedBy(operation: Operation, args: Args, refusal: Observation): Args | undefined {
  const known = new Set(operation.parameters.map(({ wire }) => wire));
  const names = [...wordsOfRefusal(refusal)].filter((word) => MEMBER_NAME.test(word) && !known.has(word));
  const members = Object.fromEntries(names.map((name) => [name, 'sample']));
  const complete = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(complete) : isObject(value) ? { ...members, ...value } : value;
  const open = operation.parameters.filter(({ wire, schema }) => isOpen(schema) && Object.hasOwn(args, wire));
  const completed = { ...args, ...Object.fromEntries(open.map(({ wire }) => [wire, complete(args[wire])])) };
  return JSON.stringify(completed) === JSON.stringify(args) ? undefined : completed;
}

/** The name of a member in software: plain words have no inner underscores or capitals. */
const MEMBER_NAME = /^[a-z][a-z\d]*(?:_[a-z\d]+|[A-Z][a-z\d]*)+$/;

/** The words of a refusal. They save requests or help to find an accepted call, and are never asserted (§7). */
function wordsOfRefusal({ json }: Observation): ReadonlySet<string> {
  const words = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') for (const [word] of value.matchAll(/[a-z]\w*/gi)) words.add(word);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) if (name !== 'code') collect(inner);
    }
  };
  collect(json);
  return words;
}
