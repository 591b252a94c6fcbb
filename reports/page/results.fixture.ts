import { countVerdicts } from '../../engine/conclusion.ts';
import { SAMPLE_RUN, sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult, OperationPlace, RunResult, Verdict } from '../../engine/result.ts';
import { VERDICTS } from '../../engine/result.ts';
import { hostileDocument } from './schema-document.fixture.ts';

function placeIn(id: string): OperationPlace {
  const [name, role] = id.split('.');
  return { namespace: 'wp/v2', route: `/wp/v2/${name}`, methods: [role === 'create' ? 'POST' : 'GET'] };
}

/** A run with two failures, one of them in three places and blocking a fourth, and with every other kind of outcome. */
export function mixedResult(): RunResult {
  const failing = { verdict: 'fail', expected: 'refused', observed: 'accepted (status 200)' } as const;
  const curl = [
    "curl -sS -g -w '\\n%{http_code}\\n' 'http://127.0.0.1/index.php?rest_route=/wp/v2/posts&per_page=101'",
  ];
  const checks = [
    sampleCheck({
      id: 'index/name/type',
      kind: 'listed',
      title: 'the name is a text',
      section: '1',
      about: 'declaration',
    }),
    sampleCheck({
      ...failing,
      id: 'seo.get-head/url/required/enforced',
      kind: 'refused',
      title: 'refuses a request without url of seo.get-head',
      operation: 'seo.get-head',
      parameter: 'url',
      section: '4.9',
      message: 'a request without url is accepted',
      reproduce: curl,
      standing: 'new',
    }),
    ...['posts.list', 'pages.list', 'media.list'].map((operation) =>
      sampleCheck({
        ...failing,
        id: `${operation}/per_page/maximum/enforced`,
        kind: 'refused',
        title: `refuses per_page above 100 in ${operation}`,
        operation,
        parameter: 'per_page',
        message: `per_page of ${operation} as 101 is accepted`,
        reproduce: curl,
      }),
    ),
    sampleCheck({
      id: 'posts.list/fuzz/refused',
      kind: 'drawn',
      operation: 'posts.list',
      verdict: 'skip',
      skip: { kind: 'blocked', by: 'posts.list/per_page/maximum/enforced' },
      message: 'blocked by posts.list/per_page/maximum/enforced',
    }),
    sampleCheck({
      id: 'posts.create/title/stored',
      kind: 'writes',
      operation: 'posts.create',
      verdict: 'skip',
      skip: { kind: 'mode', needs: 'write' },
      message: 'needs mode write',
    }),
    sampleCheck({
      id: 'posts.list/search/accepted',
      kind: 'accepted',
      operation: 'posts.list',
      verdict: 'inconclusive',
      message: 'no valid call was taken',
      controls: { tried: 3, wanted: ['search'] },
    }),
    sampleCheck({
      id: 'media.create/method/POST',
      kind: 'declared',
      title: 'serves POST',
      operation: 'media.create',
      about: 'declaration',
      verdict: 'fail',
      message: 'POST is not served',
    }),
    sampleCheck({
      id: 'media.read/context/fields',
      kind: 'contexts',
      operation: 'media.read',
      verdict: 'inconclusive',
      message: 'there is no file',
    }),
    sampleCheck({
      id: 'posts.list/order/enum',
      kind: 'declared',
      title: 'declares the enum of order',
      operation: 'posts.list',
      about: 'declaration',
      verdict: 'warn',
      message: 'another order',
      basis: 'doubtful',
    }),
    sampleCheck({
      id: 'posts.list/orderby/filters/date',
      kind: 'lists',
      operation: 'posts.list',
      verdict: 'inconclusive',
      unstable: { failed: 1, asked: 3 },
      message: 'sorted by nothing',
    }),
    sampleCheck({
      ...failing,
      id: 'pages.list/order/enum/enforced',
      kind: 'refused',
      operation: 'pages.list',
      waived: { waiver: 'pages.list/**', reason: 'known', owner: 'the web team', expires: '2027-01-01' },
    }),
    sampleCheck({
      id: 'posts.list/per_page/default/applied',
      kind: 'defaults',
      title: 'treats a request without per_page like per_page 10',
      operation: 'posts.list',
      parameter: 'per_page',
    }),
  ];
  const operations = Object.fromEntries(
    ['posts.list', 'pages.list', 'media.list', 'posts.create'].map((id) => [id, placeIn(id)]),
  );
  const result = sampleResult(checks, {
    notices: [{ id: 'n', message: 'the site has the namespace acme/v1 too' }],
    stage: {
      made: { posts: 12, pages: 3 },
      requests: 9,
      missing: [
        {
          resource: 'media',
          name: 'a picture',
          why: 'POST is not served',
          checks: ['media.read/context/fields'],
        },
        {
          resource: 'posts',
          name: 'a sticky one',
          why: 'refused (status 400)',
          serves: ['sticky'],
          checks: [],
        },
      ],
    },
    run: { ...SAMPLE_RUN, again: "npm --prefix /srv/suite start -- run --rerun '/srv/my reports'" },
    progress: {
      required: 13,
      passed: 2,
      areas: [
        { area: 'index', required: 1, passed: 1 },
        { area: 'posts', required: 7, passed: 1 },
        { area: 'media', required: 5, passed: 0 },
      ],
      next: [
        {
          check: 'media.create/method/POST',
          title: 'serves POST',
          serve: { method: 'POST', namespace: 'wp/v2', route: '/wp/v2/media' },
          waiting: 1,
        },
        { check: 'seo.get-head/url/required/enforced', title: 'refuses a request without url', waiting: 0 },
      ],
    },
  });
  return {
    ...result,
    target: {
      ...result.target,
      operations: {
        ...operations,
        'seo.get-head': { namespace: 'yoast/v1', route: '/yoast/v1/get_head', methods: ['GET'] },
      },
    },
    baseline: {
      run: 'b4',
      started: '2025-03-03T05:06:07.000Z',
      notes: [],
      new: ['seo.get-head/url/required/enforced'],
      still: ['posts.list/per_page/maximum/enforced'],
      fixed: ['index/name/type'],
      untold: [],
      vanished: [],
      unstable: [],
    },
  };
}

/** A run with so many checks, of which one in 300 failed in its own way. */
export function largeResult(size: number): RunResult {
  const checks = Array.from({ length: size }, (_unused, at): CheckResult => {
    const operation = `acme.resource-${Math.floor(at / 40)}.update`;
    const failed = at % 300 === 7;
    return sampleCheck({
      id: `${operation}/parameter_${at % 40}/maximum/enforced`,
      title: `refuses a value above the maximum for parameter_${at % 40} of ${operation}`,
      operation,
      parameter: `parameter_${at % 40}`,
      ...(failed && {
        verdict: 'fail',
        message: `parameter_${at % 40} of ${operation} as ${at} is accepted`,
        expected: 'refused',
        observed: `accepted (status 200, ${at})`,
        reproduce: [
          `curl -sS -g 'http://127.0.0.1/index.php?rest_route=/acme/v1/resource-${at}&parameter=${at}'`,
        ],
      }),
      ...(at % 50 === 3 && { verdict: 'skip', skip: { kind: 'credentials' }, message: 'needs credentials' }),
    });
  });
  return sampleResult(checks);
}

/** Such a run, with hundreds of unfinished areas and hundreds of records that cannot be created. */
export function wantingResult(size: number): RunResult {
  const { checks } = largeResult(size);
  const ids = checks.map(({ id }) => id);
  return sampleResult(checks, {
    progress: {
      required: size,
      passed: 5,
      areas: Array.from({ length: 600 }, (_unused, at) => ({
        area: `${at}${'a'.repeat(200)}`,
        required: 20,
        passed: 1,
      })),
      next: ids.slice(0, 10).map((check) => ({ check, title: 't'.repeat(5000), waiting: 9 })),
    },
    stage: {
      made: {},
      requests: 5,
      missing: Array.from({ length: 300 }, (_unused, at) => ({
        resource: 'r'.repeat(300),
        name: `${at}${'n'.repeat(300)}`,
        why: 'w'.repeat(1000),
        checks: ids.slice(at, at + 100),
      })),
    },
  });
}

/** A run with hostile text in every member, and each verdict with each text. */
export function hostileResult(): RunResult {
  const made = hostileDocument('result.schema.json') as RunResult;
  const checks = made.checks.flatMap((check, at) =>
    VERDICTS.map((verdict: Verdict, turn) => {
      const { waived, unstable, ...rest } = check;
      const id = `${check.id.slice(0, 200)}/${at}/${verdict}`;
      return {
        ...rest,
        id,
        verdict,
        ...(turn % 2 === 0 && verdict === 'fail' && waived !== undefined && { waived }),
        ...(turn % 2 === 1 && unstable !== undefined && { unstable }),
      };
    }),
  );
  return { ...made, checks, counts: countVerdicts(checks) };
}
