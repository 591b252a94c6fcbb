import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closedAfter } from '../../client/server.fixture.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { spawnMain } from '../spawn-main.fixture.ts';
import { resultIn, testFile, tryMain } from '../try-main.fixture.ts';

const OWN = `import { defineCheck, failure } from 'site-conformance';

export default [
  defineCheck({
    id: 'acme/banner/shown',
    title: 'the index shows the banner',
    async run(session) {
      const { status } = await session.ask({ method: 'GET', route: '/' });
      return [failure('there is no banner', { expected: 'a banner', observed: \`status \${status}\` })];
    },
  }),
  defineCheck({ id: 'acme/banner/large', title: 'it is large', dependsOn: ['acme/banner/shown'], run: () => [] }),
  defineCheck({ id: 'acme/throws', title: 'throws', run: () => { throw new Error('a slip'); } }),
  defineCheck({ id: 'acme/forgets', title: 'returns nothing', run() {} }),
  defineCheck({ id: 'acme/odd', title: 'returns no findings', run: () => [{ message: 'odd' }] }),
  defineCheck({
    id: 'acme/writes',
    title: 'writes where only reads are allowed',
    run: async (session) => {
      await session.client.request({ method: 'POST', route: '/cms/v2/posts', as: 'user' });
      return [];
    },
  }),
];
`;

it.each(['run', 'run --all-targets'])(
  "%s judges checks of a user's own as those of the contract, and keeps a fault of theirs to them",
  async (command) => {
    const deployment = smallDeployment();
    const site = await closedAfter(serve({ deployment }));
    const settings = { deployment, checks: ['own.ts'], only: ['acme/**'], reporter: ['junit', 'html'] };
    const config = { ...settings, targets: { shop: { url: site.url } } };
    const folder = testFolder({ 'own.ts': OWN, 'config.json': config });
    const out = join(folder, 'out');
    const chosen = command === 'run' ? ['--target', 'shop'] : ['--all-targets'];

    const { code } = await tryMain('run', ...chosen, '--config', join(folder, 'config.json'), '--out', out);

    const reports = command === 'run' ? out : join(out, 'shop');
    const read = (name: string): string => readFileSync(join(reports, name), 'utf8');
    const result = resultIn(reports);
    const own = Object.fromEntries(
      result.checks.filter(({ id }) => id.startsWith('acme/')).map((one) => [one.id, one]),
    );
    expect(code).toBe(4);
    expect(own).toMatchObject({
      'acme/banner/shown': { verdict: 'fail', section: 'own', observed: 'status 200' },
      'acme/banner/large': { verdict: 'skip', skip: { kind: 'blocked', by: 'acme/banner/shown' } },
      'acme/throws': { verdict: 'error', message: expect.stringContaining('a slip') },
      'acme/forgets': { verdict: 'error', message: expect.stringContaining('expected a list of findings') },
      'acme/odd': { verdict: 'error', message: expect.stringContaining('what failure()') },
      'acme/writes': { verdict: 'error' },
    });
    for (const name of ['junit.xml', 'report.html']) expect(read(name)).toContain('acme/banner/shown');
  },
);

it('ends with 4 and with reports if a check throws after its end', async () => {
  const site = await closedAfter(serve({ deployment: smallDeployment() }));
  const late = `run: () => { setTimeout(() => { throw new Error('too late'); }); return []; }`;
  const slow = 'run: () => new Promise((done) => setTimeout(() => done([]), 200))';
  const own = testFile(
    'own.mjs',
    `export default [{ id: 'acme/late', title: 'throws late', ${late} }, { id: 'acme/slow', title: 'is slow', ${slow} }];`,
  );
  const out = testFolder();
  const about = ['--target', site.url, '--deployment', 'core', '--checks', own, '--only', 'acme/**'];
  const { child, ended } = spawnMain(['run', ...about, '--out', out]);
  const { code, stderr } = await ended;

  expect({ code, killed: child.signalCode, stderr }).toMatchObject({
    code: 4,
    killed: null,
    stderr: expect.stringContaining('fault of the suite: Error: too late'),
  });
  expect(resultIn(out).counts).toMatchObject({ pass: 2 });
});
