import { expect, it } from 'vitest';
import { sampleResult } from '../../engine/result.fixture.ts';
import type { BeyondNamespace, Notice } from '../../engine/result.ts';
import { createPaint } from './paint.ts';
import { renderNotices } from './terminal.ts';

const context = { paint: createPaint(false), width: 100 };

function rendered(notices: readonly Notice[], beyond: readonly BeyondNamespace[] = []): string[] {
  const { target } = sampleResult([]);
  return renderNotices({ notices: [...notices], target: { ...target, beyond: [...beyond] } }, context);
}

it('counts the notices and shows one of each kind', () => {
  const routes = Array.from({ length: 8 }, (_, at) => ({ id: 'extra/route', message: `lists ${at}\n` }));
  const lines = rendered([...routes, { id: 'extra/method', message: 'serves PUT' }]);

  expect(lines[0]).toContain('9 notices');
  expect(lines.slice(1)).toEqual([
    '  - extra/route: lists 0\\n (and 7 more of the kind)',
    '  - extra/method: serves PUT',
  ]);
});

it('has a line for each of sixty namespaces, however much is under them, and says what to do', () => {
  const beyond = Array.from({ length: 60 }, (_, at) => ({
    namespace: `shop${at}/v1`,
    routes: 100,
    methods: 180,
  }));
  const notices = beyond.map(({ namespace }) => ({ id: 'extra/namespace', message: `serves ${namespace}` }));
  const lines = rendered(notices, beyond);

  expect(lines).toHaveLength(62);
  expect(lines[60]).toBe('  - shop59/v1: 100 routes, 180 methods');
  expect(lines[61]).toMatch(/^ {2}To take them into a contract of your own: init --target http/);
});

it('bounds the namespaces of a site that lists thousands, and the names', () => {
  const beyond = Array.from({ length: 5000 }, (_, at) => ({
    namespace: `${at}\u001b${'x'.repeat(5000)}`,
    routes: 0,
    methods: 0,
  }));
  const notices = Array.from({ length: 500 }, (_, at) => ({ id: `odd/${at}`, message: 'x'.repeat(5000) }));
  const lines = rendered(notices, beyond);

  expect(lines.length).toBeLessThan(150);
  expect(lines.join('\n')).not.toContain('\u001b');
  expect(lines.join('\n')).toContain('… and 4940 more namespaces, see results.json');
});

it('names the operation file of a namespace that the contract knows, and the way to use it', () => {
  const lines = rendered(
    [{ id: 'extra/namespace', message: 'serves yoast/v1' }],
    [{ namespace: 'yoast/v1', routes: 3, methods: 4, file: 'seo-v1' }],
  );

  expect(lines.slice(1)).toEqual([
    '  - yoast/v1: 3 routes, 4 methods; the contract knows it as seo-v1',
    '  To check what the contract knows of them as well: --deployment auto',
  ]);
});

it('shows the notices of results that do not list namespaces', () => {
  const { target } = sampleResult([]);
  const lines = renderNotices(
    { notices: [{ id: 'extra/namespace', message: 'serves shop/v1' }], target },
    context,
  );

  expect(lines.slice(1)).toEqual(['  - extra/namespace: serves shop/v1']);
});

it('says nothing without notices', () => {
  expect(rendered([])).toEqual([]);
});
