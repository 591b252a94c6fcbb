import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadContract } from './load-contract.ts';

const operation = (deployment: string, id: string) =>
  loadContract(deployment).operations.find((candidate) => candidate.id === id);

it('merges the included parameters in order and unites what is required', () => {
  const list = operation('a', 'posts.list');
  expect(list?.batchable).toBe(true);
  expect(list?.parameters.properties.per_page?.maximum).toBe(100);
  expect(list?.parameters.properties.orderby?.default).toBe('date');
  expect(operation('a', 'media.edit')?.parameters.required).toEqual(['src', 'modifiers']);
});

it('follows references across files, and leaves out what belongs to a feature that is not there', () => {
  const meta = (deployment: string): object =>
    operation(deployment, 'posts.create')?.parameters.properties.meta?.properties ?? {};
  expect(Object.keys(meta('a'))).toEqual(['_theme_block_theme_hide_title', 'footnotes']);
  expect(Object.keys(meta('core'))).toEqual(['footnotes']);
});

it('derives a root for every namespace and gives unstated path parameters a pattern', () => {
  const root = operation('b', 'cms.root');
  expect([root?.route, root?.parameters.properties.namespace?.default]).toEqual(['/cms/v2', 'cms/v2']);
  expect(operation('b', 'builder.kit-elements-defaults.delete')?.pathParameters).toEqual({
    type: '[\\w\\-]+',
  });
});

it('loads a deployment file by its path, operation files beside it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  try {
    const own = {
      namespace: 'own/v1',
      id: 'own',
      operations: [{ id: 'own.x', methods: ['GET'], route: '/own/v1/x' }],
    };
    writeFileSync(join(folder, 'own.json'), JSON.stringify(own));
    const deployment = { name: 'own', title: 'Own', features: [], operations: ['core', './own.json'] };
    writeFileSync(join(folder, 'site.json'), JSON.stringify(deployment));
    const contract = loadContract(join(folder, 'site.json'));
    expect(contract.namespaces).toEqual(['own/v1']);
    expect(contract.operations.map(({ id }) => id)).toEqual(['index.read', 'batch.run', 'own.root', 'own.x']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('joins resources with their operations, their children and the route of their collection', () => {
  const { resources } = loadContract('core');
  const of = (id: string) => resources.find((one) => one.id === id);

  expect(of('pages')?.route).toBe('/cms/v2/pages');
  expect(of('pages')?.children.map(({ id }) => id)).toEqual(['page-revisions', 'page-autosaves']);
  expect(Object.keys(of('page-autosaves')?.operations ?? {})).toEqual(['list', 'create', 'read']);
  expect(Object.keys(of('media')?.fields ?? {})).toContain('alt_text');
  expect(operation('core', 'posts.read')?.resource?.id).toBe('posts');
});

it('says which file is missing', () => {
  expect(() => loadContract('unknown')).toThrow(/unknown\.json/);
});
