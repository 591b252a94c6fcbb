import { describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { downShare, failingCheck, sampleFleet, sampleShare } from '../../compare/fleet/fleet.fixture.ts';
import { sampleCheck } from '../../engine/result.fixture.ts';
import type { CheckResult } from '../../engine/result.ts';
import { junitOfFleet } from './junit.ts';

const WAIVED = { waiver: 'a', reason: 'known upstream', owner: 'me', expires: '2030-01-01' };

function xml(fleet: Parameters<typeof junitOfFleet>[0], checks: readonly CheckResult[] = []): string {
  const text = [...junitOfFleet(fleet, () => checks)].join('');
  // Throws for invalid XML.
  create(text);
  return text;
}

describe('the JUnit of a fleet', () => {
  it('names the target in the class of each case, and lists what did not pass', () => {
    const text = xml(sampleFleet([sampleShare('ill', [failingCheck('a')]), sampleShare('healthy')]), [
      sampleCheck({ id: 'a', title: 'is there', verdict: 'fail', message: 'it is <gone> \u0007' }),
      sampleCheck({ id: 'b', verdict: 'fail', waived: WAIVED }),
      sampleCheck({ id: 'c', verdict: 'warn', message: 'doubtful' }),
      sampleCheck({ id: 'd', verdict: 'pass' }),
      sampleCheck({ id: 'e', verdict: 'skip' }),
    ]);

    for (const part of [
      '<testsuite name="ill" tests="4" failures="1" errors="0" skipped="2"',
      '<testcase classname="ill" name="a: is there"',
      '<failure message="it is &lt;gone&gt; \\x07" type="fail">',
      '<skipped message="waived: known upstream (me, until 2030-01-01)"',
      '<skipped message="warn: doubtful"',
      '<testsuite name="healthy" tests="1" failures="0" errors="0" skipped="0"',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('name="d:');
  });

  it('reports a target that could not be evaluated as an error', () => {
    expect(xml(sampleFleet([downShare('down')]))).toContain(
      '<error message="nothing listens there" type="inconclusive"/>',
    );
    expect(xml(sampleFleet([downShare('down', 2, 'no password')]))).toContain(
      '<error message="no password" type="configuration"/>',
    );
  });

  it('names what fails where the reports of a target are elsewhere', () => {
    const text = xml(sampleFleet([sampleShare('ill', [failingCheck('index/name/present')])]));

    expect(text).toContain('<testcase classname="ill" name="index/name/present"');
    expect(text).toContain('failures="1"');
  });

  it('limits the checks of one target to what a server takes, and counts the rest', () => {
    const checks = Array.from({ length: 500 }, (_, at) => sampleCheck({ id: `a${at}`, verdict: 'fail' }));
    const text = xml(sampleFleet([sampleShare('ill', [failingCheck('a')])]), checks);

    expect(text).toContain('tests="202" failures="200"');
    expect(text).toContain('300 more checks did not pass');
  });

  it('is green for an empty part, and never for an empty fleet', () => {
    expect(xml(sampleFleet([], { selected: 1, shard: { index: 2, of: 2 } }))).toContain('<skipped');
    expect(xml(sampleFleet([]))).toContain('<error');
  });

  it('counts what changed in answers since the baseline of a target', () => {
    const nothing = { still: 0, fixed: 0, untold: 0, vanished: 0, unstable: 0, worst: [] };
    const baseline = { run: 'r1', started: '2026-01-01T00:00:00Z', new: 0, ...nothing, answers: 3 };

    expect(xml(sampleFleet([sampleShare('a', [], { baseline })]))).toContain(
      '<property name="baseline.answers" value="3"/>',
    );
  });

  it('says how much of its plan ran on a target', () => {
    const partial = { planned: 10, asked: 4, share: 0.4 };

    expect(xml(sampleFleet([sampleShare('a', [], { partial })]))).toContain(
      '<property name="partial" value="4 of 10 planned checks (40.0 %)"/>',
    );
  });
});
