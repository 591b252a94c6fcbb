import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRedactor } from '../../client/redact.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { keepIndex } from './run-head.ts';

it('masks the index in reports, but not for checks, which read a private file', () => {
  const path = join(testFolder(), 'index.json');
  const text = JSON.stringify({ namespaces: ['publish'], routes: { '/publish': 1234 } });
  const kept = keepIndex(path, JSON.parse(text), text, createRedactor(['publish', '1234']));

  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    namespaces: ['[redacted]'],
    routes: { '/[redacted]': '[redacted]' },
  });
  expect(readFileSync(kept.file, 'utf8')).toBe(text);
  expect(statSync(kept.file).mode & 0o077).toBe(0);
  kept.release();
  expect(existsSync(kept.file)).toBe(false);
});

it('keeps one file if nothing has to be masked', () => {
  const path = join(testFolder(), 'index.json');
  const kept = keepIndex(path, { routes: {} }, '{"routes": {}}', createRedactor(['secret']));
  kept.release();

  expect(kept.file).toBe(path);
  expect(readFileSync(path, 'utf8')).toBe('{"routes": {}}');
});
