import { invalidSingles } from '../../../generators/argument-sets.ts';
import { draw } from '../../../generators/draw.ts';
import { refusedValues } from '../../../generators/refused-value.ts';
import { constraintsOf } from '../../../specs/constraints.ts';
import type { Free, FuzzSet } from '../../search/fuzz-set.ts';
import { type Shares, turned } from '../../search/shares.ts';
import type { Args } from '../call.ts';
import { validSets } from './valid-sets.ts';

/**
 * Sets with exactly one argument that is refused for sure: alone as well as in the company of valid ones.
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
    constraintsOf(schema, undefined)
      .filter(({ kind, schema: own }) => own.readOnly !== true && own['x-doubtful']?.includes(kind) !== true)
      .flatMap(({ kind, ...rest }) =>
        refusedValues(schema, { kind, ...rest }).map(({ value }) => ({
          name: parameter.wire,
          keyword: kind,
          value,
        })),
      ),
  );
  const together = turned(edges, edgeCount, seed).map(
    ({ name, keyword, value }, at): FuzzSet => ({
      phase: 'boundary',
      args: { ...companyAt(company, at), [name]: value },
      about: [{ name, keyword }],
    }),
  );
  const singles = invalidSingles(
    Object.fromEntries(free.map(({ parameter, schema }) => [parameter.wire, schema])),
  );
  if (singles === undefined) return together;
  const alone = draw(singles, shares.pairs, seed).map(
    (args): FuzzSet => ({
      phase: 'random',
      args,
      about: Object.keys(args).map((name) => ({ name, keyword: 'invalid' })),
    }),
  );
  return [...together, ...alone];
}

function companyAt(company: readonly FuzzSet[], at: number): Args {
  return company[at % Math.max(1, company.length)]?.args ?? {};
}
