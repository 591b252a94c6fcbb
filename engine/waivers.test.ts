import { describe, expect, it } from 'vitest';
import type { Waiver } from '../specs/waivers.ts';
import { applyWaivers, type GivenWaiver, type RunWaivers, reportWaivers } from './finish.ts';
import type { CheckResult } from './result.ts';

const TODAY = '2026-06-15';

function waiver(changes: Partial<GivenWaiver> = {}): GivenWaiver {
  const words = { reason: 'a plugin', owner: 'the shop', expires: '2026-12-31' };
  return { check: 'posts.list/order/enum', ...words, shipped: false, ...changes };
}

function waivers(given: readonly GivenWaiver[], changes: Partial<RunWaivers> = {}): RunWaivers {
  return { today: TODAY, given, upstream: [], ...changes };
}

function check(changes: Partial<CheckResult> = {}): CheckResult {
  const about = { title: 'orders', area: 'posts', section: '4', basis: 'stated', seconds: 0 } as const;
  return { id: 'posts.list/order/enum', verdict: 'fail', message: 'it takes another', ...about, ...changes };
}

function searched(...ids: string[]): CheckResult {
  const common = { args: {}, parameters: [], kind: 'broken', shows: 'always', seed: 1, path: '' } as const;
  const sets = ids.map((id) => {
    const parameters = [/#(\w+)/.exec(id)?.[1] ?? ''];
    return { ...common, parameters, id, witnesses: 1, judged: 1, message: id };
  });
  return check({ id: 'posts.list/fuzz/robust', fuzz: true, replay: { sets } });
}

describe('applyWaivers', () => {
  it('marks a failure as waived, in the words of its owner, and keeps it a failure', () => {
    const link = 'https://example.test/1';
    const result = applyWaivers(check(), waivers([waiver({ link })]));

    expect(result).toMatchObject({ verdict: 'fail', message: 'it takes another' });
    expect(result.waived).toEqual({
      waiver: 'posts.list/order/enum',
      reason: 'a plugin',
      owner: 'the shop',
      expires: '2026-12-31',
      link,
    });
  });

  it.each(['pass', 'warn', 'inconclusive', 'skip', 'error'] as const)(
    'leaves a check with verdict %s unchanged',
    (verdict) => {
      const result = check({ verdict });

      expect(applyWaivers(result, waivers([waiver()]))).toBe(result);
    },
  );

  it.each([
    ['the id itself', 'posts.list/order/enum', true],
    ['a glob', 'posts.*/order/*', true],
    ['a glob across parts', 'posts.list/**', true],
    ['what stands above', 'posts.list/order', false],
    ['another check', 'pages.list/order/enum', false],
  ])('understands %s', (_case, name, covers) => {
    expect(applyWaivers(check(), waivers([waiver({ check: name })])).waived !== undefined).toBe(covers);
  });

  it('applies through its last day, and mentions an expired waiver of a failure', () => {
    const last = applyWaivers(check(), waivers([waiver({ expires: TODAY })]));
    const past = applyWaivers(check(), waivers([waiver({ expires: '2026-06-14' })]));

    expect(last.waived).toBeDefined();
    expect(past.waived).toBeUndefined();
    expect(past.message).toBe('it takes another (its waiver expired on 2026-06-14)');
  });

  it('covers a search if each of its findings is covered, and then names every waiver', () => {
    const one = waiver({ check: 'posts.list/fuzz/robust', finding: 'posts.list/fuzz/robust#page:broken' });
    const other = waiver({ check: 'posts.list/fuzz/robust', finding: '**#slug:*', reason: 'slugs' });
    const failed = searched('posts.list/fuzz/robust#page:broken', 'posts.list/fuzz/robust#slug:broken');

    expect(applyWaivers(failed, waivers([one])).waived).toBeUndefined();
    expect(applyWaivers(failed, waivers([one, other])).waived).toMatchObject({
      waiver: 'posts.list/fuzz/robust#page:broken',
      also: [{ waiver: '**#slug:*', reason: 'slugs' }],
    });
  });

  it('shows the findings of a search that no waiver covers before those that one does', () => {
    const one = waiver({ check: 'posts.list/fuzz/robust', finding: '**#page:*' });
    const failed = searched('#page:broken', '#slug:broken', '#order:broken');
    const shown = applyWaivers(failed, waivers([one]));

    expect(shown.waived).toBeUndefined();
    expect(shown.message).toBe('#slug:broken (and 1 more: order; 1 waived: page)');
    expect(shown.replay?.sets.map(({ id }) => id)).toEqual(['#slug:broken', '#order:broken', '#page:broken']);
  });

  it('does not take a finding for its check', () => {
    const one = waiver({ check: '**', finding: '**#page:*' });

    expect(applyWaivers(check(), waivers([one])).waived).toBeUndefined();
  });

  it.each([
    ['the version itself', ['Cms 2.1'], 'Cms 2.1', true],
    ['a version within it', ['cms 2'], 'Cms 2.1', true],
    ['another that begins alike', ['Cms 2.1'], 'Cms 2.10', false],
    ['other software', ['Cms 2.1'], 'Other 2.1', false],
    ['software that nobody told', ['Cms 2.1'], undefined, true],
  ])('applies to %s', (_case, versions, software, applies) => {
    const result = applyWaivers(check(), waivers([waiver({ versions })], { software }));

    expect(result.waived !== undefined).toBe(applies);
  });

  it('says that a failure without a waiver is known for the software', () => {
    const upstream: Waiver[] = [
      waiver({ check: 'posts.*/order/enum', reason: 'a bug', versions: ['Cms 2'] }),
    ];
    const known = applyWaivers(check(), waivers([], { upstream }));
    const elsewhere = applyWaivers(check(), waivers([], { upstream, software: 'Cms 3' }));
    const waived = applyWaivers(check(), waivers([waiver()], { upstream }));

    expect(known.upstream).toEqual({ reason: 'a bug' });
    expect([elsewhere.upstream, waived.upstream]).toEqual([undefined, undefined]);
  });
});

describe('reportWaivers', () => {
  const IDS = ['posts.list/order/enum', 'posts.list/order/enum/enforced', 'posts.list/fuzz/robust'];
  const [ORDER = '', ENFORCED = '', FUZZ = ''] = IDS;
  const reported = (given: readonly GivenWaiver[], checks: readonly CheckResult[], changes = {}) =>
    reportWaivers(IDS, checks, waivers(given, changes)) ?? expect.fail('no report');

  it('lists waivers that match nothing, and those that cover only passing checks', () => {
    const given = [waiver({ check: 'posts.lst/**' }), waiver({ check: '**/enforced' })];
    const passes = check({ id: ENFORCED, verdict: 'pass' });
    const { report, stale } = reported(given, [check(), passes]);

    expect(report).toEqual({ waived: 0, expired: [], unmatched: ['posts.lst/**'], passing: ['**/enforced'] });
    expect(stale).toBe(2);
  });

  it.each([
    ['was not asked', [check({ verdict: 'skip', skip: { kind: 'mode', needs: 'write' } })]],
    ['was inconclusive', [check({ verdict: 'inconclusive' })]],
    ['never had a result', []],
    ['passes beside one that was not asked', [check({ verdict: 'pass' })]],
  ])('does not mention a waiver whose check %s', (_case, checks) => {
    const { report, stale } = reported([waiver({ check: 'posts.list/order/**' })], checks);

    expect({ ...report, stale }).toEqual({ waived: 0, expired: [], unmatched: [], passing: [], stale: 0 });
  });

  it('does not trust a search without findings', () => {
    const missed = check({ id: FUZZ, fuzz: true, verdict: 'pass' });

    expect(reported([waiver({ check: FUZZ })], [missed]).report.passing).toEqual([]);
  });

  it('counts what is covered, and lists what has expired', () => {
    const [covered] = [applyWaivers(check(), waivers([waiver()]))];
    const { report } = reported([waiver(), waiver({ check: ENFORCED, expires: '2026-01-01' })], [covered]);

    expect(report).toMatchObject({ waived: 1, expired: [ENFORCED] });
  });

  it('does not blame the caller for the built-in list', () => {
    const given = [waiver({ check: 'books.*', shipped: true }), waiver({ check: ORDER, shipped: true })];
    const { report, stale } = reported(given, [check({ verdict: 'pass' })]);

    expect(report).toMatchObject({ unmatched: [], passing: [ORDER] });
    expect(stale).toBe(0);
  });

  it('lists waivers for other versions, and those that applied to an unknown version', () => {
    const given = [waiver({ versions: ['Cms 2'] })];

    expect(reported(given, [], { software: 'Cms 3' }).report.elsewhere).toEqual([ORDER]);
    expect(reported(given, []).report.unversioned).toEqual([ORDER]);
    const { report, stale } = reported(given, [check({ verdict: 'pass' })]);
    expect({ ...report, stale }).toMatchObject({ unversioned: [ORDER], passing: [], stale: 0 });
  });
});
