import type { Fleet, FleetTarget } from './document.ts';
import { type FleetAbout, FleetTally, type TargetShare } from './tally.ts';

interface Failing {
  readonly id: string;
  readonly area: string;
  readonly waived: boolean;
  readonly isNew: boolean;
}

/** A check that fails on a target, with `changes` applied. */
export function failingCheck(id: string, changes: Partial<Failing> = {}): Failing {
  return {
    id,
    area: id.split('/')[0] ?? id,
    waived: false,
    isNew: false,
    ...changes,
  };
}

/** A target's share of a fleet; it is nonconformant if checks fail. `changes` are applied to its row. */
export function sampleShare(
  name: string,
  failing: readonly Failing[] = [],
  changes: Partial<FleetTarget> = {},
): TargetShare {
  const fail = failing.filter(({ waived }) => !waived).length;
  return {
    checks: failing.map(({ id, area, waived, isNew }) => ({
      id,
      area,
      title: `what ${id} says`,
      section: '1',
      fail: waived ? 0 : 1,
      waived: waived ? 1 : 0,
      new: isNew ? 1 : 0,
      targets: waived ? [] : [name],
    })),
    target: {
      name,
      folder: name,
      url: `https://${name}.example.test/`,
      deployment: 'core',
      vocabulary: 'neutral',
      mode: 'read',
      exitCode: fail > 0 ? 1 : 0,
      conclusion: fail > 0 ? 'nonconformant' : 'conformant',
      reason: fail > 0 ? `${fail} of 10 checks failed` : '10 checks passed',
      counts: { pass: 10 - fail, fail, warn: 0, inconclusive: 0, skip: 0, error: 0 },
      started: '2025-03-04T05:06:07.000Z',
      seconds: 2.5,
      requests: 3,
      contract: `sha256:${'c0'.repeat(32)}`,
      index: `sha256:${'1d'.repeat(32)}`,
      failing: failing.map(({ id }) => id),
      ...changes,
    },
  };
}

/** A target that could not be evaluated. */
export function downShare(
  name: string,
  exitCode: 2 | 3 | 4 = 3,
  reason = 'nothing listens there',
): TargetShare {
  return sampleShare(name, [], {
    exitCode,
    conclusion: 'inconclusive',
    reason,
    counts: { pass: 0, fail: 0, warn: 0, inconclusive: 0, skip: 0, error: 0 },
    index: '',
    contract: '',
  });
}

/** A fleet of such targets. */
export function sampleFleet(shares: readonly TargetShare[], changes: Partial<FleetAbout> = {}): Fleet {
  const tally = new FleetTally();
  for (const { target, checks } of shares) tally.add([target], checks);
  return tally.fleet({
    tool: { name: 'site-conformance', version: '0.1.0' },
    run: { started: '2025-03-04T05:06:07.000Z', seconds: 12, parallel: 2 },
    configuration: `sha256:${'ab'.repeat(32)}`,
    selected: shares.length,
    ...changes,
  });
}
