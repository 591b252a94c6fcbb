import type { Session } from '../../engine/session.ts';
import { wordsOf } from '../../specs/hints.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import type { Args } from './call.ts';
import { argsBeside } from './companions.ts';
import { distinct, goodFor, likelyValues } from './likely-values.ts';

/** A valid call that a site may take: a path and arguments. */
export interface Candidate {
  readonly route: string;
  readonly args: Args;
}

/** Controls that are tried for an operation, the first one included, before none is said to be accepted. */
export const MOST_CONTROLS = 8;

/**
 * The valid calls of an operation that a site may take, the likeliest first: the plain one, other paths, what names say,
 * companions, what else the schemas leave, one parameter after the other.
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
  const sets: Args[] = [
    ...Array.from({ length: Math.min(rounds, MOST_NAMED_ROUNDS) }, (_, at) => ({
      ...base,
      ...nth('named', at),
    })),
    { ...(await companyOf(session, operation, 'named')), ...best },
    { ...best, ...nth('plain', 0) },
    { ...best, ...nth('plain', 1) },
    { ...(await companyOf(session, operation, 'all')), ...best },
    ...required.flatMap(({ wire }, place) =>
      (likely[place]?.plain ?? []).map((value) => ({ ...best, [wire]: value })),
    ),
  ];
  const [first = '', second = first] = routes;
  return distinct([
    ...routes.map((route) => ({ route, args: base })),
    ...sets.map((args) => ({ route: second, args })),
  ]).slice(0, MOST_CONTROLS);
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
