import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onTestFinished } from 'vitest';

interface Rows {
  readonly resources: readonly { readonly id: string }[];
  readonly operations: readonly { readonly id: string; readonly resource?: string }[];
}

/**
 * Writes a deployment file with a third of `core`: the index, posts, batches, oEmbed, and one namespace with its root
 * only. It suits most tests of processes, and takes half of the time.
 * @param atEnd receives the function that removes the file; default: removes it when the test ends
 * @returns the path of the file
 */
export function smallDeployment(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const file: Rows = JSON.parse(readFileSync(join(import.meta.dirname, 'operations/cms-v2.json'), 'utf8'));
  const posts = {
    ...file,
    $schema: undefined,
    resources: file.resources.filter(({ id }) => id === 'posts'),
    operations: file.operations.filter(({ id, resource }) => resource === 'posts' || id === 'batch.run'),
  };
  const operations = ['core', 'oembed-1.0', 'cms-site-health-v1', './posts.json'];
  const schemas = relative(folder, join(import.meta.dirname, 'schemas'));
  const path = join(folder, 'small.json');
  writeFileSync(join(folder, 'posts.json'), JSON.stringify(posts).replaceAll('../schemas/', `${schemas}/`));
  writeFileSync(path, JSON.stringify({ name: 'small', title: 'Posts alone', operations }));
  return path;
}
