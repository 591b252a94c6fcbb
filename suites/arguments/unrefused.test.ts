import { expect, it } from 'vitest';
import { runOnReference } from '../../prove/kill.ts';
import { sending } from '../../sites/alterations/handling.ts';
import { answer } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });

/** The checks of refusals that fail on a site which answers some of its refusals with an empty list. */
async function failing(isMeant: (route: string) => boolean): Promise<string[]> {
  const behaviour = sending((shown, { route }) =>
    shown.status >= 400 && isMeant(route) ? answer([]) : shown,
  );
  const { results } = await runOnReference({
    deployment: 'core',
    alterations: [{ behaviour }],
    contract,
    checks: allChecks(contract),
    only: ['{posts,pages}.{list,read}/**/{enforced,absent,additionalProperties}'],
    mode: 'read',
  });
  return [...results.values()].filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

it('reads that refuse nothing are one failure', async () => {
  expect(await failing(() => true)).toEqual(['posts.list/context/enum/enforced']);
});

it('a list that refuses nothing is one failure, and leaves that of another operation', async () => {
  const isList = (route: string): boolean => /\/(posts|pages)$/.test(route);

  const found = await failing(isList);

  expect(found).toEqual(
    expect.arrayContaining(['posts', 'pages'].map((one) => `${one}.list/context/enum/enforced`)),
  );
  expect(found.length).toBeLessThan(7);
});
