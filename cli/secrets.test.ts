import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../reference/serve.ts';
import { testServer } from '../target/test-server.ts';
import { spawnMain } from './spawn-main.ts';
import { temporaryFolder } from './try-main.ts';

const PASSWORD = 'ab/c DEFg h+ij"ü kLmN';
const HEADER = 'staging gate/4711+x';

const SECRETS = [PASSWORD, PASSWORD.replaceAll(' ', ''), HEADER];
const FORMS = [
  ...SECRETS,
  ...SECRETS.map(encodeURIComponent),
  ...SECRETS.map((secret) => new URLSearchParams([['', secret]]).toString().slice(1)),
  ...SECRETS.map((secret) => JSON.stringify(secret).slice(1, -1)),
  ...SECRETS.map((secret) => Buffer.from(secret).toString('base64')),
  Buffer.from(`me:${PASSWORD}`).toString('base64'),
];

/** Answers as the reference deployment does, but for what it was sent, which it repeats in every way it can. */
async function echoingSite(): Promise<string> {
  const site = await serve({ deployment: 'core' });
  onTestFinished(() => site.close());
  const known = `Basic ${Buffer.from(`${site.user}:${site.password}`).toString('base64')}`;
  const server = await testServer(async (request, response) => {
    const { authorization = '' } = request.headers;
    const password = Buffer.from(authorization.slice('Basic '.length), 'base64')
      .toString()
      .slice('me:'.length);
    const gate = String(request.headers['x-gate']);
    const said = [authorization, password, gate];
    const echo = [...said, ...said.map(encodeURIComponent)].join(' ');
    const answer = await fetch(`${site.url}${request.url}`, { headers: { authorization: known } });
    const body: unknown = await answer.json();
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'x-echo': encodeURIComponent(echo),
    });
    // Members of a wrong type end up in reports; an escaped slash is as good as a plain one in JSON.
    const wrong = { ...(typeof body === 'object' && body), name: { echo }, url: [echo], description: echo };
    response.end(JSON.stringify(wrong).replaceAll('/', '\\/'));
  });
  return server.url;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

it('writes no secret anywhere, whatever the site repeats', { timeout: 120_000 }, async () => {
  const out = temporaryFolder();
  const args = [
    'run',
    '--out',
    out,
    '--allure',
    '--target',
    await echoingSite(),
    '--only',
    'index/**',
    'cms.root/**',
  ];
  const { code, stdout, stderr } = await spawnMain(
    [...args, '--user', 'me', '--header', `X-Gate: ${HEADER}`],
    { SITE_CONFORMANCE_PASSWORD: PASSWORD },
  ).ended;
  const texts = new Map(filesIn(out).map((path) => [path, readFileSync(path, 'utf8')]));
  texts.set('standard output', stdout).set('standard error', stderr);
  const leaks = [...texts].flatMap(([where, text]) =>
    FORMS.filter((form) => text.includes(form)).map((form) => `${form} in ${where}`),
  );

  expect(leaks).toEqual([]);
  // The echo did arrive in the reports.
  expect(code).toBe(1);
  expect(texts.get(join(out, 'results.json'))).toContain('[redacted]');
  expect(texts.get(join(out, 'index.json'))).toContain('[redacted]');
  expect([...texts.keys()].some((path) => path.includes('allure-report'))).toBe(true);
});
