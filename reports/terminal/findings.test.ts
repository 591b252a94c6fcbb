import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleCounterexample } from '../../engine/result.fixture.ts';
import { renderFindings } from './findings.ts';
import { renderReasons } from './news.ts';
import { createPaint } from './paint.ts';

const context = { paint: createPaint(false), width: 80 };

describe('renderFindings', () => {
  it('says where the target has it before the id of the check', () => {
    const operations = {
      'posts.list': {
        namespace: 'wp/v2',
        route: '/wp/v2/posts',
        methods: ['GET'],
        words: { search: 'find' },
      },
    };
    const check = sampleCheck({ verdict: 'fail', operation: 'posts.list', parameter: 'search' });
    const lines = renderFindings('fail', [check], { ...context, operations });

    expect(lines[2]).toMatch(/^ {2}1 {2}GET \/wp\/v2\/posts find {2}§/);
    expect(lines[3]).toBe(`     ${check.id}`);
  });

  it('says what broke, what was expected and how to repeat it', () => {
    const check = sampleCheck({
      verdict: 'fail',
      message: 'accepted 101',
      expected: 'refused',
      observed: '200',
      reproduce: ["curl 'http://127.0.0.1/?per_page=101'", 'curl http://127.0.0.1/'],
    });

    expect(renderFindings('fail', [sampleCheck({}), check], context).slice(1)).toEqual([
      '',
      '  1  posts.list/per_page/maximum  §4.6',
      '     refuses per_page above 100',
      '     message   accepted 101',
      '     expected  refused',
      '     observed  200',
      "     repeat    curl 'http://127.0.0.1/?per_page=101'",
      '               curl http://127.0.0.1/',
    ]);
  });

  it('gives the command that replays each finding of a fuzz check, and the further ones with their own', () => {
    const more = sampleCounterexample({
      message: 'unstable: it fails, but only 1 of 5 times',
      shows: 'sometimes',
      reproduce: ['curl http://127.0.0.1/?search=x', 'curl http://127.0.0.1/'],
      replay: 'npm start -- run --replay other',
    });
    const check = sampleCheck({
      verdict: 'fail',
      message: 'after beside before is refused',
      reproduce: ['curl http://127.0.0.1/?after=x'],
      replay: { sets: [sampleCounterexample(), more] },
    });

    expect(renderFindings('fail', [check], context).slice(4)).toEqual([
      '     message   after beside before is refused',
      '     repeat    curl http://127.0.0.1/?after=x',
      "     replay    npm start -- run --replay 'posts.list/fuzz/accepted#after+before:refused'",
      '     also      unstable: it fails, but only 1 of 5 times',
      '     repeat    curl http://127.0.0.1/?search=x',
      '     replay    npm start -- run --replay other',
    ]);
  });

  it('lists what is unstable apart from what could not be told', () => {
    const sets = [sampleCounterexample({ shows: 'sometimes' })];
    const unstable = sampleCheck({
      verdict: 'inconclusive',
      message: 'unstable: it fails',
      replay: { sets },
    });
    const untold = sampleCheck({ verdict: 'inconclusive', message: 'denied' });
    const lines = renderFindings('inconclusive', [untold, unstable], context);

    expect(lines[0]).toMatch(/^── 1 check unstable: it failed, but not each time ─+$/);
    expect(lines).toContain('     message   unstable: it fails');
    expect(lines.filter((line) => line.includes('denied'))).toEqual([]);
    expect(renderReasons('inconclusive', [untold, unstable], context).join()).not.toContain('unstable');
  });

  it('says nothing without findings of the verdict', () => {
    expect(renderFindings('error', [sampleCheck({ verdict: 'fail' })], context)).toEqual([]);
  });

  it('leaves out what is not known and names a basis that is not stated', () => {
    const lines = renderFindings(
      'warn',
      [sampleCheck({ verdict: 'warn', basis: 'doubtful', expected: '' })],
      context,
    );

    expect(lines.slice(2)).toEqual([
      '  1  posts.list/per_page/maximum  §4.6 (doubtful)',
      '     refuses per_page above 100',
    ]);
  });

  it('shows fifty failures in full and counts the others by area', () => {
    const checks = Array.from({ length: 53 }, (_, index) =>
      sampleCheck({ id: `${index < 51 ? 'posts' : 'pages'}.list/p${index}/type`, verdict: 'fail' }),
    );

    const lines = renderFindings('fail', checks, context);

    expect(lines[0]).toMatch(/^── 53 failures ─+$/);
    expect(lines.filter((line) => line.includes('§4.6'))).toHaveLength(50);
    expect(lines.at(-1)).toBe('… and 3 more, see results.json: posts 1, pages 2');
  });

  it('keeps a curl line whole, on one line, and shows three at most', () => {
    const long = `curl 'http://127.0.0.1/?search=${'x'.repeat(200)}\nrm'`;
    const lines = renderFindings(
      'fail',
      [sampleCheck({ verdict: 'fail', reproduce: [long, 'b', 'c', 'd', 'e'] })],
      context,
    );

    expect(lines.slice(-4)).toEqual([
      `     repeat    ${long.replace('\n', '\\n')}`,
      '               b',
      '               c',
      '               … and 2 more in results.json',
    ]);
  });
});
