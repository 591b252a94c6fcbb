import { describe, expect, it } from 'vitest';
import { validatorOf } from '../../specs/validators.ts';
import { downShare, failingCheck, sampleFleet, sampleShare } from './fleet.fixture.ts';

const BASELINE = {
  run: 'r',
  started: '2025-03-03T05:06:07.000Z',
  new: 1,
  still: 0,
  fixed: 0,
  untold: 0,
  vanished: 0,
  unstable: 0,
  worst: ['b'],
};

describe('a fleet', () => {
  it('is a document of the published schema', () => {
    const fleet = sampleFleet(
      [
        sampleShare('one', [failingCheck('b', { isNew: true })], {
          baseline: BASELINE,
          namespaces: ['cms/v2'],
        }),
        downShare('two'),
      ],
      { shard: { index: 1, of: 2 }, notes: ['a note'] },
    );
    const validate = validatorOf('fleet.schema.json');
    validate(JSON.parse(JSON.stringify(fleet)));

    expect(validate.errors ?? []).toEqual([]);
  });

  it('lists the worst target first: faults, failures, not evaluated, wrongly configured', () => {
    const { targets, exitCode } = sampleFleet([
      sampleShare('healthy'),
      downShare('misconfigured', 2),
      downShare('down', 3),
      sampleShare('ill', [failingCheck('a')]),
      sampleShare('iller', [failingCheck('a'), failingCheck('b')]),
      sampleShare('worse', [failingCheck('b')], { baseline: BASELINE }),
      downShare('broken', 4),
    ]);

    expect(targets.map(({ name }) => name)).toEqual([
      'broken',
      'worse',
      'iller',
      'ill',
      'down',
      'misconfigured',
      'healthy',
    ]);
    expect(exitCode).toBe(4);
  });

  it('counts on how many targets a check fails, those where it is new first', () => {
    const { checks } = sampleFleet([
      sampleShare('one', [failingCheck('a'), failingCheck('b')]),
      sampleShare('two', [failingCheck('b', { isNew: true })]),
      sampleShare('three', [failingCheck('b', { waived: true })]),
    ]);

    expect(checks).toMatchObject([
      { id: 'b', fail: 2, waived: 1, new: 1, targets: ['two', 'one'] },
      { id: 'a', fail: 1, waived: 0, new: 0, targets: ['one'] },
    ]);
  });

  it('lists new failures before failures on more targets', () => {
    const { checks } = sampleFleet([
      sampleShare('one', [failingCheck('a'), failingCheck('b', { isNew: true })]),
      sampleShare('two', [failingCheck('a')]),
    ]);

    expect(checks.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('names up to twenty targets of a check, and counts all', () => {
    const shares = Array.from({ length: 50 }, (_, at) => sampleShare(`site-${at}`, [failingCheck('a')]));

    expect(sampleFleet(shares).checks[0]).toMatchObject({ fail: 50, targets: { length: 20 } });
  });

  it('lists the namespaces of targets with their versions', () => {
    const { software } = sampleFleet([
      sampleShare('one', [], { namespaces: ['cms/v2', 'seo/v1'] }),
      sampleShare('two', [], { namespaces: ['cms/v2'] }),
    ]);

    expect(software).toEqual([
      { namespace: 'cms/v2', count: 2, targets: ['one', 'two'] },
      { namespace: 'seo/v1', count: 1, targets: ['one'] },
    ]);
  });

  it.each([
    ['nothing was selected', { selected: 0 }, 3],
    ['it broke off', { selected: 0, run: { started: '', seconds: 0, parallel: 1, ended: 'interrupted' } }, 3],
    ['its part is empty', { selected: 3, shard: { index: 4, of: 4 } }, 0],
  ] as const)('without a target has a conclusion that depends on the reason: %s', (_why, about, exitCode) => {
    expect(sampleFleet([], about).exitCode).toBe(exitCode);
  });

  it('is not conformant if somebody ended it, whatever the results until then', () => {
    const run = { started: '', seconds: 0, parallel: 1, ended: 'interrupted' };

    expect(sampleFleet([sampleShare('one')], { run })).toMatchObject({
      conclusion: 'inconclusive',
      exitCode: 3,
    });
  });
});

it.each([
  [[0, 2], 2],
  [[0, 2, 3], 3],
  [[3, 1, 2], 1],
  [[1, 4], 4],
] as const)('the exit code of a fleet of targets with %j is %d', (codes, worst) => {
  const shares = codes.map((exitCode) => sampleShare(`site-${exitCode}`, [], { exitCode }));

  expect(sampleFleet(shares).exitCode).toBe(worst);
});
