import { describe, expect, it } from 'vitest';
import { conclude } from '../../engine/conclusion.ts';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { BaselineReport, RunResult } from '../../engine/result.ts';
import { renderNews } from './news.ts';
import { createPaint } from './paint.ts';
import { renderTerminal } from './terminal.ts';

const context = { paint: createPaint(false), width: 100 };
const options = { repeat: (id: string): string => `run --only ${id}` };

const NOTHING: BaselineReport = {
  run: 'r1',
  started: '2026-01-01T00:00:00Z',
  notes: [],
  new: [],
  still: [],
  fixed: [],
  untold: [],
  vanished: [],
  unstable: [],
};

function beside(changes: Partial<BaselineReport>, checks: RunResult['checks'] = []): RunResult {
  const baseline = { ...NOTHING, ...changes };
  return sampleResult(checks, conclude([sampleCheck({}), ...checks], { strict: false, baseline }));
}

const failure = (id: string) => sampleCheck({ id, verdict: 'fail', message: `${id} is broken` });

describe('what is new', () => {
  it('is not told without a baseline', () => {
    expect(renderNews(sampleResult([]), options, context)).toEqual([]);
  });

  it('names what the target has before the id', () => {
    const operations = { 'posts.list': { namespace: 'wp/v2', route: '/wp/v2/posts', methods: ['GET'] } };
    const check = sampleCheck({
      ...failure('posts.list/order/enum'),
      operation: 'posts.list',
      parameter: 'order',
    });
    const lines = renderNews(beside({ new: [check.id] }, [check]), options, { ...context, operations });

    expect(lines.join(' ')).toContain(
      'GET /wp/v2/posts order (posts.list/order/enum): posts.list/order/enum is broken',
    );
  });

  it('is said in one line where it is nothing', () => {
    expect(renderNews(beside({}), options, context)).toEqual([
      expect.stringMatching(/^── against the baseline: nothing new ─+$/),
      '  baseline          run r1, started 2026-01-01T00:00:00Z',
    ]);
  });

  it('comes first with what to do, what blocks the most before what blocks less', () => {
    const checks = [
      failure('a'),
      failure('b'),
      failure('old'),
      sampleCheck({ id: 'w', verdict: 'skip', skip: { kind: 'blocked', by: 'b' }, message: 'blocked by b' }),
    ];
    const lines = renderNews(
      beside(
        {
          new: ['a', 'b'],
          still: ['old'],
          fixed: ['f'],
          untold: ['w'],
          vanished: ['v'],
          notes: ['the mode is another'],
        },
        checks,
      ),
      options,
      context,
    );

    expect(lines).toEqual([
      expect.stringMatching(/^── against the baseline: 2 new failures ─+$/),
      '  baseline          run r1, started 2026-01-01T00:00:00Z',
      '  new               b: b is broken (1 check blocked by it)',
      '                    a: a is broken',
      '  fixed             f',
      '  inconclusive now  w: blocked by b',
      '  vanished          v',
      '  still failing     1 check',
      '  note              the mode is another',
      'Begin with the first; to repeat it alone:',
      '  run --only b',
    ]);
  });

  it('stands right after the head, and what fails as before is not listed again', () => {
    const checks = [failure('fresh'), failure('old')].map((check) => ({
      ...check,
      standing: check.id === 'fresh' ? ('new' as const) : ('still' as const),
    }));
    const text = renderTerminal(beside({ new: ['fresh'], still: ['old'] }, checks), {
      ...options,
      colour: false,
      width: 100,
      reports: [],
    });

    expect(text.match(/^── .*?(?= ─)/gm)).toEqual([
      '── against the baseline: 1 new failure',
      '── 1 failure',
      '── conclusion',
    ]);
    expect(text).toMatch(/fresh {2}§4\.6 {2}new/);
    expect(text).not.toContain('old is broken');
  });

  it('lets nothing of the target through as it is', () => {
    const lines = renderNews(beside({ fixed: ['\u001b[2J'], notes: ['\u202e'] }), options, context);

    expect(lines.join('\n')).toContain('\\x1b[2J');
    expect(lines.join('\n')).toContain('\\u202e');
  });
});
