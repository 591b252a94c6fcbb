import { expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { ProgressReport, StageReport } from '../../engine/result.ts';
import { createPaint } from './paint.ts';
import { renderProgress, renderStage } from './terminal.ts';

const CONTEXT = { paint: createPaint(false), width: 100 };

const HALF: ProgressReport = {
  required: 2973,
  passed: 1458,
  areas: [
    { area: 'index', required: 39, passed: 39 },
    { area: 'posts', required: 812, passed: 700 },
    { area: 'media', required: 657, passed: 41 },
  ],
  next: [
    {
      check: 'media.create/method/POST',
      title: 'serves POST',
      serve: { method: 'POST', namespace: 'cms/v2', route: '/cms/v2/media' },
      waiting: 393,
    },
    { check: 'posts.list/order/filters', title: 'turns the order round', waiting: 1 },
  ],
};

const NOTHING: ProgressReport = { required: 0, passed: 0, areas: [], next: [] };
const ORDER = sampleCheck({
  id: 'posts.list/order/filters',
  operation: 'posts.list',
  parameter: 'order',
  verdict: 'fail',
});

it('says how many checks beside the required ones only warn, so that all that passed adds up', () => {
  const whole = { ...HALF, required: 3236, passed: 3236, advisory: 9 };
  const [heading] = renderProgress(sampleResult([ORDER], { progress: whole }), CONTEXT);

  expect(heading).toContain('3,236 of 3,236 required checks pass (100 %), beside 9 advisory ones');
});

it('says how much of what is required passes, the area with the most to do first, and what to do next', () => {
  const [heading, ...lines] = renderProgress(sampleResult([ORDER], { progress: HALF }), CONTEXT);

  expect(heading).toContain('1,458 of 2,973 required checks pass (49.0 %)');
  expect(lines).toEqual([
    '  media  41 of 657 (6.2 %)',
    '  posts  700 of 812 (86.2 %)',
    '  next: serve POST cms/v2/media; 393 checks wait for it',
    '  then: posts.list/order/filters: turns the order round; 1 check waits for it',
  ]);
});

it('is one line where everything required passes, and none where nothing was required', () => {
  const whole = { ...HALF, passed: 2973, areas: HALF.areas.slice(0, 1), next: [] };

  expect(renderProgress(sampleResult([], { progress: whole }), CONTEXT)).toHaveLength(1);
  expect(renderProgress(sampleResult([], { progress: NOTHING }), CONTEXT)).toEqual([]);
  expect(renderProgress(sampleResult([]), CONTEXT)).toEqual([]);
});

it('says what the stage holds, what is missing, and which checks that costs', () => {
  const stage: StageReport = {
    made: { posts: 12, pages: 9 },
    requests: 31,
    missing: [
      {
        resource: 'posts',
        name: 'a sticky one',
        why: 'refused (status 400)',
        checks: ['posts.list/sticky/filters'],
      },
      { resource: 'pages', name: 'one in the trash', why: 'denied', checks: [] },
    ],
  };
  const text = renderStage(stage, CONTEXT).join('\n').replaceAll(/\s+/g, ' ');

  expect(text).toContain('made 12 posts, 9 pages for its checks with 31 requests');
  expect(text).toContain(
    'a sticky one (posts), refused (status 400); 1 check of posts inconclusive, such as posts.list/sticky/filters',
  );
  expect(text).toContain('one in the trash (pages), denied; no check is left without an answer for it');
  expect(renderStage(undefined, CONTEXT)).toEqual([]);
});

it('names what the target has before the id of a next step', () => {
  const result = sampleResult([ORDER], { progress: HALF });
  const operations = { 'posts.list': { namespace: 'wp/v2', route: '/wp/v2/posts', methods: ['GET'] } };
  const lines = renderProgress({ ...result, target: { ...result.target, operations } }, CONTEXT);

  expect(lines.join(' ')).toContain(
    'GET /wp/v2/posts order (posts.list/order/filters): turns the order round',
  );
});
