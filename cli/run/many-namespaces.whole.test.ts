import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { resultIn, tryMain } from '../try-main.fixture.ts';
import { at, wrongSite } from './wrong-site.fixture.ts';

it('names sixty namespaces with a hundred routes each in sixty lines', { timeout: 60_000 }, async () => {
  const [deployment, out] = [smallDeployment(), testFolder()];
  const site = await wrongSite(deployment, (index) => {
    const names = Array.from({ length: 60 }, (_, one) => `shop${one}/v1`);
    index.namespaces = [...(Array.isArray(index.namespaces) ? index.namespaces : []), ...names, 'wild'];
    for (const namespace of names) {
      for (let route = 0; route < 100; route += 1) {
        const entry = { namespace, methods: ['GET'], endpoints: [{ methods: ['GET', 'POST'], args: {} }] };
        at(index, 'routes')[`/${namespace}/things/${route}`] = entry;
      }
    }
  });
  const about = ['--target', site.url, '--deployment', deployment, '--only', 'index/name/type', '--out', out];
  const { stdout } = await tryMain('run', ...about);
  const result = resultIn(out);
  const junit = readFileSync(join(out, 'junit.xml'), 'utf8');

  expect(result.notices).toHaveLength(61);
  expect(result.target.beyond).toContainEqual({ namespace: 'shop7/v1', routes: 100, methods: 200 });
  expect(stdout).toContain('  shop7/v1: 100 routes, 200 methods\n');
  expect(stdout.split('\n').filter((line) => line.includes('shop'))).toHaveLength(60);
  expect(stdout).toContain(`init --target ${site.url}`);
  expect(junit.match(/61 namespaces beyond the contract with 6000 routes/g)?.length).toBeLessThan(20);
  expect(junit).not.toContain('shop7');
});
