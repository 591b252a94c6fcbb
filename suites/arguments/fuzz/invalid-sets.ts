import { boundaryValues } from '../../../generators/boundaries.ts';
import { draw } from '../../../generators/explore.ts';
import { type ArgumentSet, invalidSets as anyInvalidSets } from '../../../generators/sets.ts';
import type { Args } from '../../records/reading/list-request.ts';
import type { Free, FuzzSet } from '../../search/fuzz-set.ts';
import { type Shares, turned } from '../../search/shares.ts';
import { companionOf } from '../companions.ts';
import { asSetParameter, validSets } from './argument-sets.ts';

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
