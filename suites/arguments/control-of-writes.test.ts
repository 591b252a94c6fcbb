import { describe, expect, it } from 'vitest';
import { readArguments } from '../../sites/reference/arguments.ts';
import type { Json } from '../../sites/reference/json.ts';
import { Refusal } from '../../sites/reference/request.ts';
import type { Asked } from '../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { withWriter } from '../writes/mutant-site.fixture.ts';
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
  it('names something of the site, or is a new text, where the site checks what it names', async () => {
    const only = ['{posts,pages,media}.{create,update}/{featured_media,parent,tags,slug}/**/type/enforced'];
    const results = await writingRun(only, checksNames);

    expect(results.size).toBeGreaterThan(12);
    expect(idsWith(results, 'pass').sort()).toEqual([...results.keys()].sort());
  });

  it('goes to a new record where the old one refuses any value, which does not hide what is accepted', async () => {
    // A sticky record has no password, and a password came before.
    const refusing = withWriter('sticky', (record, value, site) => {
      if (record.password !== '' && value === true) throw new Refusal('protected', 'No.', 422);
      STANDARD_BEHAVIOUR.writers.sticky?.(record, value, site);
    });
    const site: Mutant = {
      ...refusing,
      readArguments: (parameters, given) =>
        readArguments(parameters, given.sticky === 'maybe' ? { ...given, sticky: true } : given),
    };
    const results = await writingRun(['posts.update/{password,sticky}/type/enforced'], site);

    expect(idsWith(results, 'fail')).toEqual(['posts.update/sticky/type/enforced']);
  });

  it('of a batch has the other way of validation, where the site refuses a batch that it cannot validate', async () => {
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

  it('of a batch goes out as the user where a site denies batches before it reads their arguments', async () => {
    const denies: Mutant = {
      readArguments: (parameters, given, asked) => {
        if (asked.operation.id === 'batch.run' && asked.request.account === undefined)
          throw new Refusal('who', 'No.', 401);
        const args = readArguments(parameters, given);
        if (args.validation === 'require-all-validate') throw new Refusal('invalid_part', 'No.', 422);
        return args;
      },
    };
    const results = await writingRun(['batch.run/{validation,requests}/**/enforced'], denies);

    expect(idsWith(results, 'inconclusive', 'fail')).toEqual([]);
    expect(idsWith(results, 'pass')).toContain('batch.run/requests/maxItems/enforced');
  });
});
