import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../client/json.ts';
import { closedAfter, testServer } from '../../client/server.fixture.ts';
import { SPELLINGS } from '../../client/spellings.fixture.ts';
import { REPORTERS } from '../../reports/reporters/registry.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { spawnMain } from '../spawn-main.fixture.ts';
import { tryMainAs } from '../try-main.fixture.ts';

const PASSWORD = 'ab/c DEFg h+ij"ü kLmN';
const HEADER = 'staging gate/4711+x';

const SECRETS = [PASSWORD, PASSWORD.replaceAll(' ', ''), HEADER];
const ENCODED = [PASSWORD, `me:${PASSWORD}`].flatMap((text) => [
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(text).toString('base64url'),
]);
const ECHOES = [...SECRETS, ...ENCODED].flatMap((secret) =>
  Object.values(SPELLINGS).map((spell) => spell(secret)),
);
/** The forms that a secret may have in a report: plain, or escaped as JSON or HTML. */
const FORMS = [
  ...new Set(
    ECHOES.flatMap((echo) => [echo, JSON.stringify(echo).slice(1, -1), echo.replaceAll('&', '&amp;')]),
  ),
];

async function changedSite(deployment: string, change: (body: JsonObject) => JsonObject): Promise<string> {
  const site = await closedAfter(serve({ deployment }));
  const known = `Basic ${Buffer.from(`${site.user}:${site.password}`).toString('base64')}`;
  const server = await testServer(async (request, response) => {
    const headers: Record<string, string> =
      request.headers.authorization === undefined ? {} : { authorization: known };
    const answer = await fetch(`${site.url}${request.url}`, { headers });
    const body: unknown = await answer.json();
    response.writeHead(answer.status, { 'content-type': 'application/json', 'x-echo': ENCODED.join(' ') });
    response.end(JSON.stringify(isObject(body) ? change(body) : body));
  });
  return server.url;
}

function echoing(body: JsonObject): JsonObject {
  const names = Object.fromEntries(ECHOES.map((echo) => [echo, echo]));
  if (!isObject(body.routes)) return { ...body, ...names };
  const routes = Object.fromEntries(
    Object.entries(body.routes).map(([key, entry], at) => [
      key,
      isObject(entry)
        ? {
            ...entry,
            namespace: ECHOES[at % ECHOES.length],
            _links: { self: [{ href: ECHOES[at % ECHOES.length] }] },
            methods: [ECHOES[at % ECHOES.length]],
          }
        : entry,
    ]),
  );
  const more = Object.fromEntries(ECHOES.map((echo) => [`/cms/v2/${echo}`, { methods: [echo] }]));
  return {
    ...body,
    ...names,
    name: names,
    description: ECHOES,
    url: [`http://${PASSWORD}@host/`],
    home: { [PASSWORD]: 1 },
    namespaces: Array.isArray(body.namespaces) ? [...body.namespaces, ...ECHOES] : ECHOES,
    routes: { ...routes, ...more },
  };
}

/** All reporters except those with an option of their own. */
const EVERY = Object.keys(REPORTERS).filter((name) => name !== 'allure' && name !== 'har');

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

it('writes no secret anywhere, whatever the site repeats', { timeout: 240_000 }, async () => {
  const out = testFolder();
  const deployment = smallDeployment();
  const args = [
    ...['run', '--out', out, '--allure', '--har', ...EVERY.flatMap((name) => ['--reporter', name])],
    ...['--target', await changedSite(deployment, echoing)],
    ...['--deployment', deployment, '--only', 'index/**', 'cms.root/**', 'routes/**', 'namespaces/**'],
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
  // Proves that the repeated text reached the reports.
  expect(code).toBe(1);
  expect(texts.get(join(out, 'results.json'))).toContain('[redacted]');
  expect(texts.get(join(out, 'exchanges.har'))).toContain('[redacted]');
  expect(texts.get(join(out, 'index.json'))).toContain('[redacted]');
  expect([...texts.keys()].some((path) => path.includes('allure-report'))).toBe(true);
});

it('evaluates the unmasked answers, even if a secret is an ordinary word', {
  timeout: 240_000,
}, async () => {
  const out = testFolder();
  const deployment = smallDeployment();
  const target = await changedSite(deployment, (body) => body);
  const { code } = await tryMainAs(
    { password: 'publish' },
    ...['run', '--out', out, '--target', target, '--deployment', deployment, '--user', 'me'],
    ...['--only', 'index/**', 'routes/**', 'posts.list/status/**'],
  );

  expect(code).toBe(0);
  expect(readFileSync(join(out, 'index.json'), 'utf8')).not.toContain('publish');
});
