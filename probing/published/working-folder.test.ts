import { describe, expect, it } from 'vitest';
import { planFile, textOf } from './working-folder.ts';

const PATH = 'operations/acme-v1.json';
const FILE = {
  id: 'acme',
  operations: [
    { id: 'a.list', effect: 'reads', limit: 10 },
    { id: 'b.list', effect: 'reads', limit: 10 },
  ],
};

function planned(base: unknown, own: unknown, site: unknown): ReturnType<typeof planFile> {
  const text = (value: unknown): string | undefined => (value === undefined ? undefined : textOf(value));
  return planFile({ path: PATH, base: text(base), own: text(own), site: text(site) });
}

function changed(limit: number, effect = 'reads'): unknown {
  const [first, second] = FILE.operations;
  return { ...FILE, operations: [{ ...first, limit, effect }, second] };
}

describe('planFile', () => {
  it('writes a file that is not there', () => {
    expect(planned(undefined, undefined, FILE)).toMatchObject({ what: 'new', text: textOf(FILE) });
  });

  it('leaves a file alone that nobody has changed', () => {
    expect(planned(FILE, FILE, FILE)).toMatchObject({ what: 'same', text: undefined, diff: '' });
  });

  it('shows what the site has changed, and takes it over', () => {
    const plan = planned(FILE, FILE, changed(20));

    expect(plan).toMatchObject({ what: 'changed', text: textOf(changed(20)), conflicts: [] });
    expect(plan.diff).toContain('-      "limit": 10');
    expect(plan.diff).toContain('+      "limit": 20');
  });

  it('keeps what its owner has changed, beside what the site has', () => {
    const plan = planned(FILE, changed(10, 'alters-site'), changed(20));

    expect(plan).toMatchObject({ text: textOf(changed(20, 'alters-site')), conflicts: [] });
  });

  it('keeps what its owner has written where the site has changed the same, and says so', () => {
    const plan = planned(FILE, changed(30), changed(20));

    expect(plan).toMatchObject({ what: 'same', text: undefined });
    expect(plan.conflicts).toEqual(['operations > a.list > limit: yours is 30, and stays; the site has 20']);
  });

  it('removes what the site publishes no more, and keeps what its owner has changed there', () => {
    expect(planned(FILE, FILE, undefined)).toMatchObject({ what: 'removed' });
    expect(planned(FILE, changed(30), undefined)).toMatchObject({ what: 'kept', text: undefined });
    expect(planned(FILE, { ...FILE, operations: FILE.operations.slice(1) }, FILE)).toMatchObject({
      what: 'same',
    });
  });

  it('merges lists of things without ids as a whole', () => {
    const plan = planned({ words: ['a'] }, { words: ['a', 'b'] }, { words: ['c'] });

    expect(plan.conflicts).toEqual(['words: yours is ["a","b"], and stays; the site has ["c"]']);
  });
});
