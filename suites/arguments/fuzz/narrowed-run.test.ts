import { expect, it } from 'vitest';
import type { Verdict } from '../../../engine/result.ts';
import { runOnReference } from '../../../prove/kill.ts';
import { reading } from '../../../sites/alterations/handling.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const checks = allChecks(contract).filter(({ operation }) => operation === 'posts.read');

async function verdictsOf(only: readonly string[]): Promise<(Verdict | undefined)[]> {
  const behaviour = reading('posts.read', (given, read) => {
    if (typeof given.password === 'object') throw new Error('a structure that nobody thought of');
    return read(given);
  });
  const { results } = await runOnReference({
    deployment: 'core',
    alterations: [{ behaviour }],
    contract,
    checks,
    mode: 'read',
    only,
    fuzz: { examples: 500, kept: [] },
  });
  return ['posts.read/fuzz/robust', 'posts.read/password/type/enforced'].map(
    (id) => results.get(id)?.verdict,
  );
}

it('a server error is reported once: by the check of one argument, or by the fuzz check if that was not selected', async () => {
  expect(await verdictsOf(['posts.read'])).toEqual(['pass', 'fail']);
  expect(await verdictsOf(['posts.read/fuzz'])).toEqual(['fail', undefined]);
});
