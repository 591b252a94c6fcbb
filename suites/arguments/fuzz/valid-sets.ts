import { acceptedValues } from '../../../generators/accepted-values.ts';
import { validArgument } from '../../../generators/argument-arbitraries.ts';
import { validSets as anyValidSets } from '../../../generators/argument-sets.ts';
import { draw } from '../../../generators/draw.ts';
import { goodValue } from '../../../generators/good-value.ts';
import { constraintsOf } from '../../../specs/constraints.ts';
import { companionOf } from '../companions.ts';
import { coverPairs } from './cover-pairs.ts';
import type { Free, FuzzSet, Phase, Subject } from './fuzz-set.ts';
import { type Shares, turned } from './shares.ts';

/** Levels of a parameter in pairs: more of them make more rows than they are worth. */
const MOST_LEVELS = 3;

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
  const counts = levels.map((row) => Math.min(MOST_LEVELS, row.levels.length) + 1);
  const pairs = coverPairs(counts).map((row) =>
    setOf(
      'pairs',
      // The last level of each is to be left out.
      levels.map(({ one, levels: own }, at) => [one, own.slice(0, MOST_LEVELS)[row[at] ?? 0]]),
    ),
  );
  return [
    ...turned(boundary, shares.boundary, seed),
    ...turned(pairs, shares.pairs, seed),
    ...randomSets(free, shares.random, seed),
  ];
}

function levelsOf({ parameter, schema }: Free): Level[] {
  if (validArgument(schema) === undefined) return [];
  const edges = constraintsOf(schema, undefined).flatMap((constraint) =>
    acceptedValues(schema, constraint).map(({ value }) => ({ value, keyword: constraint.kind })),
  );
  const alone = edges.filter(({ value }) => companionOf(parameter, value) === undefined);
  return alone.length > 0 || edges.length > 0 ? alone : [{ value: goodValue(schema), keyword: 'type' }];
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
  const schemas = Object.fromEntries(free.map(({ parameter, schema }) => [parameter.wire, schema]));
  return draw(anyValidSets(schemas), count, seed).map((args) => ({
    phase: 'random',
    args,
    about: Object.keys(args).map((name): Subject => ({ name, keyword: 'valid' })),
  }));
}
