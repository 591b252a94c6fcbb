import type { Session } from '../../engine/session.ts';
import { coreNamespaces } from '../../specs/deployment.ts';
import { wordsOf } from '../../specs/hints.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import type { Args } from './call.ts';
import { argsBeside } from './companions.ts';
import { distinct, goodFor, isOpen, likelyValues } from './likely-values.ts';

/** A valid call that a site may take: a path and arguments. */
interface Candidate {
  readonly route: string;
  readonly args: Args;
  /** It has a value of which the contract states no type: a site that takes it does, and nothing else follows from it. */
  readonly guessed?: true;
}

/** Controls that are tried for an operation, the first one included, before none is said to be accepted. */
export const MOST_CONTROLS = 8;

/**
 * The valid calls of an operation that a site may take, the likeliest first: the plain one, other paths, what names say,
 * requiredArguments, what else the schemas leave, one parameter after the other.
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
    known({ ...(await companyOf(session, operation, 'named')), ...best }),
    { args: { ...best, ...nth('plain', 0) }, ...guess },
    { args: { ...best, ...nth('plain', 1) }, ...guess },
    known({ ...(await companyOf(session, operation, 'all')), ...best }),
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

/** The first of the candidates that are one call. */
function onceEach(candidates: readonly Candidate[]): Candidate[] {
  const byCall = Map.groupBy(candidates, ({ route, args }) => JSON.stringify([route, args]));
  return [...byCall.values()].flatMap(([first]) => first ?? []);
}

const MOST_NAMED_ROUNDS = 4;

/**
 * The optional parameters of an operation with values that the site is likely to take: those whose names say what they take,
 * or all.
 */
async function companyOf(session: Session, operation: Operation, which: 'named' | 'all'): Promise<Args> {
  const company: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path' || parameter.required === true) continue;
    const { named } = await likelyValues(session, operation, parameter);
    const value = named.length === 0 && which === 'all' ? goodFor(session, operation, parameter) : named[0];
    if (value !== undefined) company[parameter.wire] = value;
  }
  return company;
}

/** The parameters whose names share the first word with that of another one: what belongs together is often named so. */
export async function relativesOf(
  session: Session,
  operation: Operation,
  parameter: Parameter,
): Promise<Args> {
  const [word] = wordsOf(parameter.name);
  const company = await companyOf(session, operation, 'all');
  const relatives = operation.parameters.filter(
    (one) => one.name !== parameter.name && wordsOf(one.name)[0] === word,
  );
  return Object.fromEntries(
    relatives.flatMap(({ wire }) => (Object.hasOwn(company, wire) ? [[wire, company[wire]]] : [])),
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
const MOST_COMPANIES = 6;

/**
 * The optional arguments that a plugin may demand beside another one (R51): those that share a word of its name, all, then one
 * after the other, those first whose names say what they take.
 */
export async function siblingsOf(
  session: Session,
  operation: Operation,
  parameter: Parameter,
): Promise<Args[]> {
  const without = ({ [parameter.wire]: _, ...others }: Args): Args => others;
  const named = without(await companyOf(session, operation, 'named'));
  const all = without(await companyOf(session, operation, 'all'));
  const alone = Object.entries({ ...named, ...all }).map(([wire, value]) => ({ [wire]: value }));
  return distinct([await relativesOf(session, operation, parameter), named, all, ...alone])
    .filter((company) => Object.keys(company).length > 0)
    .slice(0, MOST_COMPANIES);
}

/** The optional arguments of an operation that may stand beside any others of a plugin (R51). */
export async function optionalSets(session: Session, operation: Operation): Promise<Args[]> {
  return distinct([
    await companyOf(session, operation, 'named'),
    await companyOf(session, operation, 'all'),
  ]).filter((company) => Object.keys(company).length > 0);
}

const MOST_VALUES = 4;

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
  const { named, plain } = await likelyValues(session, operation, parameter);
  const good = goodFor(session, operation, parameter);
  const values = distinct([good, ...named, ...plain])
    .filter((value) => value !== undefined)
    .slice(0, MOST_VALUES);
  const alone: Args[] = [];
  for (const value of values) {
    const needs = await argsBeside(session, operation, parameter, value);
    alone.push({ ...needs, ...beside, [parameter.wire]: value });
  }
  const relatives = await relativesOf(session, operation, parameter);
  const likeliest = { ...beside, [parameter.wire]: named[0] ?? good };
  return distinct([
    ...alone,
    { ...relatives, ...likeliest },
    { ...(await companyOf(session, operation, 'all')), ...likeliest },
  ]);
}
