import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgress, progressLine } from './progress.ts';

class Sink extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number | undefined;

  constructor(columns?: number) {
    super();
    this.isTTY = columns !== undefined;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  lines(): string[] {
    return this.text.split('\n').slice(0, -1);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('createProgress without a terminal', () => {
  it('writes one plain line at the end of a short run', () => {
    const stream = new Sink();
    const progress = createProgress({ stream, total: 1000, expected: 0, label: 'a\u001b' });
    for (let done = 1; done <= 1000; done += 1) progress.update({ done, failed: 2, requests: done });
    expect(stream.text).toBe('');
    progress.stop();
    progress.stop();

    expect(stream.lines()).toEqual(['a\\x1b: 1000/1000 checks, 2 failed, 1000 requests']);
  });

  it('counts what ran out of what will run, without blocked checks', () => {
    const stream = new Sink();
    const progress = createProgress({ stream, total: 10, expected: 0, label: 'a' });
    progress.update({ done: 6, total: 7, requests: 6 });
    progress.stop();

    expect(stream.lines()).toEqual(['a: 6/7 checks, 0 failed, 6 requests']);
  });

  it('writes a line every ten seconds when checks are slow', () => {
    const stream = new Sink();
    const progress = createProgress({ stream, total: 10_000, expected: 0, label: 'a' });
    for (let second = 1; second <= 25; second += 1) {
      vi.advanceTimersByTime(1000);
      progress.update({ done: second, requests: second });
    }

    expect(stream.lines()).toEqual([
      'a: 10/10000 checks, 0 failed, 10 requests, 1.0/s, 2 h 46 min left',
      'a: 20/10000 checks, 0 failed, 20 requests, 1.0/s, 2 h 46 min left',
    ]);
  });

  it('names the running search with its phase and findings, until the last check is done', () => {
    const stream = new Sink();
    const progress = createProgress({ stream, total: 9, expected: 0, label: 'a' });
    const search = { check: 'posts.list/fuzz/accepted', phase: 'pairs', judged: 3, planned: 40, found: 0 };
    const other = { check: 'pages.list/fuzz/robust', phase: 'random', judged: 1, planned: 7, found: 2 };
    const reported = [[search], [search, other], undefined] as const;
    for (const searches of reported) {
      vi.advanceTimersByTime(10_000);
      progress.update({ done: 1, requests: 50, ...(searches !== undefined && { searches }) });
    }
    progress.update({ done: 9, failed: 1, requests: 90 });
    progress.stop();

    expect(stream.lines()).toEqual([
      'a: 1/9 checks, 0 failed, 50 requests, 5.0/s; fuzzing posts.list/fuzz/accepted: pairs 3/40, 0 found',
      'a: 1/9 checks, 0 failed, 50 requests, 2.5/s; fuzzing pages.list/fuzz/robust and 1 more: random 1/7, 2 found',
      'a: 1/9 checks, 0 failed, 50 requests, 1.7/s; fuzzing pages.list/fuzz/robust and 1 more: random 1/7, 2 found',
      'a: 9/9 checks, 1 failed, 90 requests, 3.0/s',
    ]);
  });

  it('writes nothing after stop, and nothing for an empty plan', () => {
    const stream = new Sink();
    const progress = createProgress({ stream, total: 0, expected: 0, label: 'a' });
    progress.update({ done: 0 });
    progress.stop();
    vi.advanceTimersByTime(60_000);
    progress.update({ requests: 9 });

    expect(stream.text).toBe('');
  });
});

describe('createProgress on a terminal', () => {
  function frames(stream: Sink): string[] {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the terminal sequences between two frames
    return stream.text.split(/\u001b(?:\[[0-9;?]*[A-Za-z]|[78])/).filter((frame) => frame !== '');
  }

  it('redraws one line with what is done, failed and left', () => {
    const stream = new Sink(100);
    const progress = createProgress({ stream, total: 90, expected: 0, label: 'a' });
    vi.advanceTimersByTime(20_000);
    progress.update({ done: 30, failed: 2, requests: 820 });
    progress.stop();

    expect(stream.text).not.toContain('\n');
    expect(frames(stream).at(-1)).toBe(
      '[==========--------------------] a  30/90 checks, 2 failed, 820 requests, 41/s, 40 s left',
    );
  });

  it.each([20, 60, 80])('stays within %i columns', (columns) => {
    const stream = new Sink(columns);
    const progress = createProgress({ stream, total: 6000, expected: 0, label: 'staging' });
    vi.advanceTimersByTime(60_000);
    progress.update({ done: 2999, failed: 100, requests: 123_456 });
    progress.stop();

    expect(Math.max(...frames(stream).map((frame) => frame.length))).toBeLessThanOrEqual(columns);
  });

  it('changes no setting of the terminal and leaves signals to the command', () => {
    const before = process.listenerCount('SIGINT');
    const stream = new Sink(80);
    const progress = createProgress({ stream, total: 9, expected: 0, label: 'a' });

    expect(process.listenerCount('SIGINT')).toBe(before);
    progress.stop();
    expect(stream.text).not.toContain('\u001b[?');
  });

  it('draws nothing after stop, may be stopped again and keeps no timer', () => {
    const stream = new Sink(80);
    const progress = createProgress({ stream, total: 9, expected: 0, label: 'a' });
    progress.stop();
    const shown = stream.text;
    progress.update({ done: 5, requests: 5 });
    progress.stop();
    vi.advanceTimersByTime(60_000);

    expect(stream.text).toBe(shown);
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** Without expected requests, each check counts as one. */
const PLAIN = { expected: 0, expectedDone: 0, phase: '', searches: [] };

const at = (
  done: number,
  total: number,
  failed: number,
  requests: number,
  seconds: number,
): Parameters<typeof progressLine>[0] => ({ ...PLAIN, done, total, failed, requests, seconds });

it.each([
  [
    'what it is at, and the time that the requests to come take',
    {
      ...PLAIN,
      ...{ done: 80, total: 90, failed: 0, requests: 100, seconds: 10 },
      ...{ expected: 400, expectedDone: 100, phase: 'writing' },
    },
    'writing: 80/90 checks, 0 failed, 100 requests, 10/s, 30 s left',
  ],
  ['the start', at(0, 9, 0, 0, 0), '0/9 checks, 0 failed, 0 requests'],
  ['the way', at(30, 90, 2, 820, 20), '30/90 checks, 2 failed, 820 requests, 41/s, 40 s left'],
  ['a slow target', at(1, 2, 0, 1, 4), '1/2 checks, 0 failed, 1 request, 0.3/s, 4.0 s left'],
  [
    'a way of which hardly anything was sent yet, in no time that could be told',
    {
      ...PLAIN,
      ...{ done: 1783, total: 3439, failed: 0, requests: 4, seconds: 10 },
      ...{ expected: 2100, expectedDone: 4 },
    },
    '1783/3439 checks, 0 failed, 4 requests, 0.4/s',
  ],
  ['the end', at(9, 9, 0, 20, 2), '9/9 checks, 0 failed, 20 requests, 10/s'],
  ['an empty plan', at(0, 0, 0, 3, 1), '0/0 checks, 0 failed, 3 requests, 3.0/s'],
])('describes %s', (_case, state, text) => {
  expect(progressLine(state)).toBe(text);
});
