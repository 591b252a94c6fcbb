import { describe, expect, it } from 'vitest';
import { conclude, fuzzingOf } from '../../../engine/conclusion.ts';
import {
  SAMPLE_RUN,
  sampleCheck,
  sampleCounterexample,
  sampleResult,
  sampleTried,
} from '../../../engine/result.fixture.ts';
import { type BaselineReport, type CheckResult, type RunResult, VERDICTS } from '../../../engine/result.ts';
import { renderPage } from '../../renderers/page.ts';
import { renderTerminal } from '../../renderers/terminal.ts';
import { hostileRun } from '../../reporters/sample-run.fixture.ts';
import { runView } from './run.ts';

const repeat = (id: string): string => `run --only ${id}`;

function shown(result: RunResult, width = 100): string {
  return renderTerminal(runView(result, { repeat }), { width });
}

function headings(text: string): string[] {
  return text.match(/^── .*?(?=,| ─)/gm) ?? [];
}

const OPERATIONS = {
  'posts.list': { namespace: 'wp/v2', route: '/wp/v2/posts', methods: ['GET'], words: { search: 'find' } },
};

function failure(id: string, changes: Partial<CheckResult> = {}): CheckResult {
  return sampleCheck({ id, verdict: 'fail', message: `${id} is broken`, ...changes });
}

describe('a run on a terminal', () => {
  it('shows new failures, then the rest by severity, and at last the conclusion with its reason', () => {
    const checks = VERDICTS.map((verdict) =>
      sampleCheck({ id: `posts.list/${verdict}`, verdict, message: 'm' }),
    );
    const text = shown(sampleResult(checks, { notices: [{ id: 'n', message: 'm' }] }));

    expect(headings(text)).toEqual([
      '── verdicts by area',
      '── 1 failure',
      '── 1 fault of the suite itself',
      '── 1 warning',
      '── 1 check inconclusive',
      '── 1 check skipped',
      '── 1 notice',
    ]);
    expect(text).toMatch(/\nNOT CONFORMANT {2}1 of 5 checks failed; /);
    expect(text).toContain('\n  run --only posts.list/fail\n');
    expect(text).toContain('An error is a fault of this suite');
  });

  it('says what was checked, in which mode and at what cost, if that was recorded', () => {
    const died = sampleResult([]);
    const run = { ...died.run, seconds: 0, requests: 0, retries: 0, ended: 'interrupted' };

    expect(shown(sampleResult([])).split('\n').slice(0, 6)).toEqual([
      'target      https://staging.example.test/',
      'deployment  a, vocabulary wordpress',
      'mode        write (could create, change and delete records of its own)',
      'run         4f1c2a90, started 2025-03-04T05:06:07.000Z, seed 42',
      'cost        1530 requests, 3 of them repeated, 1 min 23 s',
      'made by     site-conformance 0.1.0, contract sha256:c0c0c0c0c0c0',
    ]);
    expect(shown({ ...died, run })).toContain('cost        not recorded');
    expect(shown(sampleResult([]))).toContain('Nothing was tested');
  });

  it('says once what a firewall before the site denied, by method', () => {
    const blocked = { DELETE: 20, PUT: 12 };
    const text = shown(sampleResult([], { run: { ...SAMPLE_RUN, blocked } }));

    expect(text).toContain('denied some requests (DELETE 20, PUT 12)');
    expect(shown(sampleResult([]))).not.toContain('denied some requests');
  });

  it('counts verdicts by area, failing areas first, and merges areas with nothing to look at', () => {
    const rows = [
      ['index/a', 'pass'],
      ['posts.list/b', 'fail'],
      ...['c/d', 'e/f', 'g/h', 'i/j'].map((id) => [id, 'skip']),
    ] as const;
    const checks = rows.map(([id = '', verdict]) =>
      sampleCheck({ id, verdict: VERDICTS.find((one) => one === verdict) ?? 'pass' }),
    );
    const table = shown(sampleResult(checks)).match(/── verdicts.*?\n\n/s)?.[0] ?? '';

    expect(
      table
        .split('\n')
        .slice(2, 5)
        .map((line) => line.trim().split(/\s{2,}/)),
    ).toEqual([
      ['posts', '1', '·', '·', '·', '·', '·'],
      ['5 other areas', '·', '·', '·', '·', '4', '1'],
      ['all', '1', '·', '·', '·', '4', '1'],
    ]);
  });

  it('says where the site has a failure, what was expected and observed, and whole commands', () => {
    const long = `curl 'http://127.0.0.1/?search=${'x'.repeat(200)}'`;
    const check = failure('posts.list/search/type', {
      ...{ operation: 'posts.list', parameter: 'search', basis: 'doubtful', declare: '{"a":1}' },
      ...{ expected: 'refused', observed: '200', reproduce: [long, 'b', 'c', 'd'] },
      replay: {
        sets: [sampleCounterexample(), sampleCounterexample({ message: 'another', replay: 'again' })],
      },
    });
    const { target, ...rest } = sampleResult([check]);
    const text = shown({ ...rest, target: { ...target, operations: OPERATIONS } });

    expect(text.match(/ {2}1 {2}GET.*?(?=\n\n)/s)?.[0].split('\n')).toEqual([
      '  1  GET /wp/v2/posts find  posts.list/search/type  §4.6 (doubtful)',
      '     posts.list/search/type is broken',
      '     check     refuses per_page above 100',
      '     expected  refused',
      '     observed  200',
      '     declare   {"a":1}',
      `     repeat    ${long}`,
      '     b',
      '     c',
      '     … and 1 more in results.json',
      '     2 sets of arguments that show it',
      "       replay    npm start -- run --replay 'posts.list/fuzz/accepted#after+before:refused'",
      '       also: another',
      '       repeat    curl http://127.0.0.1/?after=x',
      '       replay    again',
    ]);
  });

  it('shows one root cause once, the most blocking first, with its other places', () => {
    const checks = [
      failure('a/small'),
      ...['posts.list', 'pages.list'].map((operation) =>
        failure(`${operation}/order`, { operation, observed: 'accepted' }),
      ),
      sampleCheck({ id: 'c', verdict: 'skip', skip: { kind: 'blocked', by: 'pages.list/order' } }),
    ];
    const text = shown(sampleResult(checks));

    expect(text).toContain('── 3 failures from 2 causes ─');
    expect(text.match(/^ {2}\d {2}\S+\/\S+/gm)).toEqual(['  1  posts.list/order', '  2  a/small']);
    expect(text).toContain('The same in 1 other place\n       pages.list/order\n     Hides 1 check');
  });

  it('shows an operator the failures before what to build, and an author what to build first and last', () => {
    const next = [{ check: 'a/b', title: 'serves b', waiting: 2 }];
    const order = (passed: number, purpose?: 'watch'): string[] => {
      const run = { ...sampleResult([]).run, ...(purpose && { purpose }) };
      const text = shown(
        sampleResult([failure('a/b')], { run, progress: { required: 10, passed, areas: [], next } }),
      );
      return text.match(/^(── (1 failure|\d of 10)|next: .*)/gm) ?? [];
    };
    const asAuthor = (passed: number): string[] => [
      `── ${passed} of 10`,
      '── 1 failure',
      'next: a/b: serves b; 2 checks wait for it',
    ];

    expect(order(5)).toEqual(['── 1 failure', '── 5 of 10']);
    expect(order(4)).toEqual(asAuthor(4));
    expect(order(9, 'watch')).toEqual(asAuthor(9));
  });

  it('lets no text of the target start a line or reach the terminal unescaped', () => {
    const text = shown({ ...hostileRun(), reason: '\r\nCONFORMANT' });

    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\ud800]/);
    expect(text).not.toMatch(/^CONFORMANT/m);
  });

  it('stays short, however many checks there are, and within a readable width', () => {
    const checks = Array.from({ length: 6000 }, (_, at) =>
      sampleCheck({
        id: `posts.list/${at}`,
        verdict: VERDICTS[at % 6] ?? 'pass',
        message: `m${at} ${'word '.repeat(50)}`,
      }),
    );
    const lines = shown(sampleResult(checks), 500).split('\n');

    expect(lines.length).toBeLessThan(600);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});

describe('a run beside a baseline', () => {
  const NOTHING: BaselineReport = {
    ...{ run: 'r1', started: '2026-01-01T00:00:00Z', notes: [], new: [], still: [], fixed: [] },
    ...{ untold: [], vanished: [], unstable: [] },
  };
  const beside = (changes: Partial<BaselineReport>, checks: CheckResult[] = []): string => {
    const baseline = { ...NOTHING, ...changes };
    return shown(sampleResult(checks, conclude([sampleCheck({}), ...checks], { strict: false, baseline })));
  };

  it('says in one line that nothing is new, and nothing without a baseline', () => {
    expect(beside({})).toContain('── against the baseline: nothing new ─');
    expect(shown(sampleResult([sampleCheck({})]))).not.toContain('baseline');
  });

  it('does not say that nothing is new where findings count', () => {
    const baseline = { ...NOTHING, found: ['a'] };
    const red = conclude([failure('a')], { strict: false, baseline, failOn: ['found'] });

    expect(shown(sampleResult([failure('a')], red))).toContain(
      '── against the baseline: no new failure, but what counts as one, 1 found,',
    );
  });

  it('shows first which new failure blocks the most, then other changes, and what to repeat', () => {
    const checks = [
      failure('a', { standing: 'new' }),
      failure('b', { standing: 'new' }),
      failure('old', { standing: 'still' }),
      sampleCheck({ id: 'w', verdict: 'skip', skip: { kind: 'blocked', by: 'b' }, message: 'blocked by b' }),
    ];
    const report = { new: ['a', 'b'], still: ['old'], fixed: ['f'], untold: ['w'], vanished: ['v'] };
    const text = beside({ ...report, notes: ['the mode is another'] }, checks);

    expect(
      text
        .match(/── against.*?(?=\n\n──)/s)?.[0]
        .split('\n')
        .slice(1),
    ).toEqual([
      '  baseline  run r1, started 2026-01-01T00:00:00Z',
      '  note: the mode is another',
      '',
      '2 new',
      '  b',
      '    b is broken (1 check blocked by it)',
      '  a',
      '    a is broken',
      '  1 fixed',
      '    f',
      '  1 inconclusive now, and not then',
      '    w: blocked by b',
      '  1 failed then, and no longer asked',
      '    v',
      '  1 persisting',
    ]);
    expect(text).toMatch(/To repeat one check alone .*:\n +run --only b\n/);
    expect(text).toContain('── 2 new failures ─');
    expect(text).not.toContain('old is broken');
  });
});

describe('what a run says beside its failures', () => {
  it('groups inconclusive and skipped checks by reason, with an example and a remedy', () => {
    const skipped = ['a/1', 'a/2'].map((id) =>
      sampleCheck({
        id,
        verdict: 'skip',
        message: 'needs mode write',
        skip: { kind: 'mode', needs: 'write' },
      }),
    );
    const many = Array.from({ length: 20 }, (_, at) =>
      sampleCheck({ id: `b/${at}`, verdict: 'inconclusive', message: `reason ${at}` }),
    );
    const text = shown(sampleResult([...skipped, ...many]));

    expect(text).toContain('  2  needs mode write\n    such as a/1\n    Run with --mode write.\n');
    expect(text).toContain('  … and 10 reasons, see results.json');
  });

  it('shows a waiver once, on a page with what it covers and its whole link, and what to do about the list', () => {
    const link = `https://example.test/${'a/'.repeat(60)}`;
    const waived = { waiver: 'posts.*/order', reason: 'a plugin', owner: 'us', expires: '2025-03-05', link };
    const checks = ['posts.list/order', 'posts.read/order'].map((id) => failure(id, { waived }));
    const waivers = { waived: 2, expired: ['x'], unmatched: ['y'], passing: ['z'] };
    const result = sampleResult(checks, { waivers });
    const text = shown(result);
    const page = renderPage(runView(result));

    expect(text).toContain('── 2 failures waived, not counted ─');
    expect(text).toContain('  2  posts.*/order (us, until 2025-03-05)\n');
    expect(text).not.toContain('a plugin');
    for (const part of [link, 'posts.*/order: a plugin', 'posts.list/order, posts.read/order']) {
      expect(page).toContain(part);
    }
    for (const part of [
      'expires in 1 day, on 2025-03-05: posts.*/order (us)',
      'expired, so that it covers nothing any more: x',
      'matches no check of the contract: y',
      'no longer needed, because all of its checks pass: z',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('run --only');
  });

  it('sums up notices, drawn arguments and fixtures', () => {
    const { target } = sampleResult([]);
    const beyond = [{ namespace: 'yoast/v1', routes: 3, methods: 4, file: 'seo-v1' }];
    const tried = { ...sampleTried(), judged: 6, planned: 20 };
    const checks = [sampleCheck({ id: 'posts.list/fuzz/accepted', fuzz: true, tried })];
    const fuzzing = fuzzingOf(checks);
    const missing = [{ resource: 'posts', name: 'a sticky one', why: 'refused', checks: [] }];
    const text = shown(
      sampleResult(checks, {
        target: { ...target, beyond },
        notices: [{ id: 'extra/namespace', message: 'serves yoast/v1' }],
        stage: { made: { posts: 12 }, requests: 31, missing },
        ...(fuzzing && { fuzzing }),
      }),
    );

    for (const part of [
      'yoast/v1: 3 routes, 4 methods; the contract knows it as seo-v1',
      '--deployment auto',
      '  evaluated   6 of 20 sets of arguments (30.0 %)',
      'not tried: posts.list/fuzz/accepted: ',
      '── fixtures: made 12 in posts for its checks with 31 requests ─',
      'not made: a sticky one (posts), refused; no check is inconclusive because of it',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('names what it left on the site once for each reason, and nothing if it wrote nothing', () => {
    const writing = { tag: 'sc-1', created: 0, removed: 0, left: [], doubts: [], census: [] };
    const left = Array.from({ length: 12 }, (_, at) => ({ collection: 'posts', id: at, why: 'denied' }));
    const census = [{ collection: 'pages', appeared: [4], disappeared: [2], unanswered: 2 }];
    const text = shown(
      sampleResult([sampleCheck({})], { writing: { ...writing, created: 12, left, census } }),
    );

    expect(text).toContain('── 12 records written with the tag sc-1, NOT ALL REMOVED ─');
    expect(text).toContain('and 2 more are still there: denied');
    expect(text).toContain('or by 2 creations of this run');
    expect(text).toMatch(/\nCONFORMANT .*\nNOT ALL REMOVED: see what the run wrote\n/);
    expect(shown(sampleResult([sampleCheck({})], { writing }))).not.toContain('with the tag');
  });
});
