import { describe, expect, it } from 'vitest';
import { together } from '../../../sites/alterations/alteration.ts';
import { findMutant } from '../../../sites/alterations/catalogue.ts';
import { handling, isGiven } from '../../../sites/alterations/handling.ts';
import { loadContract as loadReference } from '../../../sites/reference/load-contract.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { STANDARD_BEHAVIOUR } from '../../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../../specs/contract.ts';
import { idsWith, writingRun } from '../writing.fixture.ts';
import { absentFields } from './never-stored-checks.ts';

const ONLY = ['{posts,pages,media}.{create,update}/**/absent/ignored'];
const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const reference = loadReference('core');

function namesOf(id: string): string[] {
  const operation = contract.operations.find((one) => one.id === id);
  return operation === undefined ? [] : absentFields(contract, operation).map(({ field }) => field.name);
}

describe('the fields that records do not have', () => {
  it('are the ones that the contract excludes, with the schema of the records that have them', () => {
    expect(namesOf('posts.create')).toEqual(['parent', 'menu_order']);
    expect(namesOf('pages.update')).toEqual(['format', 'sticky', 'categories', 'tags']);
    expect(namesOf('media.create')).toEqual([
      'password',
      'format',
      'sticky',
      'categories',
      'tags',
      'parent',
      'menu_order',
      'content',
      'excerpt',
      'meta/footnotes',
    ]);
  });

  it('pass where no write keeps them', async () => {
    const results = await writingRun(ONLY);

    expect(idsWith(results, 'fail', 'warn', 'error', 'inconclusive')).toEqual([]);
    expect(idsWith(results, 'pass').length).toBeGreaterThan(30);
  });

  it('fail where one is kept, though a site refuses them together', async () => {
    const strict = handling('pages.create', (call, next) => {
      if (isGiven(call, 'format')) throw new Refusal('rest_unknown_param', 'Unknown.', 400);
      return next(call);
    });
    const kept = findMutant(reference, 'pages.create/sticky/absent/ignored~kept').behaviour;
    const both = together(kept, strict)(STANDARD_BEHAVIOUR);
    const results = await writingRun(ONLY, both);

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual(['pages.create/sticky/absent/ignored']);
  });
});
