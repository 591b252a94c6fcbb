import { expect, it } from 'vitest';
import { runOnReference } from '../../prove/kill.ts';
import { type Answer, answer, type Behaviour } from '../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';

/** The verdicts about defaults of a list whose addresses are kept by a cache that ignores unknown parameters. */
async function verdictsOn(
  bodyOf: (made: number, address: string) => Parameters<typeof answer>[0],
  ignored = '&x_not_a_parameter=sample',
) {
  const kept = new Map<string, Answer>();
  const behaviour: Partial<Behaviour> = {
    handlers: { ...STANDARD_BEHAVIOUR.handlers, 'builder.favorites.list': () => answer({}) },
    send: (message, response, shown) => {
      const address = (message.url ?? '').replace(ignored, '');
      const isMeant = address.includes('favorites') && shown.status === 200;
      if (isMeant && !kept.has(address)) kept.set(address, answer(bodyOf(kept.size, address)));
      return STANDARD_BEHAVIOUR.send(message, response, (isMeant && kept.get(address)) || shown);
    },
  };
  const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });
  const checks = allChecks(contract);
  const only = ['page', 'per_page'].map((name) => `builder.favorites.list/${name}/default/applied`);
  const alterations = [{ behaviour: () => behaviour }];
  const { results } = await runOnReference({
    deployment: 'b',
    alterations,
    contract,
    checks,
    mode: 'read',
    only,
  });
  return only.map((id) => results.get(id)?.verdict);
}

it('defaults of what changes from moment to moment are not reported if a cache keeps it for each address', async () => {
  expect(await verdictsOn((made) => [{ id: made }])).toEqual(['inconclusive', 'inconclusive']);
});

it('defaults are not reported if a cache keeps an older answer to the call without them', async () => {
  const bodyOf = (_made: number, address: string) =>
    /page=/.test(address) ? [{ id: 1 }, { id: 2 }] : [{ id: 1 }];
  const without = (address: string) => !/page=|not_a_parameter/.test(address);

  expect(
    await verdictsOn((_made, address) => (without(address) ? [{ id: 1 }] : [{ id: 1 }, { id: 2 }]), ''),
  ).toEqual(['inconclusive', 'inconclusive']);
  expect(await verdictsOn(bodyOf, '')).toContain('fail');
});

it('another default is reported through a cache', async () => {
  expect(await verdictsOn((_made, address) => ({ shown: address.includes('per_page=10') }))).toContain(
    'fail',
  );
});
