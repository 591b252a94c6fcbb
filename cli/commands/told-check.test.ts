import { describe, expect, it } from 'vitest';
import { sampleCheck } from '../../engine/result.fixture.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { renderToldCheck, teller } from './explain.ts';

describe.each(['core', 'a', 'b'])('of deployment %s, every check', (deployment) => {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const checks = allChecks(contract);
  const told = checks.map(teller(contract, checks, deployment));

  it('can be told: its section, how it decides, what to do, and the requirement that it belongs to', () => {
    const incomplete = told.filter(
      ({ kind, mend, section, requirements }) =>
        kind === undefined || mend === undefined || !('clauses' in section) || requirements.length === 0,
    );

    expect(incomplete.map(({ id }) => id)).toEqual([]);
  });

  it('hangs on checks that tell of it', () => {
    const byId = new Map(told.map((one) => [one.id, one]));
    const silent = told.flatMap(({ id, hangsOn }) =>
      hangsOn.filter((root) => byId.has(root) && byId.get(root)?.blocks.includes(id) !== true),
    );

    expect(silent).toEqual([]);
  });
});

describe('the text about a check', () => {
  const contract = loadContract({ deployment: 'core', vocabulary: 'wordpress' });
  const checks = allChecks(contract);
  const [maximum] = checks
    .filter(({ id }) => id === 'posts.list/per_page/maximum/enforced')
    .map(teller(contract, checks, 'core'));
  if (maximum === undefined) throw new Error('there is no such check');

  it.each([60, 80, 120])('fits %i columns but for commands that are there to be pasted', (width) => {
    const lines = renderToldCheck(
      maximum,
      sampleCheck({ verdict: 'fail', message: 'x '.repeat(200) }),
      width,
    );

    expect(lines.split('\n').filter((line) => line.length > width)).toEqual([]);
  });

  it('names the route in the words of the site and the ruling that it follows', () => {
    const text = renderToldCheck(maximum, undefined, 120);

    expect(text).toContain('GET /wp/v2/posts, its per_page');
    expect(text).toContain('Ruling R33');
  });

  it('shows what a run said of it, and nothing that a terminal would run', () => {
    const verdict = sampleCheck({ verdict: 'fail', observed: '\u001b[31maccepted', reproduce: ['curl x'] });
    const text = renderToldCheck(maximum, verdict, 80);

    expect(text).toContain('observed    \\x1b[31maccepted');
    expect(text).toContain('repeat      curl x');
  });
});
