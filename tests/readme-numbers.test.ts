import { describe, expect, it } from 'vitest';
import { listFaults } from '../mutation/serve-mutant.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { coverageOf } from '../suites/coverage/coverage.ts';
import { readText } from './project-files.ts';

const README = readText('README.md');

/** The cells of the row of the table of coverage that is about a deployment. */
function quoted(deployment: string): number[] {
  const [, cells = ''] = new RegExp(`^\\| \`${deployment}\` +\\|([\\d |]+)\\|$`, 'm').exec(README) ?? [];
  return cells.split('|').map(Number);
}

describe('the README', () => {
  it.each(['core', 'a', 'b'])('has the numbers of %s', (deployment) => {
    const contract = loadContract({ deployment, vocabulary: 'neutral' });
    const checks = allChecks(contract);
    const { requirements } = coverageOf(contract, checks);
    const reading = checks.filter(({ mode = 'read' }) => mode === 'read');

    expect(quoted(deployment)).toEqual([
      requirements.length,
      requirements.filter((one) => one.checks.length === 0).length,
      checks.length,
      reading.length,
      reading.filter(({ needsUser }) => needsUser !== true).length,
      listFaults(deployment).length,
    ]);
  });

  it('shows a run of B with every check of B', () => {
    const [, passed = '', inconclusive = ''] =
      /^CONFORMANT {2}(\d+) checks passed, (\d+) inconclusive$/m.exec(README) ?? [];
    const checks = allChecks(loadContract({ deployment: 'b', vocabulary: 'neutral' }));

    expect(Number(passed) + Number(inconclusive)).toBe(checks.length);
  });
});
