import { describe, expect, it } from 'vitest';
import { closedAfter, sendJson, testServer } from '../../client/server.fixture.ts';
import { kindNamed } from '../../engine/check.ts';
import { sampleCheck } from '../../engine/result.fixture.ts';
import type { CheckResult } from '../../engine/result.ts';
import { renderTerminal } from '../../reports/renderers/terminal.ts';
import { type ExplainedCheck, explainedCheckView } from '../../reports/views/explain.ts';
import { serveMutant } from '../../sites/alterations/catalogue.ts';
import { loadContract } from '../../specs/contract.ts';
import { sectionOf } from '../../specs/texts.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { coverageOf, requirementsByCheck } from '../../suites/coverage/coverage.ts';
import { refusal, tryMain } from '../try-main.fixture.ts';
import { explain } from './explain.ts';

describe('explain', () => {
  it('shows what a check sends to a site, with the answer that decides', async () => {
    const { code, stdout: out } = await tryMain('explain', 'posts.list/per_page/maximum/enforced', '--json');
    const reported: { sends: { route: string; answer: string }[]; mutants: string[] } = JSON.parse(out);

    expect(code).toBe(0);
    expect(reported.sends).toContainEqual({
      method: 'GET',
      route: '/cms/v2/posts?per_page=101',
      as: 'user',
      answer: 'refused',
    });
    expect(reported.mutants).toContain('posts.list/per_page/maximum/enforced~lenient');
  });

  it('prints what the index must declare for a check of a declaration', async () => {
    const { stdout: out } = await tryMain('explain', 'posts.list/per_page/maximum');
    const [, line = ''] = /^ {2}declare +(.*)$/m.exec(out) ?? [];

    expect(JSON.parse(line)).toMatchObject({
      routes: { '/cms/v2/posts': { endpoints: [{ args: { per_page: { maximum: 100 } } }] } },
    });
  });

  it('shows since which version of the software a check passes', async () => {
    const { stdout: out } = await tryMain('explain', 'posts.list/format/declared');

    expect(out).toContain('WordPress keeps it since 7.1.1; fails in 6.1.9');
  });

  it('finds the check of a finding', async () => {
    const { stdout: out } = await tryMain('explain', 'posts.list/fuzz/accepted#after:refused', '--json');

    expect(JSON.parse(out)).toMatchObject({ id: 'posts.list/fuzz/accepted', kind: { title: 'drawn' } });
  });

  it('runs a check alone against a site, and ends as a run does', async () => {
    const id = 'posts.list/per_page/maximum/enforced';
    const site = await closedAfter(serveMutant({ deployment: 'core', mutant: `${id}~lenient` }));
    const { code, stdout, lines } = await tryMain('explain', id, '--now', '--target', site.url);

    expect(code).toBe(1);
    expect(stdout).toMatch(/verdict +fail/);
    expect(stdout).not.toContain('\nsends');
    expect(lines.join('\n')).toMatch(/^run alone against http:\S+: [1-5] requests$/m);
  });

  it('reaches a site behind a gate as a run does', async () => {
    const site = await testServer((_request, response) => sendJson(response, {}, 404));
    const asked = ['--now', '--target', site.url, '--header', 'X-Gate: open'];
    const { code } = await tryMain('explain', 'posts.list/per_page/maximum/enforced', ...asked);

    expect(code).toBe(3);
    expect(site.seen.map(({ headers }) => headers['x-gate'])).toContain('open');
  });

  it('lists what a glob selects', async () => {
    const { code, stdout: out } = await tryMain('explain', 'batch/types/*');

    expect(code).toBe(0);
    expect(out).toContain('batch/types/path  §4.2');
    expect(out).toContain('5 checks: explain one of them by its id');
  });

  it.each(['pass', 'fail', 'warn', 'inconclusive', 'skip', 'error'])(
    'explains what %s means',
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
    expect(await tryMain('explain', id)).toMatchObject(refusal(hint));
  });
});

describe.each(['a', 'b'])('of deployment %s, every check', (deployment) => {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const checks = allChecks(contract);

  it('has a section, a kind that says how it decides and what to do, and a requirement', () => {
    const requirements = requirementsByCheck(coverageOf(contract, checks));
    const incomplete = checks.filter(
      ({ id, kind, section }) =>
        kindNamed(kind) === undefined || sectionOf(section) === undefined || !requirements.has(id),
    );

    expect(incomplete.map(({ id }) => id)).toEqual([]);
  });

  it('names in its explanation what it depends on, which names it in turn', () => {
    const explained = (id: string): ExplainedCheck[] =>
      checks.filter((one) => one.id === id).map((one) => explain(one, contract, checks, deployment));
    const [enforced] = explained('posts.list/per_page/maximum/enforced');
    const roots = enforced?.hangsOn.flatMap(explained) ?? [];

    expect(enforced?.requirements).not.toEqual([]);
    expect(roots.length).toBeGreaterThan(0);
    expect(roots.filter(({ blocks, id }) => !blocks.includes(enforced?.id ?? id))).toEqual([]);
  });
});

describe('the text about a check', () => {
  const contract = loadContract({ deployment: 'core', vocabulary: 'wordpress' });
  const checks = allChecks(contract);
  const [maximum] = checks
    .filter(({ id }) => id === 'posts.list/per_page/maximum/enforced')
    .map((check) => explain(check, contract, checks, 'core'));
  if (maximum === undefined) throw new Error('there is no such check');
  const textOf = (result: CheckResult | undefined, width: number): string =>
    renderTerminal(explainedCheckView(maximum, result), { width });

  it.each([60, 80, 120])('fits %i columns, except for commands to paste', (width) => {
    const lines = textOf(sampleCheck({ verdict: 'fail', message: 'x '.repeat(200) }), width);

    expect(lines.split('\n').filter((line) => line.length > width)).toEqual([]);
  });

  it('names the route in the words of the site and the ruling that it follows', () => {
    const text = textOf(undefined, 120);

    expect(text).toContain('GET /wp/v2/posts, its per_page');
    expect(text).toContain('Ruling R33');
  });

  it('shows the result of a run, without control characters for the terminal', () => {
    const verdict = sampleCheck({ verdict: 'fail', observed: '\u001b[31maccepted', reproduce: ['curl x'] });
    const text = textOf(verdict, 80);

    expect(text).toContain('observed     \\x1b[31maccepted');
    expect(text).toContain('repeat    curl x');
  });
});
