import { generateKeyPairSync } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closedAfter } from '../../client/server.fixture.ts';
import { releaseOf } from '../../reports/certificate/evaluate.ts';
import { makeCertificate } from '../../reports/certificate/make.ts';
import { readEvents } from '../../reports/read-events.ts';
import { serveMutant } from '../../sites/alterations/catalogue.ts';
import type { Served } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { loadReleases } from '../../specs/releases.ts';
import { tryMain, tryMainAs } from '../try-main.fixture.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

function wider(): Promise<Served> {
  return closedAfter(serveMutant({ deployment: 'core', mutant: 'posts.list/per_page/maximum~wider' }));
}

function certificateIn(reports: string): string {
  const [name = ''] = readdirSync(reports).filter((one) => one.startsWith('certificate-'));
  return join(reports, name);
}

/** A certificate with a failure turned into a pass by the code for real certificates, as a forger could. */
function forgedFrom(folder: string, id: string): string {
  const place = testFolder();
  const [index, events] = ['index.json', 'events.ndjson'].map((name) => join(place, name));
  cpSync(join(folder, 'index.json'), index ?? '');
  const lines = readFileSync(join(folder, 'events.ndjson'), 'utf8').trimEnd().split('\n');
  const altered = lines.map((line) => {
    const event = JSON.parse(line);
    if (event.event === 'end') return { ...event, conclusion: 'conformant' };
    return event.check?.id === id ? { ...event, check: { ...event.check, verdict: 'pass' } } : event;
  });
  writeFileSync(events ?? '', altered.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
  const release = releaseOf(loadReleases(), plan.contract.release);
  return makeCertificate(place, {
    implementation: 'Acme 1.2',
    plan,
    result: readEvents(events ?? ''),
    release,
  }).path;
}

it('makes a certificate of an embedded deployment, which holds and can be repeated', {
  timeout: 240_000,
}, async () => {
  const out = testFolder();
  const keyFile = join(out, 'key.pem');
  const publicFile = join(out, 'public.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(publicFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const reports = join(out, 'reports');
  const certify = ['--certify', 'index', '--implementation', 'Acme 1.2', '--key', keyFile];
  const about = ['--deployment', 'core', '--seed', '7', '--out', reports, '--reporter', 'badge'];
  const made = await tryMain('run', ...certify, ...about);
  const folder = certificateIn(reports);

  expect(made.lines.filter((line) => line.startsWith('site-conformance'))).toEqual([]);
  expect(made.code).toBe(0);
  expect(made.stdout).toMatch(/CONFORMANT {2}Acme 1\.2: level index of contract [\d.]+, deployment core/);
  expect(made.stdout).not.toContain('PARTIAL');
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['certificate.json', 'public-key.pem']));

  const verified = await tryMain('verify', folder, '--public-key', publicFile, '--require', 'index');
  expect(verified).toMatchObject({ code: 0, lines: [] });
  expect(verified.stdout).toMatch(
    /\n {2}\d[\d,]{3,} verdicts about the index, checked again from index\.json: the same\n[^\n]*signed with the given key \([0-9a-f]{64}\)\nHOLDS\n$/,
  );
  expect((await tryMain('verify', folder, '--require', 'read')).code).toBe(1);
  expect(JSON.parse((await tryMain('verify', folder, '--json')).stdout)).toMatchObject({
    holds: true,
    signature: { kind: 'own' },
    subject: { conclusion: 'conformant', implementation: 'Acme 1.2' },
  });

  const site = await wider();
  const repeat = ['--target', site.url, '--user', site.user, '--out', join(out, 'repeated')];
  const repeated = await tryMainAs(site, 'verify', folder, ...repeat);
  expect(repeated.code).toBe(1);
  expect(repeated.stdout).toMatch(
    /1 verdict differ.*\n {2}posts\.list\/per_page\/maximum: pass then, fail now/,
  );
});

it('certifies partially, with a list, a site that does not meet every requirement of a level', {
  timeout: 240_000,
}, async () => {
  const out = testFolder();
  const site = await wider();
  const args = ['--target', site.url, '--certify', 'index', '--implementation', 'Acme 1.2', '--out', out];
  const { code, stdout } = await tryMain('run', ...args);

  expect(code).toBe(1);
  expect(stdout).toMatch(
    /PARTIAL {2}Acme 1\.2: level index[^\n]*\n[^\n]*required checks[^\n]*\n {2}not met: posts\.list\/per_page\/maximum \(fail\)\n/,
  );
  const verified = await tryMain('verify', certificateIn(out));
  expect(verified).toMatchObject({ code: 0, lines: [] });
  expect(verified.stdout).toMatch(/^PARTIAL /);
  expect(verified.stdout).toMatch(/not signed: anybody can have written them.*\nHOLDS\n$/);

  const forged = await tryMain('verify', forgedFrom(certificateIn(out), 'posts.list/per_page/maximum'));
  expect(forged.stdout).toBe(
    '  results.json: says otherwise than its index: posts.list/per_page/maximum (pass, by index.json fail)\nDOES NOT HOLD  1 problem: nothing that it claims counts\n',
  );

  const again = ['verify', certificateIn(out), '--target', site.url, '--out', join(out, 'again')];
  const repeated = await tryMain(...again);
  expect(repeated.stdout).toMatch(/against the certificate of run \S+: no verdict differs\n$/);
  expect(repeated.code).toBe(0);
});

it('certifies the embedded core completely, with the few checks that may be inconclusive on a conforming site', {
  timeout: 240_000,
}, async () => {
  const out = testFolder();
  const certify = ['--certify', 'full', '--implementation', 'the reference deployment'];
  const about = ['--deployment', 'core', '--seed', '7', '--out', out];
  const { code, stdout } = await tryMain('run', ...certify, ...about);

  expect(stdout).toMatch(
    /CONFORMANT {2}the reference deployment: level full of contract [\d.]+, deployment core/,
  );
  expect(code).toBe(0);
  expect((await tryMain('verify', certificateIn(out), '--require', 'full')).code).toBe(0);
});
