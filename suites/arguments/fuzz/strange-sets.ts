import { encodePart } from '../../../client/address.ts';
import { draw } from '../../../generators/explore.ts';
import { type ArgumentSet, hostileSets, type SetParameter } from '../../../generators/sets.ts';
import { encodeQuery } from '../../../generators/wire-forms.ts';
import type { Free, FuzzSet } from '../../search/fuzz-set.ts';
import { turned } from '../../search/shares.ts';
import { asSetParameter } from './argument-sets.ts';
import { type StrangeValue, strangestOf, strangeValues } from './strange-values.ts';
import { idsFor } from './stranger-ids.ts';

const LONGEST_QUERY = 6_000;

/**
 * Sets of strange values: first what the types let through in all parameters at once, then one value of one parameter
 * after the other, from a place that hangs on the seed, then random ones.
 * @param ids such as name nothing, or something else
 * @param paths further sets, which take their turn among those of one value
 */
export function strangeSets(
  free: readonly Free[],
  count: number,
  seed: number,
  { ids = [], paths = [] }: { ids?: readonly StrangeValue[]; paths?: readonly FuzzSet[] } = {},
): FuzzSet[] {
  const strangest = free
    .map(({ parameter: { wire }, schema }) => ({ name: wire, value: strangestOf(schema) }))
    .filter(({ value }) => value !== undefined);
  const rows = free.map(({ parameter: { wire }, schema }) =>
    [...idsFor(schema, ids), ...strangeValues(schema)].map(
      ({ value, kind }): FuzzSet => ({
        phase: 'boundary',
        args: { [wire]: value },
        about: [{ name: wire, keyword: kind }],
      }),
    ),
  );
  const longest = Math.max(0, ...rows.map((row) => row.length));
  // Every parameter has its turn before any of them has a second one.
  const singles = [
    ...paths,
    ...Array.from({ length: longest }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat(),
  ];
  const random = Math.floor(count / 5);
  const drawn = draw(hostileSets(free.map((one) => withStrangers(one, ids))), random, seed)
    .map(strangeSet)
    .filter(({ args }) => fitsAddress(args));
  if (strangest.length === 0) return [...turned(singles, count - random, seed), ...drawn];
  const together: FuzzSet = {
    phase: 'pairs',
    args: Object.fromEntries(strangest.map(({ name, value }) => [name, value])),
    about: strangest.map(({ name }) => ({ name, keyword: 'all strange signs' })),
  };
  return count === 0 ? [] : [together, ...turned(singles, count - 1 - random, seed), ...drawn];
}

function withStrangers(free: Free, ids: readonly StrangeValue[]): SetParameter {
  const strangers = idsFor(free.schema, ids).map(({ value }) => value);
  return { ...asSetParameter(free), strangers };
}

function strangeSet({ args, about }: ArgumentSet): FuzzSet {
  return {
    phase: 'random',
    args: Object.fromEntries(Object.entries(args).map(([name, { value }]) => [name, value])),
    about: about.map((name) => ({ name, keyword: 'random strange value' })),
  };
}

/** Whether arguments fit an address that any server takes: what a longer one does is the matter of a server. */
function fitsAddress(args: FuzzSet['args']): boolean {
  const pairs = Object.entries(args).flatMap(([name, value]) => encodeQuery(name, value));
  const length = pairs.reduce(
    (sum, [name, value]) => sum + encodePart(name).length + encodePart(value).length,
    0,
  );
  return length < LONGEST_QUERY;
}
