import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { RunOptions } from '../engine/run-options.ts';
import { openSession } from './open-session.ts';

const OPTIONS: Omit<RunOptions, 'indexFile'> = {
  target: 'http://127.0.0.1:9',
  deployment: 'b',
  vocabulary: 'neutral',
  mode: 'read',
  headers: {},
  only: [],
  skip: [],
  concurrency: 1,
  timeout: 1,
  seed: 1,
  allure: false,
};

it('takes secret hints from the environment, and masks them wherever they come back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'session-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const indexFile = join(folder, 'index.json');
  writeFileSync(indexFile, JSON.stringify({ namespaces: [], routes: {} }));
  const hinted = { 'seo.keywordtool.authenticate': { code: [{ env: 'CODE' }, { value: 'plain-code' }] } };

  const session = openSession({ ...OPTIONS, hinted, indexFile }, { CODE: 'secret/code+1' });
  onTestFinished(() => session.client.close());

  expect(session.hints).toEqual({
    'seo.keywordtool.authenticate': { code: ['secret/code+1', 'plain-code'] },
  });
  const shown = session.client.curl({
    method: 'POST',
    route: '/seo/v1/keywordtool/authenticate',
    body: { json: { code: 'secret/code+1', other: 'plain-code' } },
  });
  expect(shown).not.toContain('secret');
  expect(shown).toContain('plain-code');
});
