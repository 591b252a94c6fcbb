import { marked } from 'marked';
import { expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../../engine/result.fixture.ts';
import type { RunResult } from '../../../engine/result.ts';
import { renderMarkdown } from '../../renderers/markdown.ts';
import { runView } from './run.ts';

const renderRunMarkdown = (result: RunResult): string => renderMarkdown(runView(result));

import { everyOutcome, HIDDEN, hostileRun } from '../../reporters/sample-run.fixture.ts';

/** The size of a comment on GitHub. */
const COMMENT = 65_536;

it('starts with the conclusion, then new findings, then the worst of the rest', () => {
  const text = renderRunMarkdown(everyOutcome());
  const places = [
    '# NOT CONFORMANT',
    '## against the baseline: 1 new failure',
    '1 fixed',
    '1 inconclusive now',
    '2 persisting, 1 of them waived',
    '## 1 new failure\n',
    '  Hides 1 check',
    '## 1 failure that was there before',
    '## 1 fault of the suite itself',
    '## 2 unstable checks',
    '## 1 warning',
    '## 1 failure waived, not counted',
  ].map((line) => text.indexOf(line));

  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

it('names the words of the target before the id, and sixty namespaces in sixty lines', () => {
  const beyond = Array.from({ length: 60 }, (_, at) => ({
    namespace: `shop${at}/v1`,
    routes: 100,
    methods: 180,
  }));
  const notices = beyond.map(({ namespace }) => ({ id: 'extra/namespace', message: `serves ${namespace}` }));
  const operations = { 'posts.list': { namespace: 'wp/v2', route: '/wp/v2/posts', methods: ['GET'] } };
  const check = sampleCheck({
    verdict: 'fail',
    id: 'posts.list/order',
    operation: 'posts.list',
    parameter: 'order',
  });
  const { target, ...rest } = sampleResult([check]);
  const lines = renderRunMarkdown({ ...rest, notices, target: { ...target, operations, beyond } }).split(
    '\n',
  );

  expect(
    lines.filter((line) => line.startsWith('- **GET /wp/v2/posts order**  `posts.list/order`')),
  ).toHaveLength(1);
  expect(lines.filter((line) => line.includes('100 routes, 180 methods'))).toHaveLength(60);
  expect(lines).toContain('## 60 notices, which change nothing in the conclusion');
});

it.each([
  ['ASCII', 'x'],
  ['characters of several bytes', '語'],
])('fits a comment of GitHub, and counts what it leaves out: %s', (_what, sign) => {
  const checks = Array.from({ length: 3000 }, (_, at) =>
    sampleCheck({
      id: `posts.list/p${at}/x`,
      verdict: 'fail',
      // Each of a cause of its own.
      message: sign.repeat(900) + String.fromCodePoint(0x4e00 + at),
      reproduce: [sign.repeat(3000)],
    }),
  );
  const text = renderRunMarkdown(sampleResult(checks));

  expect(Buffer.byteLength(text)).toBeLessThan(COMMENT);
  expect(text).toMatch(/\n\d+ more entries: in `results\.json`\.\n$/);
});

it('shows text of a target without effect', () => {
  const text = renderRunMarkdown(hostileRun());
  const page = String(marked.parse(text, { gfm: true }));
  const allowed = /^<\/?(h[1-4]|p|table|thead|tbody|tr|th|td|ul|ol|li|strong|pre|code|br)( align="right")?>$/;
  const tags = (page.match(/<[^>]*>/g) ?? []).filter((tag) => !allowed.test(tag));

  expect(tags).toEqual([]);
  // Outside code, the page would link a mention, an issue or an address.
  const prose = page.replaceAll(/<(pre|code)>.*?<\/\1>/gs, '');
  expect(prose).not.toMatch(/@everyone|#1\b|www\.evil|:\/\/evil/);
  expect(page).not.toMatch(HIDDEN);
});
