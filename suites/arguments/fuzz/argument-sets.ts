import { boundaryValues } from '../../../generators/boundaries.ts';
import { draw } from '../../../generators/explore.ts';
import type { Generated } from '../../../generators/generated.ts';
import { coveringPairs } from '../../../generators/pairs.ts';
import { validSets as anyValidSets, type SetParameter } from '../../../generators/sets.ts';
import type { Free, FuzzSet, Phase, Subject } from '../../search/fuzz-set.ts';
import { type Shares, turned } from '../../search/shares.ts';
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
