import { expect, it } from 'vitest';
import { renderNotices } from './notices.ts';
import { createPaint } from './paint.ts';

const context = { paint: createPaint(false), width: 80 };

it('counts the notices and shows the first few', () => {
  const notices = Array.from({ length: 8 }, (_, index) => ({ id: `routes/${index}`, message: 'more\n' }));

  const lines = renderNotices(notices, context);

  expect(lines[0]).toContain('8 notices');
  expect(lines[1]).toBe('  - routes/0: more\\n');
  expect(lines.slice(5)).toEqual(['  - routes/4: more\\n', '  … and 3 more, see results.json']);
});

it('says nothing without notices', () => {
  expect(renderNotices([], context)).toEqual([]);
});
