import { describe, expect, it } from 'vitest';
import { readArguments } from '../../sites/reference/arguments.ts';
import type { Json } from '../../sites/reference/json.ts';
import { Refusal } from '../../sites/reference/request.ts';
import type { Asked } from '../../sites/reference/site.ts';
import { idsWith, type Mutant, writingRun } from '../writes/writing.fixture.ts';

/** Ids that the site does not have, and a slug that it has. */
const REFUSED: Readonly<Record<string, (value: Json) => boolean>> = {
  featured_media: (value) => value === 1,
  parent: (value) => value === 1,
  tags: (value) => Array.isArray(value) && value.includes(1),
  slug: (value) => value === 'sample',
};

/** A site that refuses what the good value of a schema names, as one that checks ids and slugs does. */
const checksNames: Mutant = {
  readArguments: (parameters, given, { operation }: Asked) => {
    const args = readArguments(parameters, given);
    const names = Object.entries(REFUSED).filter(
      ([name, is]) => operation.effect === 'writes' && is(args[name] ?? null),
    );
    if (names.length > 0) throw new Refusal('names_nothing', 'No.', 422);
    return args;
  },
};

describe('the control of a write', () => {
  it('names something of the site, or leaves the parameter out, where the site checks what it names', async () => {
    const only = ['{posts,pages,media}.{create,update}/{featured_media,parent,tags,slug}/**/type/enforced'];
    const results = await writingRun(only, checksNames);

    expect(results.size).toBeGreaterThan(12);
    expect(idsWith(results, 'pass').sort()).toEqual([...results.keys()].sort());
  });

  it('of a batch leaves the way of validation out, where the site refuses a batch that it cannot validate', async () => {
    const refusesAll: Mutant = {
      readArguments: (parameters, given) => {
        const args = readArguments(parameters, given);
        if (args.validation === 'require-all-validate') throw new Refusal('invalid_part', 'No.', 422);
        return args;
      },
    };
    const results = await writingRun(['batch.run/validation/enum/enforced'], refusesAll);

    expect(idsWith(results, 'pass')).toEqual(['batch.run/validation/enum/enforced']);
  });
});
