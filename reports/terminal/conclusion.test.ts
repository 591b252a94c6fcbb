import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import { renderConclusion } from './conclusion.ts';
import { createPaint } from './paint.ts';

const options = { reports: [], repeat: (id: string): string => `npm start -- run --only ${id}` };
const context = { paint: createPaint(false), width: 80 };

describe('renderConclusion', () => {
  it('says the conclusion and why, and where the reports are', () => {
    const lines = renderConclusion(
      sampleResult([sampleCheck({})]),
      { ...options, reports: [{ label: 'JUnit', path: 'out/junit.xml' }] },
      context,
    );

    expect(lines.slice(1)).toEqual([
      'CONFORMANT  1 check passed, 0 of 1 (0 %) inconclusive',
      'JUnit  out/junit.xml',
    ]);
  });

  it('says PARTIAL of a run that was narrowed, with the share', () => {
    const checks = [
      sampleCheck({}),
      sampleCheck({ verdict: 'skip', skip: { kind: 'selection', option: '--only' } }),
    ];

    expect(
      renderConclusion(sampleResult(checks), options, context).slice(1).join(' ').replaceAll(/ +/g, ' '),
    ).toBe(
      'CONFORMANT (PARTIAL) 1 check passed, 0 of 1 (0 %) inconclusive, 1 skipped; PARTIAL: 1 of 2 planned checks (50.0 %) were asked',
    );
  });

  it('keeps the path of a report whole, to be copied', () => {
    const path = `/a/${'long/'.repeat(30)}results.json`;

    expect(
      renderConclusion(sampleResult([]), { ...options, reports: [{ label: 'results', path }] }, context),
    ).toContain(`results  ${path}`);
  });

  it.each([
    ['how to repeat a failure', 'fail', '\n  npm start -- run --only posts.list/per_page/maximum\n'],
    ['whose fault an error is', 'error', 'An error is a fault of this suite'],
    ['where to look when nothing was tested', 'skip', 'Nothing was tested'],
  ] as const)('says %s', (_case, verdict, advice) => {
    const text = (of: 'pass' | typeof verdict): string =>
      renderConclusion(sampleResult([sampleCheck({ verdict: of })]), options, context)
        .join('\n')
        .concat('\n');

    expect(text(verdict)).toContain(advice);
    expect(text('pass')).not.toContain(advice);
  });
});
