import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import { VERDICTS } from '../../engine/result.ts';
import { renderTerminal } from './terminal.ts';

const hostile = '\u001b]0;title\u0007\u001b[2J\r\nCONFORMANT  \u202e\u009b31m\ud800';
const plain = {
  colour: false,
  width: 80,
  reports: [{ label: 'results', path: 'out/results.json' }],
  repeat: (id: string): string => `npm start -- run --only ${id}`,
};

function hostileResult(): ReturnType<typeof sampleResult> {
  const text = { title: hostile, section: hostile, message: hostile, expected: hostile, observed: hostile };
  const checks = VERDICTS.map((verdict) =>
    sampleCheck({ ...text, id: `${hostile}/x`, verdict, reproduce: [hostile] }),
  );
  const target = { url: hostile, deployment: hostile, vocabulary: hostile, index: hostile };
  const missing = [{ resource: hostile, name: hostile, why: hostile, checks: [hostile] }];
  const serve = { method: hostile, namespace: hostile, route: hostile };
  return sampleResult(checks, {
    target,
    reason: hostile,
    notices: [{ id: hostile, message: hostile }],
    stage: { made: { [hostile]: 1 }, requests: 1, missing },
    progress: {
      required: 2,
      passed: 1,
      areas: [{ area: hostile, required: 2, passed: 1 }],
      next: [
        { check: hostile, title: hostile, serve, waiting: 2 },
        { check: hostile, title: hostile, waiting: 1 },
      ],
    },
  });
}

describe('renderTerminal', () => {
  it('shows its sections in one order, the conclusion last', () => {
    const checks = VERDICTS.map((verdict) =>
      sampleCheck({ id: `posts.list/${verdict}`, verdict, message: 'm' }),
    );
    const text = renderTerminal(sampleResult(checks, { notices: [{ id: 'n', message: 'm' }] }), plain);

    const marks = text.match(/^(site-conformance|all|── .*?(?=,| ─))/gm);

    expect(marks).toEqual([
      'site-conformance',
      'all',
      '── 1 failure',
      '── 1 error of the suite itself',
      '── 1 warning',
      '── 1 check inconclusive',
      '── 1 check skipped',
      '── 1 notice',
      '── conclusion',
    ]);
    expect(text.endsWith('results  out/results.json\n')).toBe(true);
  });

  it('shows an operator the failures before the next step, and an author the next step first and last', () => {
    const checks = [sampleCheck({ id: 'a/b', verdict: 'fail', title: 'serves b', message: 'm' })];
    const next = [{ check: 'a/b', title: 'serves b', waiting: 2 }];
    const shown = (passed: number, purpose?: 'watch'): string[] => {
      const run = { ...sampleResult([]).run, ...(purpose && { purpose }) };
      const progress = { required: 10, passed, areas: [], next };
      return (
        renderTerminal(sampleResult(checks, { run, progress }), plain).match(
          /^( *next: .*|── (1 failure|\d of 10|conclusion))/gm,
        ) ?? []
      );
    };
    const step = 'next: a/b: serves b; 2 checks wait for it';
    const asAuthor = (passed: number): string[] => [
      `── ${passed} of 10`,
      `  ${step}`,
      '── 1 failure',
      '── conclusion',
      step,
    ];

    expect(shown(5)).toEqual(['── 1 failure', '── 5 of 10', `  ${step}`, '── conclusion']);
    expect(shown(4)).toEqual(asAuthor(4));
    expect(shown(9, 'watch')).toEqual(asAuthor(9));
  });

  it('is the conclusion alone where that is asked for', () => {
    const text = renderTerminal(sampleResult([sampleCheck({ verdict: 'fail', message: 'm' })]), {
      ...plain,
      brief: true,
    });

    expect(text).toMatch(/^── conclusion ─+\nNONCONFORMANT /);
    expect(text.endsWith('results  out/results.json\n')).toBe(true);
  });

  it('shows first what the most hangs on, and repeats that', () => {
    const checks = [
      sampleCheck({ id: 'a/small', verdict: 'fail', message: 'm' }),
      sampleCheck({ id: 'b/root', verdict: 'fail', message: 'm' }),
      sampleCheck({ id: 'c', verdict: 'skip', skip: { kind: 'blocked', by: 'b/root' }, message: 'm' }),
    ];
    const text = renderTerminal(sampleResult(checks), plain);

    expect(text.match(/^ {2}\d {2}\S+/gm)).toEqual(['  1  b/root', '  2  a/small']);
    expect(text).toContain('npm start -- run --only b/root');
  });

  it('lets no control character of the target through', () => {
    const text = renderTerminal(hostileResult(), plain);

    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\ud800]/);
    expect(text).toContain('\\x1b]0;title\\x07');
  });

  it('lets no text of the target start a line', () => {
    expect(renderTerminal(hostileResult(), plain)).not.toMatch(/^CONFORMANT/m);
  });

  it('contains only escapes of its own when coloured', () => {
    const text = renderTerminal(hostileResult(), { ...plain, colour: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of styleText
    const bare = text.replace(/\u001b\[(1|22|3\d|39|90)m/g, '');

    expect(bare).not.toBe(text);
    expect(bare).toBe(renderTerminal(hostileResult(), plain));
  });

  it.each([10, 80, 500])('keeps to a readable width in %i columns, but for lines to be copied', (width) => {
    const checks = VERDICTS.map((verdict) =>
      sampleCheck({ verdict, message: 'word '.repeat(100), observed: 'x'.repeat(1000) }),
    );
    const text = renderTerminal(sampleResult(checks), { ...plain, width });

    const longest = Math.max(...text.split('\n').map((line) => line.length));

    expect(longest).toBe(Math.min(Math.max(width, 76), 120));
  });

  it('stays short, however many checks there are', () => {
    const checks = Array.from({ length: 6000 }, (_, index) =>
      sampleCheck({
        id: `posts.list/${index}`,
        verdict: VERDICTS[index % 6] ?? 'pass',
        message: `m${index}`,
      }),
    );

    expect(renderTerminal(sampleResult(checks), plain).split('\n').length).toBeLessThan(400);
  });
});
