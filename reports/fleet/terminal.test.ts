import { describe, expect, it } from 'vitest';
import { downShare, failingCheck, sampleFleet, sampleShare } from '../../compare/fleet.fixture.ts';
import { renderFleetPage } from '../page/fleet/fleet-page.ts';
import { junitOfFleet } from './junit.ts';
import { renderFleetMarkdown } from './markdown.ts';
import { renderFleet } from './terminal.ts';

const BASELINE = {
  run: 'r',
  started: '2025-03-03T05:06:07.000Z',
  new: 1,
  still: 2,
  fixed: 3,
  untold: 0,
  vanished: 0,
  unstable: 0,
  worst: ['index/name/present'],
};

const FLEET = sampleFleet(
  [
    ...Array.from({ length: 60 }, (_, at) => sampleShare(`healthy-${String(at).padStart(2, '0')}`)),
    sampleShare(`ill-${'x'.repeat(60)}`, [failingCheck('index/name/present', { isNew: true })], {
      baseline: BASELINE,
      namespaces: ['cms/v2', 'seo/v1'],
    }),
    sampleShare('other', [], { namespaces: ['cms/v2'] }),
    downShare('down', 3, `the site says \u001b[31m${'long '.repeat(100)}`),
  ],
  { notes: ['no baseline for down: not evaluated'] },
);

function text(width = 80, fleet = FLEET): string {
  return renderFleet(fleet, { colour: false, width, reports: [{ label: 'fleet', path: '/out/fleet.json' }] });
}

describe('the terminal report of a fleet', () => {
  it.each([80, 120])('fits into %d columns', (width) => {
    const longest = Math.max(
      ...text(width)
        .split('\n')
        .map((line) => line.length),
    );

    expect(longest).toBeLessThanOrEqual(width);
  });

  it('shows the worst first, with the reason where a target could not be evaluated, and counts what it leaves out', () => {
    const lines = text().split('\n');

    expect(lines[2]).toMatch(/^ill-x+… {2}FAIL/);
    expect(lines[3]).toMatch(/^down +UNKNOWN/);
    expect(lines[4]).toContain('the site says \\x1b[31mlong');
    expect(text()).toContain('… and 51 more, none of them worse: see fleet.json');
  });

  it('tells a target that only fails as its baseline does from one that conforms', () => {
    const known = sampleShare('known', [failingCheck('a')], {
      exitCode: 0,
      baseline: { ...BASELINE, new: 0, worst: [] },
    });

    expect(text(80, sampleFleet([known]))).toMatch(/^known +nothing new +1 /m);
    expect(text(80, sampleFleet([sampleShare('well')]))).toMatch(/^well +ok +0 /m);
  });

  it('says what fails on how many, what is new, and what only some serve', () => {
    expect(text()).toContain('1 of 63   index/name/present (new on 1): what index/name/present says');
    expect(text()).toContain('1 target worse than the baseline');
    expect(text()).toContain('1 new: index/name/present');
    expect(text(120)).toMatch(/1 of 2 +seo\/v1: ill-x/);
    expect(text()).not.toContain('cms/v2');
    expect(text()).toContain('note: no baseline for down: not evaluated');
  });

  it('ends with the conclusion, the exit code and where the reports are', () => {
    expect(text().split('\n').slice(-6).join('\n')).toMatch(
      /NONCONFORMANT\n {2}1 of 63 targets nonconformant; 1 of 1 worse than the baseline; 1 could not be\n {2}evaluated; 61 of 63 targets conformant\n.*exit code 1\nfleet {2}\/out\/fleet.json\n$/,
    );
  });

  it('says that a part is not all', () => {
    const fleet = sampleFleet([sampleShare('one')], { selected: 9, shard: { index: 2, of: 4 } });

    expect(text(80, fleet)).toContain('CONFORMANT (PART 2/4 of 9 targets)');
  });

  it('says PARTIAL where a target was asked a part of its plan only', () => {
    const partial = { planned: 10, asked: 4, share: 0.4 };
    const fleet = sampleFleet([sampleShare('a', [], { partial }), sampleShare('b')]);

    expect(text(120, fleet)).toMatch(
      /^CONFORMANT \(PARTIAL\)\n.*\n {2}PARTIAL: of 1 of 2 targets only a part of the planned checks was asked$/m,
    );
    expect(renderFleetMarkdown(fleet)).toMatch(
      /^# Fleet: conformant \(PARTIAL\)\n\n.*\n\n\*\*PARTIAL: of 1 of 2/,
    );
    expect([...junitOfFleet(fleet, () => [])].join('')).toContain(
      '<property name="partial" value="4 of 10 planned checks (40.0 %)"/>',
    );
    expect(renderFleetPage(fleet)).toContain('<h1>All of 2 sites conformant (PARTIAL)</h1>');
    expect(renderFleetPage(FLEET)).not.toContain('PARTIAL');
  });
});
