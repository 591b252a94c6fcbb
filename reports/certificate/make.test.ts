import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { certificateFolder, checksOf, keysOf } from './certificate.fixture.ts';

const FAILING = checksOf({ 'posts.list/page/minimum': { verdict: 'fail' } });

function textOf(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

it('makes a folder of its own beside the reports, and leaves nothing half-written', () => {
  const folder = certificateFolder({ key: keysOf().key });

  expect(readdirSync(dirname(folder)).filter((name) => name.includes('certificate'))).toHaveLength(1);
});

it('never writes the private key', () => {
  const { key } = keysOf();
  const folder = certificateFolder({ key });
  const secret = key.export({ type: 'pkcs8', format: 'der' }).subarray(-32);

  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes(secret.toString('base64'))).toBe(false);
    expect(bytes.includes('PRIVATE')).toBe(false);
  }
});

it('shows a green badge only if the level is fully met', () => {
  expect(JSON.parse(textOf(certificateFolder(), 'badge.json'))).toEqual({
    schemaVersion: 1,
    label: 'conformance',
    message: 'level read of core 1.0',
    color: 'brightgreen',
  });
  expect(JSON.parse(textOf(certificateFolder({ checks: FAILING }), 'badge.json'))).toMatchObject({
    message: 'level read of core 1.0: 1 of 2',
    color: 'yellow',
  });
});

it('counts the met requirements of the level only', () => {
  expect(JSON.parse(textOf(certificateFolder({ checks: FAILING }), 'coverage.json'))).toEqual([
    { id: 'index.name', checks: 1, met: 1 },
    { id: 'posts.paging', checks: 1, met: 0 },
  ]);
});

it('says how to verify and repeat it, with the seed', () => {
  const text = textOf(certificateFolder(), 'REPEAT.md');

  expect(text).toContain('site-conformance verify --public-key KEY.pem FOLDER');
  expect(text).toContain('site-conformance verify --target URL --user NAME FOLDER');
  expect(text).toContain('| seed | 7 |');
});
