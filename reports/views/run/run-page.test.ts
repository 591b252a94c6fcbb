import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../../engine/result.fixture.ts';
import type { RunResult } from '../../../engine/result.ts';
import { sectionOf } from '../../../specs/texts.ts';
import { anchorOf, linkTo } from '../../about-check.ts';
import { hostileResult, largeResult, mixedResult, wantingResult } from '../../page/results.fixture.ts';
import { renderPage } from '../../renderers/page.ts';
import { runView } from './run.ts';

const renderRunPage = (result: RunResult): string => renderPage(runView(result));

const MOST = 2_000_000;
const PAGE = renderRunPage(mixedResult());

function sizeOf(page: string): number {
  return Buffer.byteLength(page);
}

function textsOf(page: string, element: string): string[] {
  return [...page.matchAll(new RegExp(`<${element}(?: [^>]*)?>(.*?)</${element}>`, 'gs'))].map(
    ([, text = '']) => text,
  );
}

describe('the policy of a page', () => {
  it('allows its own style and script by their hashes, and nothing else', () => {
    const [policy = ''] = [...PAGE.matchAll(/Content-Security-Policy" content="([^"]*)"/g)].map(
      ([, text]) => text,
    );
    const digests = [...textsOf(PAGE, 'style'), ...textsOf(PAGE, 'script')].map(
      (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );

    expect(digests).toHaveLength(2);
    for (const digest of digests) expect(policy).toContain(digest);
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe|http|\*/);
  });

  it('needs no exception for hostile texts, which add neither style nor script', () => {
    const hostile = renderRunPage(hostileResult());

    for (const element of ['style', 'script', 'title']) {
      expect(textsOf(hostile, element), element).toHaveLength(1);
    }
  });
});

describe('the page of a run', () => {
  it.each([
    [
      'of which all failed, each in its own way',
      sampleResult(
        largeResult(10_000).checks.map((check, at) => ({
          ...check,
          verdict: 'fail',
          message: 'm'.repeat(1000),
          expected: `${at}${'e'.repeat(1000)}`,
          reproduce: ['c'.repeat(1000)],
        })),
      ),
    ],
    ['of which hundreds of areas and of records are wanting, with long names', wantingResult(10_000)],
    [
      'of which all were skipped, for a long reason',
      sampleResult(
        largeResult(10_000).checks.map((check) => ({
          ...check,
          verdict: 'skip',
          skip: { kind: 'ended', why: 'w'.repeat(1000) },
          message: 'w'.repeat(1000),
        })),
      ),
    ],
  ])('has less than two megabytes for 10,000 checks %s', (_what, result) => {
    expect(sizeOf(renderRunPage(result))).toBeLessThan(MOST);
  });

  it('has one place for each check, whatever its verdict', () => {
    const result = mixedResult();
    const ids = [...PAGE.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);

    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(result.checks.map(({ id }) => anchorOf(id)).filter((anchor) => !ids.includes(anchor))).toEqual([]);
  });

  it('links only to existing places', () => {
    const ids = new Set([...PAGE.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
    const links = [...PAGE.matchAll(/ href="#([^"]*)"/g)].map(([, to = '']) => decodeURIComponent(to));

    expect(links.filter((to) => !ids.has(to))).toEqual([]);
    expect(linkTo('posts.list/a b')).toBe('#/posts.list/a_b');
  });

  it('states the clause of each failure in our own words', () => {
    expect(PAGE).toContain(`§4.9 ${sectionOf('4.9')?.title}`);
  });

  it('says where the site has what is new', () => {
    expect(PAGE.match(/<section id="new".*?<\/section>/s)?.[0]).toContain(
      '<b>GET /yoast/v1/get_head url</b>',
    );
  });

  it('says what is new, what to do next, and what would make more checks conclusive', () => {
    expect(PAGE).toContain('against the baseline: 1 new failure');
    expect(PAGE).toContain("npm --prefix /srv/suite start -- run --rerun '/srv/my reports'");
    expect(PAGE).toContain('--mode write');
    expect(PAGE).toContain('&quot;search&quot;: &quot;a good value&quot;');
  });

  it('names operations as the site does, in the map and in the list', () => {
    expect(PAGE).toContain('<th scope="row">GET /wp/v2/posts</th>');
    expect(PAGE).toContain('<b>GET /wp/v2/posts</b> <code>posts.list</code>');
  });

  it('shows what a site publishes as the clause, without a section sign', () => {
    const published = sampleCheck({ verdict: 'warn', section: 'published', basis: 'published' });
    const page = renderRunPage(sampleResult([published]));

    expect(page).toContain('The clause: published');
    expect(page).not.toContain('§published');
  });

  it('gives one reason if the site refused every valid call, whatever its words', () => {
    const refused = ['a', 'b'].map((name) =>
      sampleCheck({
        id: `posts.list/${name}/accepted`,
        operation: 'posts.list',
        verdict: 'inconclusive',
        message: `none of 5 was accepted; a hints file may name ${name}`,
        controls: { tried: 5, wanted: [name] },
      }),
    );

    expect(renderRunPage(sampleResult(refused))).toContain(
      '<b>2</b>  the site refused every valid call that was tried',
    );
  });

  it('says first that records of the run are left on the site, and what else changed', () => {
    const writing = {
      tag: 'sc-1',
      created: 3,
      removed: 2,
      left: [{ collection: 'posts', id: 7, why: 'denied' }],
      doubts: [],
      census: [{ collection: 'pages', appeared: [9], disappeared: [] }],
    };
    const page = renderRunPage({ ...mixedResult(), writing });
    const clean = renderRunPage({ ...mixedResult(), writing: { ...writing, left: [], removed: 1 } });
    const { run } = mixedResult();
    const full = renderRunPage({ ...mixedResult(), run: { ...run, mode: 'full' }, writing });

    expect(page).toMatch(/<ol class="steps"> *<li>\s*<b>NOT ALL REMOVED<\/b>/);
    expect(page).toContain('posts 7 is still there: denied');
    expect(page).toContain('pages: 1 appeared and 0 disappeared meanwhile, by others (+9)');
    expect(full).toContain('by others, or by valid calls that mode full sends (+9)');
    expect(page).not.toContain('upload');
    expect(renderRunPage({ ...mixedResult(), writing: { ...writing, files: 2 } })).toContain(
      '2 uploads ended without a record: the site may have kept their files, which no route shows; look for sc-1-*',
    );
    expect(clean).not.toContain('NOT ALL REMOVED');
    expect(clean).toContain('3 records written with the tag sc-1, all removed');
  });

  it('says what to do if no check ran, and shows no empty map', () => {
    const page = renderRunPage(sampleResult([]));

    expect(page).toContain('No check ran: fix what the conclusion says');
    for (const id of ['map', 'checks', 'search']) expect(page, id).not.toContain(`id="${id}"`);
  });

  it('links a failure to its known cause upstream, and says how a run accepts it', () => {
    const page = renderRunPage(
      sampleResult([sampleCheck({ verdict: 'fail', message: 'm', upstream: { reason: 'a <known> cause' } })]),
    );

    expect(page).toContain('<dt>Known</dt>');
    expect(page).toContain('upstream: a &lt;known> cause; a run with --waivers known accepts it');
  });

  it('says that init takes over words that plugins add to an enum', () => {
    const page = renderRunPage(
      sampleResult([sampleCheck({ verdict: 'fail', message: 'm', parameter: 'status', adds: ['spam'] })]),
    );

    expect(page).toContain('The site adds spam to status, as its plugins may.');
    expect(page).toMatch(/npm start -- init --target http/);
  });

  it('puts what blocks the most first, then the other fixes', () => {
    const [next = ''] = PAGE.match(/<section id="next".*?<\/section>/s) ?? [];
    const links = [...next.matchAll(/<a href="#([^"]*)">(.*?)<\/a>/gs)].map(([, to, text]) => [to, text]);

    expect(links[0]).toEqual(['/media.create/method/POST', 'serve POST wp/v2/media']);
    expect(next).toContain('<b>1 check waits for it</b>');
    expect(links.filter(([to]) => to === '/media.create/method/POST')).toHaveLength(1);
    expect(links[1]?.[1]).toContain('a request without url is accepted');
  });

  it('counts failures that a step covers, and does not list them again', () => {
    const { progress, ...rest } = mixedResult();
    const [first, ...others] = progress?.next ?? [];
    const alike = { checks: ['seo.get-head/url/required/enforced'], waiting: 3 };
    const next = first === undefined ? [] : [{ ...first, alike }, ...others];
    const page = renderRunPage({ ...rest, ...(progress && { progress: { ...progress, next } }) });
    const [steps = ''] = page.match(/<section id="next".*?<\/section>/s) ?? [];

    expect(steps).toContain('1 other check fails alike, and 4 checks wait for them');
    expect(steps).not.toContain('href="#/seo.get-head/url/required/enforced"');
  });

  it('says by area how much of what is required passes, the area with the most to do first', () => {
    const [way = ''] = PAGE.match(/<section id="progress".*?<\/section>/s) ?? [];

    expect(textsOf(way, 'h2')).toEqual(['2 of 13 required checks pass (15.4 %)']);
    expect([...way.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, area]) => area)).toEqual([
      'posts',
      'media',
    ]);
    expect(way).toContain('in 1 area everything passes');
    expect(way).toContain('max="7" value="1"');
    expect(textsOf(PAGE, 'header')[0]).toContain('2 of 13 required checks pass (15.4 %)');
  });

  it('shows an author the next step before the failures, and an operator the failures first', () => {
    const { progress, run, ...rest } = mixedResult();
    const most = { ...rest, run, ...(progress && { progress: { ...progress, passed: 12 } }) };
    const operator = renderRunPage(most);
    const author = renderRunPage({ ...most, run: { ...run, purpose: 'certify' } });
    const precedes = (page: string, one: string, other: string): boolean =>
      page.indexOf(one) < page.indexOf(other);
    const areas = ['<section id="progress"', '<section id="failures"'] as const;
    const steps = ['what most checks depend on', 'causes of the failures'] as const;

    for (const page of [PAGE, author]) {
      expect([precedes(page, ...areas), precedes(page, ...steps)]).toEqual([true, true]);
    }
    expect(precedes(operator, ...areas)).toBe(false);
    expect(operator).not.toContain('Begin with');
    expect(operator.match(/href="#progress"/g)).toHaveLength(1);
  });

  it('shows no progress where everything required passes, or nothing is required', () => {
    const done = { required: 3, passed: 3, areas: [], next: [] };
    for (const progress of [undefined, done, { ...done, required: 0, passed: 0 }]) {
      const page = renderRunPage(sampleResult([sampleCheck({})], { ...(progress && { progress }) }));
      expect(page).not.toContain('id="progress"');
    }
  });

  it('says what the run created, what it could not create, and which checks that costs', () => {
    const [made = ''] = PAGE.match(/<section id="stage".*?<\/section>/s) ?? [];

    expect(made).toContain('made 12 in posts, 3 in pages for its checks with 9 requests');
    expect(made).toMatch(/not made: a picture \(media\), POST is not served; 1 check of media inconclusive/);
    expect(made).toContain('href="#/media.read/context/fields"');
    expect(made).toContain('no check is inconclusive because of it');
    expect(PAGE).toContain('<a href="#stage">Not made <b>2</b></a>');
  });

  it('says PARTIAL in its title and its head', () => {
    const partial = renderRunPage(
      sampleResult([sampleCheck({})], { partial: { planned: 10, asked: 1, share: 0.1 } }),
    );

    expect(textsOf(partial, 'title')).toEqual([expect.stringMatching(/^CONFORMANT \(PARTIAL\)/)]);
    expect(partial).toContain('only 1 of 10 planned checks were run');
  });

  it('begins with how much was evaluated if that is little, and with why', () => {
    const lost = ['a', 'b'].map((name) =>
      sampleCheck({ id: `posts.list/${name}/x`, verdict: 'inconclusive', message: 'the list is denied' }),
    );
    const thin = renderRunPage(sampleResult([sampleCheck({}), ...lost]));

    expect(textsOf(thin, 'h1')).toEqual(['33.3 % EVALUATED, CONFORMANT SO FAR']);
    expect(thin).toContain(
      'only 1 of 3 checks of what the site does (33.3 %) could be evaluated; the most frequent reason (2 checks): the list is denied',
    );
  });

  it('lists every one of 10,000 checks where most passed, in less than two megabytes', () => {
    const page = renderRunPage(largeResult(10_000));

    expect(page).not.toContain('What passed is counted here');
    expect(sizeOf(page)).toBeLessThan(MOST);
  });

  it('counts only what passed where there are more checks than a page holds', () => {
    const page = renderRunPage(largeResult(13_000));

    expect(page).toContain('What passed is counted here');
    expect(sizeOf(page)).toBeLessThan(MOST);
  });
});
