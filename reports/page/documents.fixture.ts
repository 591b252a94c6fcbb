import { type Change, digestOfChange } from '../../compare/change.ts';
import type { Comparison } from '../../compare/comparison.ts';
import type { Fleet, FleetTarget } from '../../compare/fleet/document.ts';
import type { History, HistoryRun } from '../../compare/history/document.ts';

const TOOL = { name: 'site-conformance', version: '0.1.0' };
const WHEN = '2025-03-04T05:06:07.000Z';

/** An upgrade that removes a route, narrows a parameter and adds another route. */
export function sampleComparison(): Comparison {
  const change = (changes: Partial<Change> & Pick<Change, 'id' | 'class'>): Change => ({
    kind: 'route-removed',
    effect: 'narrows',
    side: 'sent',
    owner: 'wp/v2',
    digest: digestOfChange(changes.kind ?? 'route-removed', changes.id),
    place: 'GET /wp/v2/posts',
    subject: 'per_page maximum',
    ...changes,
  });
  const changes = [
    change({ id: 'routes/wp/v2/posts/per_page/maximum', class: 'breaking', before: '100', after: '50' }),
    change({
      id: 'routes/wp/v2/pages/per_page/maximum',
      class: 'breaking',
      place: 'GET /wp/v2/pages',
      before: '100',
      after: '50',
    }),
    change({ id: 'checks/posts.list/per_page', class: 'unknown', owner: 'site', subject: 'a check' }),
    change({
      id: 'routes/acme/v1',
      class: 'compatible',
      owner: 'acme/v1',
      place: 'acme/v1',
      subject: 'namespace',
    }),
  ];
  return {
    format: 1,
    kind: 'comparison',
    tool: TOOL,
    before: { kind: 'run', url: 'https://staging.example.test/', taken: WHEN, id: 'r1' },
    after: { kind: 'run', url: 'https://staging.example.test/', taken: WHEN, id: 'r2' },
    looked: { namespaces: 5, routes: 130, parameters: 1500, checks: 3000 },
    notes: [
      'the runs differ in their mode: read before, write after',
      `the runs differ in their contract: sha256:${'a9'.repeat(32)} before, sha256:${'ee'.repeat(32)} after`,
    ],
    counts: { exposed: 0, breaking: 2, unknown: 1, compatible: 1 },
    groups: [
      {
        id: 'routes/wp/v2/posts/per_page/maximum',
        digest: 'cause-0123456789ab',
        headline: 'posts, pages: `per_page` maximum is 50, not 100: 2 routes',
        class: 'breaking',
        owner: 'wp/v2',
        sentence:
          'GET /wp/v2/posts, GET /wp/v2/pages: per_page maximum was 100 and is 50: fewer values are accepted.',
        advice: 'Callers that ask for more get a refusal.',
        changes: ['routes/wp/v2/posts/per_page/maximum', 'routes/wp/v2/pages/per_page/maximum'],
        hanging: ['checks/posts.list/per_page'],
      },
      {
        id: 'routes/acme/v1',
        digest: 'cause-ba9876543210',
        headline: 'the namespace acme/v1 is new, with 2 routes',
        class: 'compatible',
        owner: 'acme/v1',
        sentence: 'the namespace acme/v1 is new.',
        advice: 'Nothing.',
        changes: ['routes/acme/v1'],
        hanging: [],
      },
    ],
    changes,
  };
}

/** Five sites: one worse than before for two reasons, one down, three healthy. */
export function sampleFleet(): Fleet {
  const target = (name: string, changes: Partial<FleetTarget> = {}): FleetTarget => ({
    name,
    folder: name,
    url: `https://${name}.example.test/`,
    deployment: 'core',
    vocabulary: 'wordpress',
    mode: 'read',
    exitCode: 0,
    conclusion: 'conformant',
    reason: '3000 checks passed',
    counts: { pass: 3000, fail: 0, warn: 3, inconclusive: 7, skip: 100, error: 0 },
    started: WHEN,
    seconds: 12,
    requests: 900,
    contract: `sha256:${'c0'.repeat(32)}`,
    index: `sha256:${'1d'.repeat(32)}`,
    namespaces: ['wp/v2'],
    failing: [],
    ...changes,
  });
  return {
    format: 1,
    kind: 'fleet',
    tool: TOOL,
    run: { started: WHEN, seconds: 60, parallel: 2, requests: 4500 },
    configuration: `sha256:${'cf'.repeat(32)}`,
    selected: 5,
    conclusion: 'nonconformant',
    reason: '1 of 5 targets has failures; 1 could not be evaluated',
    exitCode: 1,
    notes: ['no baseline for down: it was not evaluated then'],
    counts: { targets: 5, conformant: 3, nonconformant: 1, inconclusive: 1, compared: 4, worse: 1 },
    targets: [
      target('shop', {
        exitCode: 1,
        conclusion: 'nonconformant',
        counts: { pass: 2990, fail: 2, warn: 3, inconclusive: 7, skip: 100, error: 0 },
        failing: ['posts.list/per_page/maximum/enforced', 'seo.get-head/url/required/enforced'],
        baseline: {
          run: 'b',
          started: WHEN,
          new: 1,
          still: 1,
          fixed: 0,
          untold: 0,
          vanished: 0,
          unstable: 0,
          worst: ['seo.get-head/url/required/enforced'],
        },
      }),
      target('down', {
        exitCode: 3,
        conclusion: 'inconclusive',
        reason: 'nothing listens there',
        namespaces: [],
      }),
      target('blog'),
      target('docs'),
      target('news'),
    ],
    checks: [
      {
        id: 'posts.list/per_page/maximum/enforced',
        title: 'refuses per_page above 100',
        section: '4.6',
        fail: 1,
        waived: 0,
        new: 0,
        targets: ['shop'],
      },
      {
        id: 'seo.get-head/url/required/enforced',
        title: 'refuses a request without url',
        section: '4.9',
        fail: 1,
        waived: 1,
        new: 1,
        targets: ['shop', 'blog'],
      },
    ],
    software: [{ namespace: 'wp/v2', count: 4, targets: ['shop', 'blog', 'docs', 'news'] }],
  };
}

/** Five runs of one site: a failure begins in the third and is fixed in the fifth, and another one comes and goes. */
export function sampleHistory(): History {
  const night = (day: number, changes: Partial<HistoryRun>): HistoryRun => ({
    run: `n${day}`,
    started: `2025-03-0${day}T02:00:00.000Z`,
    conclusion: 'conformant',
    counts: { pass: 3000, fail: 0, warn: 3, inconclusive: 7, skip: 100, error: 0 },
    requests: 900,
    seconds: 60,
    version: '0.1.0',
    contract: '',
    index: '',
    complete: true,
    new: [],
    fixed: [],
    vanished: [],
    untold: [],
    ...changes,
  });
  const id = 'posts.list/per_page/maximum/enforced';
  const ill = { pass: 2999, fail: 1, warn: 3, inconclusive: 7, skip: 100, error: 0 };
  const check = { title: 'refuses per_page above 100', section: '4.6', operation: 'posts.list' };
  return {
    format: 1,
    kind: 'history',
    tool: TOOL,
    runs: { read: 5, repeated: 1, earlier: 0 },
    notes: ['one file could not be read: old/results.json'],
    series: [
      {
        target: { url: 'https://staging.example.test/', deployment: 'core' },
        mode: 'read',
        nights: [
          night(1, {}),
          night(2, { ended: 'budget', conclusion: 'inconclusive', complete: false }),
          night(3, { conclusion: 'nonconformant', counts: ill, new: [id] }),
          night(4, { conclusion: 'nonconformant', counts: ill }),
          night(5, { fixed: [id] }),
        ],
        failing: [
          {
            id: 'pages.list/order/enum/enforced',
            ...check,
            since: '2025-03-01T02:00:00.000Z',
            run: 'n1',
            fromStart: true,
            nights: 5,
            days: 4,
            verdicts: 'f.fff',
          },
        ],
        waived: [
          {
            id: 'media.list/order/enum/enforced',
            ...check,
            since: '2025-03-03T02:00:00.000Z',
            run: 'n3',
            nights: 3,
            days: 2,
            verdicts: 'p.aaa',
            waived: { reason: 'known upstream', owner: 'the web team', expires: '2027-01-01' },
          },
        ],
        unstable: [
          {
            id: 'posts.list/orderby/filters/date',
            ...check,
            verdict: 'pass',
            episodes: 2,
            turns: 4,
            told: 1,
            verdicts: 'pfpui',
          },
        ],
      },
    ],
  };
}
