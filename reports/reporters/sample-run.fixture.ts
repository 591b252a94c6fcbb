import { defined } from '../../client/json.ts';
import { conclude } from '../../engine/conclusion.ts';
import { sampleCheck, sampleCounterexample, sampleResult } from '../../engine/result.fixture.ts';
import type { BaselineReport, CheckResult, RunResult } from '../../engine/result.ts';
import { hostileDocument } from '../page/schema-document.fixture.ts';

const WAIVED = {
  waiver: 'pages.list/**',
  reason: 'the theme does it',
  owner: 'web team',
  expires: '2026-12-31',
  link: 'https://example.test/issues/7',
};

/** A run with a baseline and waivers that has every kind of outcome. */
export function everyOutcome(): RunResult {
  const checks: CheckResult[] = [
    sampleCheck({
      id: 'posts.list/per_page/maximum',
      verdict: 'fail',
      standing: 'still',
      operation: 'posts.list',
      parameter: 'per_page',
      message: 'accepted 101',
      expected: 'refused',
      observed: '200',
      reproduce: ["curl -sS 'http://127.0.0.1/?per_page=101'"],
      upstream: { reason: 'the software caps it later' },
    }),
    sampleCheck({ id: 'namespaces/seo/v1/served', basis: 'implied', verdict: 'fail', standing: 'new' }),
    sampleCheck({
      id: 'seo.file-size/url/required',
      verdict: 'skip',
      skip: { kind: 'blocked', by: 'namespaces/seo/v1/served' },
      message: 'blocked by namespaces/seo/v1/served',
    }),
    sampleCheck({ id: 'pages.list/order/default', verdict: 'fail', waived: WAIVED, standing: 'still' }),
    sampleCheck({ id: 'index/name/type', standing: 'fixed' }),
    sampleCheck({ id: 'index/description/type', verdict: 'warn', message: 'doubtful' }),
    sampleCheck({ id: 'media.list/fuzz/accepted', verdict: 'error', message: 'a fault' }),
    sampleCheck({
      id: 'posts.list/order/applied',
      verdict: 'inconclusive',
      unstable: { failed: 1, asked: 3 },
    }),
    sampleCheck({
      id: 'posts.list/fuzz/accepted',
      verdict: 'inconclusive',
      replay: { sets: [sampleCounterexample({ shows: 'sometimes' })] },
    }),
    sampleCheck({ id: 'posts.read/context/accepted', verdict: 'inconclusive', standing: 'untold' }),
    sampleCheck({ id: 'users.list/mode', verdict: 'skip', skip: { kind: 'mode', needs: 'write' } }),
    sampleCheck({ id: 'posts.list/per_page/default' }),
  ];
  const { target } = sampleResult([]);
  const operations = { 'posts.list': { namespace: 'wp/v2', route: '/wp/v2/posts', methods: ['GET'] } };
  return sampleResult(checks, {
    target: { ...target, operations },
    baseline: baselineOf(checks),
    waivers: { waived: 1, expired: [], unmatched: [], passing: [] },
    stage: {
      made: { posts: 12 },
      requests: 3,
      missing: [
        {
          resource: 'posts',
          name: 'a sticky one',
          why: 'refused (status 400)',
          checks: ['posts.read/context/accepted'],
        },
      ],
    },
    progress: {
      required: 1458,
      passed: 1023,
      areas: [
        { area: 'index', required: 58, passed: 58 },
        { area: 'posts', required: 1400, passed: 965 },
      ],
      next: [
        {
          check: 'namespaces/seo/v1/served',
          title: 'serves seo/v1',
          serve: { method: 'GET', namespace: 'seo/v1', route: '/seo/v1/file_size' },
          waiting: 393,
        },
        { check: 'posts.list/per_page/maximum', title: 'refuses per_page above 100', waiting: 0 },
      ],
    },
  });
}

function baselineOf(checks: readonly CheckResult[]): BaselineReport {
  const standing = (wanted: CheckResult['standing']): string[] =>
    checks.filter((check) => check.standing === wanted).map(({ id }) => id);
  return {
    run: 'earlier',
    started: '2025-03-03T05:06:07.000Z',
    notes: ['the earlier run had no user'],
    new: standing('new'),
    still: standing('still'),
    fixed: standing('fixed'),
    untold: standing('untold'),
    vanished: [],
    unstable: checks.filter(({ unstable }) => unstable !== undefined).map(({ id }) => id),
    answers: [
      {
        id: 'c-1',
        class: 'breaking',
        headline: 'posts: `author` is a text, not an integer',
        advice: 'Readers that expect the earlier type fail.',
      },
    ],
  };
}

/** Text that every format must treat as text only. */
export const HOSTILE: string = [
  ']]><!--&<script>alert(1)</script><img src=x onerror=alert(1)>',
  '| a | [link](javascript:alert(1)) ![i](http://evil.test/x.png) `code` ``` @everyone #1 www.evil.test',
  'https://evil.test/ $x$ {0} {{1}} ::error::owned ##[error]owned %0A::error::x',
  '\u0000\u001b[31m\r\ud800\uffff\u202e😀',
].join('\n');

/** Characters that no report may show. */
export const HIDDEN: RegExp = /(?!\n)\p{Cc}|\u202e/u;

/** A failing run with such text everywhere a target may put it. */
export function hostileRun(): RunResult {
  const made = hostileDocument('result.schema.json', [HOSTILE]) as RunResult;
  const checks = made.checks.flatMap(({ waived, unstable: _, ...check }): CheckResult[] => [
    { ...check, id: `posts.list/${HOSTILE}`, verdict: 'fail' },
    { ...check, id: `pages.list/${HOSTILE}`, verdict: 'warn' },
    { ...check, id: `media.list/${HOSTILE}`, verdict: 'fail', ...defined({ waived }) },
  ]);
  return { ...made, checks, ...conclude(checks, { strict: false }), reason: HOSTILE };
}
