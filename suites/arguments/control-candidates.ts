import { isObject } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import type { Session } from '../../engine/session.ts';
import type { Args } from '../../generators/wire-forms.ts';
import { coreNamespaces } from '../../specs/deployment.ts';
import { sampleResource } from '../../specs/find-resource.ts';
import { wordsOf } from '../../specs/hints.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { type Schema, typesOf } from '../../specs/schema.ts';
import { distinct, firstId, goodFor, likelyValues } from './argument-values.ts';

/** A valid call that a site may take: a path and arguments. */
interface Candidate {
  readonly route: string;
  readonly args: Args;
  /** It has a value of which the contract states no type: a site that takes it does, and nothing else follows from it. */
  readonly guessed?: true;
}

/** Controls that are tried for an operation, the first one included, before none is said to be accepted. */
const MOST_CONTROLS = 8;

/**
 * The valid calls of an operation that a site may take, the likeliest first: the plain one, other paths, what names say,
 * required arguments, what else the schemas leave, one parameter after the other.
 * @param routes the path, filled in one way or another
 */
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
  const guess = required.some(({ schema }) => isOpen(schema)) ? { guessed: true as const } : {};
  const known = (args: Args): Omit<Candidate, 'route'> => ({ args });
  const sets: Omit<Candidate, 'route'>[] = [
    ...Array.from({ length: Math.min(rounds, MOST_NAMED_ROUNDS) }, (_, at) =>
      known({ ...base, ...nth('named', at) }),
    ),
    known({ ...(await optionalArgsOf(session, operation, 'named')), ...best }),
    { args: { ...best, ...nth('plain', 0) }, ...guess },
    { args: { ...best, ...nth('plain', 1) }, ...guess },
    known({ ...(await optionalArgsOf(session, operation, 'all')), ...best }),
    known({ ...(await othersOf(session, operation)), ...best }),
    ...required.flatMap(({ wire, schema }, place) =>
      (likely[place]?.plain ?? []).map((value) => ({
        args: { ...best, [wire]: value },
        ...(isOpen(schema) && { guessed: true as const }),
      })),
    ),
  ];
  const [first = '', second = first] = routes;
  return onceEach([
    ...routes.map((route) => ({ route, args: base })),
    ...sets.map((set) => ({ route: second, ...set })),
  ]).slice(0, MOST_CONTROLS);
}

/** Whether a schema leaves open which structure a value has: one that is made up may be none that is meant. */
function isOpen(schema: Schema): boolean {
  const { enum: members, items, properties } = schema;
  const [type] = typesOf(schema).filter((one) => one !== 'null');
  if (members !== undefined) return false;
  return (
    type === undefined ||
    (type === 'array' && items === undefined) ||
    (type === 'object' && properties === undefined)
  );
}

function onceEach(candidates: readonly Candidate[]): Candidate[] {
  const byCall = Map.groupBy(candidates, ({ route, args }) => JSON.stringify([route, args]));
  return [...byCall.values()].flatMap(([first]) => first ?? []);
}

const MOST_NAMED_ROUNDS = 4;

/**
 * The optional parameters of an operation with values that the site is likely to take: those whose names say what they take,
 * or all.
 */
async function optionalArgsOf(session: Session, operation: Operation, which: 'named' | 'all'): Promise<Args> {
  const optional: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path' || parameter.required === true) continue;
    const { named } = await likelyValues(session, operation, parameter);
    const value = named.length === 0 && which === 'all' ? goodFor(session, operation, parameter) : named[0];
    if (value !== undefined) optional[parameter.wire] = value;
  }
  return optional;
}

/** Other good values of optional parameters than the plain ones: what is set to a value may refuse to be set to it again. */
export async function othersOf(session: Session, operation: Operation): Promise<Args> {
  const others: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    const [other] = (await likelyValues(session, operation, parameter)).plain;
    if (other !== undefined && parameter.required !== true) others[parameter.wire] = other;
  }
  return others;
}

/** The parameters whose names share the first word with that of another one: what belongs together is often named so. */
export async function relativesOf(
  session: Session,
  operation: Operation,
  parameter: Parameter,
): Promise<Args> {
  const [word] = wordsOf(parameter.name);
  const optional = await optionalArgsOf(session, operation, 'all');
  const relatives = operation.parameters.filter(
    (one) => one.name !== parameter.name && wordsOf(one.name)[0] === word,
  );
  return Object.fromEntries(
    relatives.flatMap(({ wire }) => (Object.hasOwn(optional, wire) ? [[wire, optional[wire]]] : [])),
  );
}

/** Whether a value may need a sibling that nothing declares: what plugins demand of optional parameters is silent (R51). */
export function mayNeedSiblings(operation: Operation, { required }: Parameter): boolean {
  return required !== true && isOfPlugin(operation);
}

/** Whether an operation is of a plugin or a theme: what these demand of arguments together is silent (R51). */
export function isOfPlugin({ route }: Operation): boolean {
  return !coreNamespaces().has(route.namespace);
}

/** Calls with one value beside other optional arguments that are tried before it counts as refused. */
const MOST_SIBLINGS = 6;

/**
 * The optional arguments that a plugin may demand beside another one (R51): those that the refusal names, those that share a
 * word of its name, all, then one after the other, those first whose names say what they take.
 */
export async function siblingsOf(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  refusal: Observation,
): Promise<Args[]> {
  const without = ({ [parameter.wire]: _, ...others }: Args): Args => others;
  const named = without(await optionalArgsOf(session, operation, 'named'));
  const all = without(await optionalArgsOf(session, operation, 'all'));
  const each = Object.entries({ ...named, ...all });
  const words = wordsOfRefusal(refusal);
  const said = Object.fromEntries(each.filter(([wire]) => words.has(wire)));
  const alone = each.map(([wire, value]) => ({ [wire]: value }));
  return distinct([said, await relativesOf(session, operation, parameter), named, all, ...alone])
    .filter((optional) => Object.keys(optional).length > 0)
    .slice(0, MOST_SIBLINGS);
}

/** The optional arguments of an operation that may stand beside any others of a plugin (R51). */
export async function optionalSets(session: Session, operation: Operation): Promise<Args[]> {
  return distinct([
    await optionalArgsOf(session, operation, 'named'),
    await optionalArgsOf(session, operation, 'all'),
  ]).filter((optional) => Object.keys(optional).length > 0);
}

/** The words in which a site says why it refuses. They save requests or find a call that it takes, and are never asserted (§7). */
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

/** The name of a member, as software writes it: words of plain sentences have no inner underscores or capitals. */
const MEMBER_NAME = /^[a-z][a-z\d]*(?:_[a-z\d]+|[A-Z][a-z\d]*)+$/;

/**
 * A call with the members that its refusal names in the structures of which the schema says nothing; undefined where it names
 * none that is not there.
 */
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

const MOST_VALUES = 4;

/** Values of a parameter that a site may take, the likeliest first. */
export async function goodValuesOf(
  session: Session,
  operation: Operation,
  parameter: Parameter,
): Promise<unknown[]> {
  const { named, plain } = await likelyValues(session, operation, parameter);
  return distinct([goodFor(session, operation, parameter), ...named, ...plain])
    .filter((value) => value !== undefined)
    .slice(0, MOST_VALUES);
}

/**
 * The valid calls with one parameter that a site may take: other values of it, then the first ones beside other arguments.
 * @param beside what every call has beside it
 */
export async function candidatesWith(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  beside: Args,
): Promise<Args[]> {
  const { named } = await likelyValues(session, operation, parameter);
  const good = goodFor(session, operation, parameter);
  const alone: Args[] = [];
  for (const value of await goodValuesOf(session, operation, parameter)) {
    const needs = await argsBeside(session, operation, parameter, value);
    alone.push({ ...needs, ...beside, [parameter.wire]: value });
  }
  const relatives = await relativesOf(session, operation, parameter);
  const likeliest = { ...beside, [parameter.wire]: named[0] ?? good };
  return distinct([
    ...alone,
    { ...relatives, ...likeliest },
    { ...(await optionalArgsOf(session, operation, 'all')), ...likeliest },
  ]);
}

/** What a value needs beside it to be accepted: facts of the interface that no declaration expresses. */
interface RequiredArgs {
  readonly parameter: string;
  readonly value: unknown;
  /** Further arguments; `{id}` stands for the id of an existing record. */
  readonly with?: Args;
  /** It is only for callers with credentials. */
  readonly needsUser?: boolean;
}

const PLACEHOLDER = '{id}';

const REQUIRED: readonly RequiredArgs[] = [
  { parameter: 'orderby', value: 'relevance', with: { search: 'a' } },
  { parameter: 'orderby', value: 'include', with: { include: [PLACEHOLDER] } },
  { parameter: 'orderby', value: 'include_slugs', with: { slug: ['sample'] } },
  { parameter: 'context', value: 'edit', needsUser: true },
];

/**
 * What an argument requires beside it; undefined when it stands alone. A list requires what its first item does. Every status
 * but the default ones is for callers with credentials.
 */
export function requiredBeside({ name, schema }: Parameter, value: unknown): RequiredArgs | undefined {
  const items = [value].flat();
  const open = [schema.default].flat();
  if (name === 'status' && schema.default !== undefined && items.some((item) => !open.includes(item))) {
    return { parameter: name, value, needsUser: true };
  }
  return REQUIRED.find((required) => required.parameter === name && required.value === items[0]);
}

/** The arguments that a value needs beside it, with an id of the site. */
export async function argsBeside(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  value: unknown,
): Promise<Args> {
  return resolveArgs(session, requiredBeside(parameter, value)?.with ?? {}, operation);
}

/** Replaces `{id}` in required arguments by the id of an existing record of the operation's collection, or of the sample. */
export async function resolveArgs(session: Session, args: Args, operation: Operation): Promise<Args> {
  const text = JSON.stringify(args);
  if (!text.includes(PLACEHOLDER)) return args;
  const { resource } = operation;
  const collection = resource?.parent ?? resource?.id ?? sampleResource(session.contract)?.id;
  const id = (collection === undefined ? undefined : await firstId(session, collection)) ?? 1;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item) => (item === PLACEHOLDER ? id : item)) : value,
    ]),
  );
}
