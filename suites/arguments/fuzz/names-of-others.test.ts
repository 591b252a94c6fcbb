import { describe, expect, it } from 'vitest';
import { loadContract } from '../../../specs/contract.ts';
import { namesOfOthers } from './fuzz-checks.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });

describe('the names of other operations', () => {
  it('are sent to each read of records as lists or large numbers, without its own parameters', () => {
    const args = new Map(
      contract.operations.map((operation) => [operation.id, namesOfOthers(contract, operation)[0]?.args]),
    );

    expect(args.get('pages.list')).toMatchObject({
      tax_relation: ['s'],
      excerpt_length: '9223372036854775807',
    });
    expect(args.get('pages.list')).not.toHaveProperty('menu_order');
    expect(args.get('pages.read')).not.toHaveProperty('id');
    expect(args.get('index.read')).toBeUndefined();
  });
});
