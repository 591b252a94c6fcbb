import { describe, expect, it } from 'vitest';
import type { Fleet } from './document.ts';
import { downShare, failingCheck, sampleFleet, sampleShare } from './fleet.fixture.ts';
import { mergeFleets } from './merge.ts';

const SHARES = [
  sampleShare('one', [failingCheck('a'), failingCheck('b')]),
  downShare('two'),
  sampleShare('three', [failingCheck('b', { isNew: true })]),
  sampleShare('four'),
];

function part(index: number, changes: Partial<Fleet> = {}): { path: string; fleet: Fleet } {
  const fleet = sampleFleet(SHARES.slice(2 * index - 2, 2 * index), {
    selected: 4,
    shard: { index, of: 2 },
    run: { started: '2025-03-04T05:06:07.000Z', seconds: index, parallel: 2 },
  });
  return { path: `/parts/part-${index}/fleet.json`, fleet: { ...fleet, ...changes } };
}

describe('mergeFleets', () => {
  it('gives the result of one run of all targets, with folders relative to the new place', () => {
    const merged = mergeFleets([part(2), part(1)], '/parts');
    const whole = sampleFleet(SHARES);

    expect(merged.checks).toEqual(whole.checks);
    expect(merged.counts).toEqual(whole.counts);
    expect(merged.exitCode).toBe(whole.exitCode);
    expect(merged.targets.map(({ name }) => name)).toEqual(whole.targets.map(({ name }) => name));
    expect(merged.targets.map(({ folder }) => folder)).toEqual([
      'part-1/one',
      'part-2/three',
      'part-1/two',
      'part-2/four',
    ]);
    expect(merged.run).toMatchObject({ seconds: 2, parallel: 4, requests: 12 });
    expect(merged).toMatchObject({ parts: 2, selected: 4 });
    expect(merged).not.toHaveProperty('shard');
  });

  const later = { run: { ...part(2).fleet.run, started: '2025-03-06T05:06:07.000Z' } };
  const contract = { targets: [sampleShare('x', [], { contract: 'sha256:other' }).target] };

  it.each([
    ['a part is missing', [part(1)], 'part 2/2 missing'],
    ['a part is there twice', [part(1), part(2), part(1)], 'part 1/2 is there twice'],
    [
      'one is no part',
      [part(1), { path: '/x/fleet.json', fleet: sampleFleet(SHARES) }],
      '/x/fleet.json is no part',
    ],
    ['one is part of another split', [part(1), part(2, { shard: { index: 2, of: 3 } })], 'part 2/3'],
    [
      'one is of another configuration',
      [part(1), part(2, { configuration: `sha256:${'cd'.repeat(32)}` })],
      'another configuration',
    ],
    [
      'one is of another version of the tool',
      [part(1), part(2, { tool: { name: 'site-conformance', version: '0.2.0' } })],
      'another version of the tool',
    ],
    ['one is of another contract', [part(1), part(2, contract)], 'another contract'],
    ['one has lost targets', [part(1), part(2, { targets: [] })], 'hold 2 targets'],
  ])('refuses parts of which %s', (_why, parts, message) => {
    expect(() => mergeFleets(parts, '/parts')).toThrow(message);
  });

  it('accepts targets with composed or own deployments, each with its own contract', () => {
    const own = (deployment: string, contract: string): Partial<Fleet> => ({
      targets: ['x', 'y'].map(
        (name, at) =>
          sampleShare(`${name}-${contract}`, [], { deployment, contract: `${contract}${at}` }).target,
      ),
    });
    const parts = (deployment: string) => [part(1, own(deployment, 'one')), part(2, own(deployment, 'two'))];

    for (const deployment of ['auto', 'shop']) {
      const contracts = mergeFleets(parts(deployment), '/parts').targets.map(({ contract }) => contract);
      expect(contracts.toSorted()).toEqual(['one0', 'one1', 'two0', 'two1']);
    }
  });

  it('says that a part is probably of an earlier run', () => {
    expect(mergeFleets([part(1), part(2, later)], '/parts').notes).toEqual([
      'the parts began 48 hours apart: one may be of an earlier run',
    ]);
    expect(mergeFleets([part(1), part(2)], '/parts').notes).toEqual([]);
  });

  it('ended early if one part did', () => {
    const ended = { run: { ...part(2).fleet.run, ended: 'interrupted' } };

    expect(mergeFleets([part(1), part(2, ended)], '/parts').run.ended).toBe('interrupted');
  });
});
