import type { SearchPhase } from '../../../engine/fuzz-options.ts';
import { boundaryValues } from '../../../generators/boundaries.ts';
import { draw } from '../../../generators/explore.ts';
import type { Generated } from '../../../generators/generated.ts';
import {
  type ArgumentSet,
  anyInvalidSet,
  anyValidSet,
  coveringSets,
  type SetParameter,
  valuesOf,
} from '../../../generators/sets.ts';
import { type Free, type FuzzSet, type Shares, turned } from '../../../probing/search/fuzz-sets.ts';
import { requiredBeside } from '../calls/argument-values.ts';

/** From this many sets of pairs on, sets of triples fit as well. */
const MANY_PAIRS = 20;

/** Sets of valid arguments: all edges packed together, all pairs of parameters (or all triples), and random sets. */
export function validSets(free: readonly Free[], shares: Shares, seed: number): FuzzSet[] {
  const levels = free.map((one) => ({ one, levels: levelsOf(one) })).filter((row) => row.levels.length > 0);
  const longest = Math.max(0, ...levels.map((row) => row.levels.length));
  const boundary = Array.from({ length: longest }, (_, at) =>
    levelSet(
      'boundary',
      levels.map((row) => [row.one, row.levels[at % row.levels.length]]),
    ),
  );
  // Many parameters make triples expensive to compute, and few searches need them.
  const strength = shares.pairs < MANY_PAIRS ? 2 : 3;
  const covering = shares.pairs === 0 ? [] : coveringSets(free.map(asSetParameter), strength);
  const pairs = covering.map(({ args }) =>
    levelSet(
      'pairs',
      free.map((one) => {
        const level = args[one.parameter.wire];
        const isAlone = level !== undefined && requiredBeside(one.parameter, level.value) === undefined;
        return [one, isAlone ? level : undefined];
      }),
    ),
  );
  // Covering triples takes more sets than covering pairs.
  const ofThree = strength === 3 ? Math.min(pairs.length, Math.floor(shares.random / 2)) : 0;
  return [
    ...turned(boundary, shares.boundary, seed),
    ...turned(pairs, shares.pairs + ofThree, seed),
    ...randomSets(free, shares.random - ofThree, seed),
  ];
}

/** Edge values that are accepted from any caller, with any other arguments. */
function levelsOf({ parameter, schema }: Free): Generated[] {
  return boundaryValues(schema).filter(
    ({ expect, value }) => expect === 'accepted' && requiredBeside(parameter, value) === undefined,
  );
}

/** A parameter for the generators. Required arguments are already in the baseline request. */
export function asSetParameter({ parameter, schema }: Free): SetParameter {
  return { name: parameter.wire, schema, required: false };
}

function levelSet(phase: SearchPhase, given: readonly (readonly [Free, Generated | undefined])[]): FuzzSet {
  const chosen = given.flatMap(([{ parameter }, level]) =>
    level === undefined
      ? []
      : [{ name: parameter.wire, value: level.value, keyword: level.keyword ?? 'type' }],
  );
  return {
    phase,
    args: Object.fromEntries(chosen.map(({ name, value }) => [name, value])),
    about: chosen.map(({ name, keyword }) => ({ name, keyword })),
  };
}

function randomSets(free: readonly Free[], count: number, seed: number): FuzzSet[] {
  return draw(anyValidSet(free.map(asSetParameter)), count, seed)
    .filter(({ expect }) => expect === 'accepted')
    .map((set) => drawnSet(set, () => 'valid'));
}

export function drawnSet(set: ArgumentSet, keywordOf: (name: string) => string): FuzzSet {
  const about = set.about.map((name) => ({ name, keyword: keywordOf(name) }));
  return { phase: 'random', args: valuesOf(set), about };
}

/** Sets drawn for each set that is sent: some hold a value that requires other arguments. */
const DRAWN = 3;

/** Sets with exactly one argument that must be refused, among valid ones of `beside`: edges first, then random sets. */
export function invalidSets(
  free: readonly Free[],
  shares: Shares,
  seed: number,
  beside: readonly Free[] = free,
): FuzzSet[] {
  // Each keyword has its own edge values, some of which random draws would miss.
  const edgeCount = shares.boundary + shares.random;
  const others = validSets(beside, { boundary: edgeCount, pairs: 0, random: 0 }, seed);
  const edges = free.flatMap(({ parameter, schema }) =>
    boundaryValues(schema)
      .filter(({ expect }) => expect === 'refused')
      .map(({ value, keyword = 'type' }) => ({ name: parameter.wire, keyword, value })),
  );
  const together = turned(edges, edgeCount, seed).map(
    ({ name, keyword, value }, at): FuzzSet => ({
      phase: 'boundary',
      args: { ...(others[at % Math.max(1, others.length)]?.args ?? {}), [name]: value },
      about: [{ name, keyword }],
    }),
  );
  const any = anyInvalidSet(free.map(asSetParameter), beside.map(asSetParameter));
  if (any === undefined) return together;
  const drawn = draw(any, shares.pairs * DRAWN, seed)
    .filter((set) => standsAlone(beside, set))
    .slice(0, shares.pairs)
    .map((set) => drawnSet(set, (name) => set.args[name]?.keyword ?? 'invalid'));
  return [...together, ...drawn];
}

function standsAlone(beside: readonly Free[], { args, about }: ArgumentSet): boolean {
  return beside.every(({ parameter }) => {
    const given = args[parameter.wire];
    if (given === undefined || about.includes(parameter.wire)) return true;
    return given.expect === 'accepted' && requiredBeside(parameter, given.value) === undefined;
  });
}
