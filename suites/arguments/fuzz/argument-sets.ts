import { boundaryValues } from '../../../generators/boundaries.ts';
import { draw } from '../../../generators/explore.ts';
import type { Generated } from '../../../generators/generated.ts';
import { coveringPairs } from '../../../generators/pairs.ts';
import {
  type ArgumentSet,
  invalidSets as anyInvalidSets,
  validSets as anyValidSets,
  type SetParameter,
} from '../../../generators/sets.ts';
import type { Args } from '../../../probing/records/reading/list-request.ts';
import { type Shares, turned } from '../../../probing/search/draw-sets.ts';
import type { Free, FuzzSet, Phase, Subject } from '../../../probing/search/fuzz-set.ts';
import { companionOf } from '../companions.ts';

/** A value of a parameter, and the keyword that it is the edge of. */
interface Level {
  readonly value: unknown;
  readonly keyword: string;
}

/** Sets of valid arguments: edges of every keyword packed together, pairs of parameters, and random ones. */
export function validSets(free: readonly Free[], shares: Shares, seed: number): FuzzSet[] {
  const levels = free.map((one) => ({ one, levels: levelsOf(one) })).filter((row) => row.levels.length > 0);
  const longest = Math.max(0, ...levels.map((row) => row.levels.length));
  const boundary = Array.from({ length: longest }, (_, at) =>
    setOf(
      'boundary',
      levels.map((row) => [row.one, row.levels[at % row.levels.length]]),
    ),
  );
  const pairs = coveringPairs(free.map(asSetParameter)).map(({ args }) =>
    setOf(
      'pairs',
      free.map((one) => [one, levelOf(one, args[one.parameter.wire])]),
    ),
  );
  return [
    ...turned(boundary, shares.boundary, seed),
    ...turned(pairs, shares.pairs, seed),
    ...randomSets(free, shares.random, seed),
  ];
}

/** Values at the edges that are accepted for sure, whoever asks and whatever stands beside them. */
function levelsOf({ parameter, schema }: Free): Level[] {
  return boundaryValues(schema)
    .filter(({ expect, value }) => expect === 'accepted' && companionOf(parameter, value) === undefined)
    .map(({ value, keyword = 'type' }) => ({ value, keyword }));
}

function levelOf({ parameter }: Free, given: Generated | undefined): Level | undefined {
  if (given === undefined || companionOf(parameter, given.value) !== undefined) return undefined;
  return { value: given.value, keyword: given.keyword ?? 'type' };
}

/** A parameter as the generators know it. What an operation requires is part of its ground. */
export function asSetParameter({ parameter, schema }: Free): SetParameter {
  return { name: parameter.wire, schema, required: false };
}

function setOf(phase: Phase, given: readonly (readonly [Free, Level | undefined])[]): FuzzSet {
  const chosen = given.flatMap(([{ parameter }, level]) =>
    level === undefined ? [] : [{ name: parameter.wire, ...level }],
  );
  return {
    phase,
    args: Object.fromEntries(chosen.map(({ name, value }) => [name, value])),
    about: chosen.map(({ name, keyword }) => ({ name, keyword })),
  };
}

function randomSets(free: readonly Free[], count: number, seed: number): FuzzSet[] {
  const drawn = draw(anyValidSets(free.map(asSetParameter)), count, seed);
  return drawn
    .filter(({ expect }) => expect === 'accepted')
    .map(({ args }) => ({
      phase: 'random',
      args: Object.fromEntries(Object.entries(args).map(([name, { value }]) => [name, value])),
      about: Object.keys(args).map((name): Subject => ({ name, keyword: 'valid' })),
    }));
}

/** Sets that are drawn for each that is sent: some hold a value that needs company of its own. */
const DRAWN = 3;

/**
 * Sets with exactly one argument that is refused for sure, in the company of valid ones: the edges of each keyword, then
 * random ones.
 * @param beside the parameters that keep the invalid one company
 * @returns nothing where no parameter has such values
 */
export function invalidSets(
  free: readonly Free[],
  shares: Shares,
  seed: number,
  beside: readonly Free[] = free,
): FuzzSet[] {
  // Each keyword has a value of its own: drawing at random would miss some of them.
  const edgeCount = shares.boundary + shares.random;
  const company = validSets(beside, { boundary: edgeCount, pairs: 0, random: 0 }, seed);
  const edges = free.flatMap(({ parameter, schema }) =>
    boundaryValues(schema)
      .filter(({ expect }) => expect === 'refused')
      .map(({ value, keyword = 'type' }) => ({ name: parameter.wire, keyword, value })),
  );
  const together = turned(edges, edgeCount, seed).map(
    ({ name, keyword, value }, at): FuzzSet => ({
      phase: 'boundary',
      args: { ...companyAt(company, at), [name]: value },
      about: [{ name, keyword }],
    }),
  );
  const any = anyInvalidSets(free.map(asSetParameter), beside.map(asSetParameter));
  if (any === undefined) return together;
  const drawn = draw(any, shares.pairs * DRAWN, seed)
    .filter((set) => standsAlone(beside, set))
    .slice(0, shares.pairs);
  return [...together, ...drawn.map(randomSet)];
}

function companyAt(company: readonly FuzzSet[], at: number): Args {
  return company[at % Math.max(1, company.length)]?.args ?? {};
}

/** Whether what keeps an invalid argument company needs nothing itself: else it may be what is refused. */
function standsAlone(beside: readonly Free[], { args, about }: ArgumentSet): boolean {
  return beside.every(({ parameter }) => {
    const given = args[parameter.wire];
    if (given === undefined || about.includes(parameter.wire)) return true;
    return given.expect === 'accepted' && companionOf(parameter, given.value) === undefined;
  });
}

function randomSet({ args, about }: ArgumentSet): FuzzSet {
  return {
    phase: 'random',
    args: Object.fromEntries(Object.entries(args).map(([name, { value }]) => [name, value])),
    about: about.map((name) => ({ name, keyword: args[name]?.keyword ?? 'invalid' })),
  };
}
