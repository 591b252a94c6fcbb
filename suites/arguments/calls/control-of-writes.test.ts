import { describe, expect, it } from 'vitest';
import { together } from '../../../sites/alterations/alteration.ts';
import { reading } from '../../../sites/alterations/handling.ts';
import type { Json } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { idsWith, writing, writingRun } from '../../writes/records.fixture.ts';

/** Ids that the site does not have, and a slug that it has. */
const REFUSED: Readonly<Record<string, (value: Json) => boolean>> = {
  featured_media: (value) => value === 1,
  parent: (value) => value === 1,
  tags: (value) => Array.isArray(value) && value.includes(1),
  slug: (value) => value === 'sample',
};

/** A site that refuses what the good value of a schema names, as one that checks ids and slugs does. */
const checksNames = reading(
  ({ effect }) => effect === 'writes',
  (given, read) => {
    const args = read(given);
    if (Object.entries(REFUSED).some(([name, is]) => is(args[name] ?? null)))
      throw new Refusal('names_nothing', 'No.', 422);
    return args;
  },
);

/** A site that refuses a batch as a whole if a part is invalid. */
const refusesAll = reading('batch.run', (given, read) => {
  const args = read(given);
  if (args.validation === 'require-all-validate') throw new Refusal('invalid_part', 'No.', 422);
  return args;
});

describe('the control of a write', () => {
  it('names something of the site, or is a new text, where the site checks what it names', async () => {
    const only = ['{posts,pages,media}.{create,update}/{featured_media,parent,tags,slug}/**/type/enforced'];
    const results = await writingRun(only, checksNames);

    expect(results.size).toBeGreaterThan(12);
    expect(idsWith(results, 'pass').sort()).toEqual([...results.keys()].sort());
  });

  it('goes to a new record where the old one refuses any value, which does not hide what is accepted', async () => {
    // A sticky record has no password, and a password came before.
    const site = together(
      writing('sticky', (write, { password }, value) => {
        if (password !== '' && value === true) throw new Refusal('protected', 'No.', 422);
        write();
      }),
      reading('posts.update', (given, read) =>
        read(given.sticky === 'maybe' ? { ...given, sticky: true } : given),
      ),
    );
    const results = await writingRun(['posts.update/{password,sticky}/type/enforced'], site);

    expect(idsWith(results, 'fail')).toEqual(['posts.update/sticky/type/enforced']);
  });

  it('of a batch has the other way of validation, where the site refuses a batch that it cannot validate', async () => {
    const results = await writingRun(['batch.run/validation/enum/enforced'], refusesAll);

    expect(idsWith(results, 'pass')).toEqual(['batch.run/validation/enum/enforced']);
  });

  it('of a batch goes out as the user where a site denies batches before it reads their arguments', async () => {
    const denies = reading('batch.run', (given, read, { request }) => {
      if (request.account === undefined) throw new Refusal('who', 'No.', 401);
      return read(given);
    });
    const site = together(refusesAll, denies);
    const results = await writingRun(['batch.run/{validation,requests}/**/enforced'], site);

    expect(idsWith(results, 'inconclusive', 'fail')).toEqual([]);
    expect(idsWith(results, 'pass')).toContain('batch.run/requests/maxItems/enforced');
  });
});
