import { expect, it } from 'vitest';
import { runOnReference } from '../../../prove/kill.ts';
import { together } from '../../../sites/alterations/alteration.ts';
import { reading } from '../../../sites/alterations/handling.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const ID = 'media.create/fuzz/robust';
/** What the tags of runs in tests begin with. */
const TAG = 'sc-prove-';
const OPERATIONS = ['media.create', 'media.update'];

/** Runs the search in uploads on a site where some operations fail for a caption that is no text. */
async function searchWhere(
  failing: readonly string[],
  denied: readonly string[] = [],
): Promise<{ verdict: unknown; failed: string[]; uploaded: Set<string> }> {
  const failed: string[] = [];
  const uploaded = new Set<string>();
  const behaviour = together(
    ...OPERATIONS.map((id) =>
      reading(id, (given, read) => {
        // Calls without the tag are those of anonymous callers.
        const isOwn = id === 'media.create' && JSON.stringify(given).includes(TAG);
        if (isOwn) for (const name of Object.keys(given)) uploaded.add(name);
        if (denied.includes(id)) throw new Refusal('rest_cannot', 'No.', 403);
        if (failing.includes(id) && JSON.stringify(given.caption)?.includes('[') === true) {
          failed.push(id);
          throw new Error('a list that nobody thought of');
        }
        return read(given);
      }),
    ),
  );
  const { results } = await runOnReference({
    deployment: 'core',
    alterations: [{ behaviour }],
    contract,
    checks: allChecks(contract),
    mode: 'write',
    only: [ID],
    fuzz: { examples: 100, kept: [] },
  });
  return { verdict: results.get(ID)?.verdict, failed, uploaded };
}

it('a value that fails an update is reported and not uploaded, because software keeps the file of a failed upload', async () => {
  const { verdict, failed } = await searchWhere(OPERATIONS);
  expect(verdict).toBe('fail');
  expect(new Set(failed)).toEqual(new Set(['media.update']));
});

it('a value that only fails uploads is found in uploads', async () => {
  const { verdict, failed } = await searchWhere(['media.create']);
  expect(verdict).toBe('fail');
  expect(new Set(failed)).toEqual(new Set(['media.create']));
});

it('strange dates and authors are not uploaded, because software keeps the file without the title that identifies it', async () => {
  const { uploaded } = await searchWhere([]);
  expect([...uploaded]).toContain('caption');
  expect([...uploaded].filter((name) => name.startsWith('date') || name === 'author')).toEqual([]);
});

it('does not pass if all uploads are denied', async () => {
  const { verdict } = await searchWhere([], OPERATIONS);
  expect(verdict).toBe('inconclusive');
});
