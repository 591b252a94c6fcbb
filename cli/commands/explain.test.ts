import { describe, expect, it } from 'vitest';
import { tryMain } from '../try-main.fixture.ts';

describe('explain', () => {
  it('tells of a check what it sends to a site, with the answer that decides', async () => {
    const { code, stdout: out } = await tryMain('explain', 'posts.list/per_page/maximum/enforced', '--json');
    const told: { sends: { route: string; answer: string }[]; mutants: string[] } = JSON.parse(out);

    expect(code).toBe(0);
    expect(told.sends).toContainEqual({
      method: 'GET',
      route: '/cms/v2/posts?per_page=101',
      as: 'user',
      answer: 'refused',
    });
    expect(told.mutants).toContain('posts.list/per_page/maximum/enforced~lenient');
  });

  it('prints what to declare in the index where a check is of a declaration', async () => {
    const { stdout: out } = await tryMain('explain', 'posts.list/per_page/maximum');
    const [, line = ''] = /^ {2}declare +(.*)$/m.exec(out) ?? [];

    expect(JSON.parse(line)).toMatchObject({
      routes: { '/cms/v2/posts': { endpoints: [{ args: { per_page: { maximum: 100 } } }] } },
    });
  });

  it('says since which version of the software a check passes', async () => {
    const { stdout: out } = await tryMain('explain', 'posts.list/format/declared');

    expect(out).toContain('WordPress keeps it since 7.1.1; fails in 6.1.9');
  });

  it('finds the check of a finding', async () => {
    const { stdout: out } = await tryMain('explain', 'posts.list/fuzz/accepted#after:refused', '--json');

    expect(JSON.parse(out)).toMatchObject({ id: 'posts.list/fuzz/accepted', kind: { title: 'drawn' } });
  });

  it('lists what a glob selects', async () => {
    const { code, stdout: out } = await tryMain('explain', 'batch/types/*');

    expect(code).toBe(0);
    expect(out).toContain('batch/types/path  §4.2');
    expect(out).toContain('5 checks: explain one of them by its id');
  });

  it.each(['pass', 'fail', 'warn', 'inconclusive', 'skip', 'error'])(
    'tells what %s means',
    async (verdict) => {
      const { code, stdout: out } = await tryMain('explain', verdict);

      expect(code).toBe(0);
      expect(out.split('\n')[0]).toBe(verdict);
    },
  );

  it.each([
    ['posts.list/per_page/maximun', 'did you mean "posts.list/per_page/maximum"?'],
    ['posts.list/per_page', 'did you mean "posts.list/per_page/**"?'],
  ])('of %s says that it knows none, and a near one', async (id, hint) => {
    const { code, lines } = await tryMain('explain', id);

    expect(code).toBe(2);
    expect(lines.join()).toContain(hint);
  });
});
