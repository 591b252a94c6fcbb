import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleCounterexample, sampleResult } from '../engine/result.fixture.ts';
import type { CheckResult, RunResult } from '../engine/result.ts';
import { upstreamIssue } from './upstream.ts';

const URL_OF = 'https://staging.shop.test:8443/blog';
const OPERATIONS = { 'posts.list': { namespace: 'wp/v2', route: '/wp/v2/posts', methods: ['GET'] } };

function issueOf(
  changes: Partial<CheckResult>,
  target: Partial<RunResult['target']> = {},
  finding?: string,
): string {
  const check = sampleCheck({ verdict: 'fail', operation: 'posts.list', parameter: 'per_page', ...changes });
  const result = sampleResult([check]);
  return upstreamIssue(
    { ...result, target: { ...result.target, url: URL_OF, operations: OPERATIONS, ...target } },
    check,
    finding,
  );
}

const FAILURE: Partial<CheckResult> = {
  message: 'accepted 101',
  expected: 'refused',
  observed: `200 from ${URL_OF}/index.php`,
  reproduce: [
    `curl -sS -g -u erika:"$SITE_CONFORMANCE_PASSWORD" -H 'X-Gate: '"$SECRET" '${URL_OF}/index.php?rest_route=/wp/v2/posts&per_page=101'`,
  ],
};

describe('the text of an issue for the owner of the software', () => {
  it('says what, where, how to repeat it, what is expected by which section, and the versions', () => {
    const issue = issueOf(FAILURE, { software: 'WordPress 7.1.1' });

    for (const part of [
      '# accepted 101\n',
      '- Where: `GET /wp/v2/posts per_page`',
      '- Expected: refused',
      '- By section: §4.6',
      'https://site.example/index.php?rest_route=/wp/v2/posts&per_page=101',
      '- Software: WordPress 7.1.1',
      '`posts.list/per_page/maximum`',
    ]) {
      expect(issue).toContain(part);
    }
  });

  it.each([
    ['the host', 'staging.shop.test'],
    ['the port', '8443'],
    ['the user', 'erika'],
    ['a header of a gate', 'X-Gate'],
  ])('does not name %s', (_what, name) => {
    expect(issueOf(FAILURE)).not.toContain(name);
  });

  it.each(["'o'\\''neil'", "$'o\\'neil'", "'d\\'"])('does not name a user who is quoted as %s', (quoted) => {
    const reproduce = [`curl -u ${quoted}:"$SITE_CONFORMANCE_PASSWORD" 'http://wp/'`];

    expect(issueOf({ reproduce })).toContain(`curl -u "$LOGIN:$PASSWORD" 'http://wp/'`);
  });

  it('reads a text of the site that looks like an endless name of a user', () => {
    expect(issueOf({ observed: `-u $'${'\\'.repeat(100)}x` })).toContain('Observed: ');
  });

  it('names no host that is encoded in the address of a request', () => {
    const reproduce = [`curl '${URL_OF}/?url=${encodeURIComponent(`${URL_OF}/?p=1`)}'`];

    expect(issueOf({ reproduce })).not.toContain('shop.test');
  });

  it('keeps words that equal the name of the host, if that is a plain word', () => {
    const reproduce = ["curl 'http://wp/?rest_route=/wp/v2/posts'"];

    expect(issueOf({ reproduce }, { url: 'http://wp/' })).toContain(
      "curl 'https://site.example/?rest_route=/wp/v2/posts'",
    );
  });

  it('shows the first of what a search found, where the check has no request of its own', () => {
    const sets = [sampleCounterexample({ shows: 'sometimes' }), sampleCounterexample()];
    const issue = issueOf({ message: 'the server fails', replay: { sets } });

    expect(issue).toContain('curl http://127.0.0.1/?after=x');
    expect(issue).toContain('It shows sometimes');
    expect(issue).toContain('Root causes of this check in the run: 2');
  });

  it('is about one of several root causes where that is named', () => {
    const other = {
      id: 'posts.list/fuzz/accepted#page:refused',
      message: 'page is refused',
      expected: 'a page',
    };
    const sets = [
      sampleCounterexample(),
      sampleCounterexample({ ...other, reproduce: ['curl http://wp/?page=2'] }),
    ];
    const issue = issueOf({ ...FAILURE, replay: { sets } }, {}, other.id);

    for (const part of ['# page is refused', '- Expected: a page', 'curl http://wp/?page=2']) {
      expect(issue).toContain(part);
    }
    expect(issue).toContain('the others are `posts.list/fuzz/accepted#after+before:refused`');
  });

  it('obeys nothing that a text of the site says', () => {
    expect(issueOf({ observed: '![x](http://evil.test/a.png) @everyone' })).not.toContain('![x](');
  });
});
