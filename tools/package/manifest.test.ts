import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Manifest, packageManifest } from './manifest.ts';

const CHECKOUT: Manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

it('installs no script, nothing that only a checkout needs, and runs what is compiled', () => {
  const made = packageManifest(CHECKOUT);

  expect(Object.keys(made)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:scripts|devDependencies|allowScripts|private)$/)]),
  );
  expect(JSON.stringify(made)).not.toMatch(/"[^"]*(?<!\.d)\.ts"/);
  expect(made).toMatchObject({
    engines: { node: expect.stringMatching(/^>=22\./) },
    bin: { 'site-conformance': 'dist/cli/site-conformance.js' },
    files: ['dist'],
    exports: {
      '.': { types: './dist/library/index.d.ts', default: './dist/library/index.js' },
      './vitest': { types: './dist/library/vitest.d.ts', default: './dist/library/vitest.js' },
    },
  });
});

it('brings Allure, vitest and Node to nobody who does not ask for them', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = packageManifest(CHECKOUT);

  expect(Object.keys(dependencies ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:allure|allure-vitest|vitest|node)$/)]),
  );
  expect(Object.keys(peerDependencies ?? {})).toEqual(['allure', 'vitest']);
  expect(peerDependenciesMeta).toEqual({ allure: { optional: true }, vitest: { optional: true } });
});
