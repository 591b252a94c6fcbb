import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../engine/result.ts';
import type { RunEvent } from '../engine/run-event.ts';
import event from './schemas/event.schema.json' with { type: 'json' };
import result from './schemas/result.schema.json' with { type: 'json' };

// Strict, unlike the product's own validator, to report misspelt keywords of these schemas.
const ajv = new Ajv2020({ strict: true, allErrors: true });
ajvFormats.default(ajv);
ajv.addSchema(result);
const isResult = ajv.getSchema('result.schema.json') ?? expect.fail('no schema');
const isEvent = ajv.compile(event);

/** Members that only some runs have. */
const OPTIONAL: Partial<RunResult> = {
  progress: {
    required: 2,
    passed: 1,
    areas: [{ area: 'index', required: 2, passed: 1 }],
    next: [
      {
        check: 'media.create/method/POST',
        title: 'serves POST',
        serve: { method: 'POST', namespace: 'cms/v2', route: '/cms/v2/media' },
        waiting: 3,
      },
    ],
  },
  stage: {
    made: { posts: 2 },
    requests: 5,
    missing: [
      { resource: 'posts', name: 'a sticky one', why: 'refused', serves: ['sticky'], checks: ['a/b'] },
    ],
  },
};

const SAMPLE: RunResult = {
  format: 1,
  tool: { name: 'site-conformance', version: '0.1.0', contract: `sha256:${'0'.repeat(64)}` },
  target: { url: 'http://127.0.0.1:8080/', deployment: 'a', vocabulary: 'neutral', index: '' },
  run: {
    id: '4f1c2a90',
    started: '2025-03-04T05:06:07.000Z',
    seconds: 83.4,
    mode: 'write',
    seed: -42,
    requests: 1530,
    retries: 3,
    ended: 'the target stopped answering',
  },
  conclusion: 'nonconformant',
  reason: '1 of 2 checks failed',
  counts: { pass: 1, fail: 1, warn: 0, inconclusive: 0, skip: 0, error: 0 },
  notices: [{ id: 'routes/extra', message: 'one more route' }],
  checks: [
    {
      id: 'index/name/type',
      title: 'is text',
      area: 'index',
      section: '1',
      basis: 'stated',
      verdict: 'pass',
      seconds: 0,
    },
    {
      id: 'posts.list/per_page/maximum',
      title: 'refuses per_page above 100',
      area: 'posts',
      section: '4.6',
      basis: 'implied',
      operation: 'posts.list',
      parameter: 'per_page',
      field: { resource: 'posts', field: 'title', member: 'raw' },
      verdict: 'fail',
      message: 'accepted 101',
      expected: 'refused',
      observed: '200',
      reproduce: ['curl http://127.0.0.1:8080/'],
      seconds: 0.2,
    },
  ],
};

const OBSERVED: NonNullable<RunResult['observed']> = {
  fields: [
    {
      resource: 'posts',
      operation: 'posts.list',
      context: 'view',
      records: 2,
      always: ['id', 'title'],
      sometimes: [],
      inside: { title: { always: ['rendered'], sometimes: ['raw'] } },
      cut: true,
    },
  ],
};

const { id, started, mode, seed } = SAMPLE.run;
const { tool, target } = SAMPLE;
const EVENTS: RunEvent[] = [
  { event: 'start', tool, target, run: { id, started, mode, seed }, planned: 2 },
  ...SAMPLE.checks.map((check): RunEvent => ({ event: 'check', check })),
  { event: 'notice', notice: { id: 'routes/extra', message: 'one more route' } },
  ...OBSERVED.fields.map((fields): RunEvent => ({ event: 'fields', fields })),
  { event: 'end', conclusion: 'conformant', reason: 'so', seconds: 1, requests: 2, retries: 0, ended: 'x' },
];

describe('result.schema.json', () => {
  it('accepts the fields of records', () => {
    expect(isResult({ ...SAMPLE, observed: OBSERVED })).toBe(true);
    expect(isResult({ ...SAMPLE, observed: { fields: [{ resource: 'posts' }] } })).toBe(false);
  });

  it('accepts a result with every member of the type', () => {
    isResult(SAMPLE);

    expect(isResult.errors).toBeNull();
  });

  it('accepts further members where the document may grow', () => {
    const grown = { ...SAMPLE, later: 1, checks: [{ ...SAMPLE.checks[0], later: 1 }] };

    expect(isResult(grown)).toBe(true);
  });

  it.each([
    ['another format', { format: 2 }],
    ['an unknown conclusion', { conclusion: 'green' }],
    ['no reason', { reason: '' }],
    ['a verdict more', { counts: { ...SAMPLE.counts, maybe: 1 } }],
    ['a verdict less', { counts: { pass: 1 } }],
    ['an unknown verdict', { checks: [{ ...SAMPLE.checks[0], verdict: 'ok' }] }],
    ['a check without an id', { checks: [{ ...SAMPLE.checks[0], id: undefined }] }],
    ['a start that is no time', { run: { ...SAMPLE.run, started: 'yesterday' } }],
    ['a digest of another kind', { tool: { ...SAMPLE.tool, contract: 'md5:0' } }],
    ['a mode that there is not', { run: { ...SAMPLE.run, mode: 'admin' } }],
  ])('refuses %s', (_case, change) => {
    expect(isResult(JSON.parse(JSON.stringify({ ...SAMPLE, ...change })))).toBe(false);
  });

  it('accepts progress and fixtures', () => {
    expect(isResult({ ...SAMPLE, ...OPTIONAL })).toBe(true);
  });

  it.each([
    ['a negative count', { progress: { ...OPTIONAL.progress, passed: -1 } }],
    ['a stage that says nothing of what is missing', { stage: { made: {}, requests: 0 } }],
  ])('refuses %s', (_case, change) => {
    expect(isResult({ ...SAMPLE, ...change })).toBe(false);
  });

  it.each(Object.keys(SAMPLE))('requires %s', (member) => {
    const rest = Object.fromEntries(Object.entries(SAMPLE).filter(([key]) => key !== member));

    expect(isResult(rest)).toBe(false);
  });
});

describe('event.schema.json', () => {
  it.each(EVENTS)('accepts the event $event', (line) => {
    isEvent(line);

    expect(isEvent.errors).toBeNull();
  });

  it.each(EVENTS)('refuses the event $event without one of its members', (line) => {
    const required = Object.keys(line).filter((member) => member !== 'ended');

    for (const member of required) {
      expect(isEvent({ ...line, [member]: undefined }), member).toBe(false);
    }
  });

  it('refuses an event that it does not know', () => {
    expect(isEvent({ event: 'pause' })).toBe(false);
  });
});
