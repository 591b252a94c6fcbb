import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onTestFinished } from 'vitest';

interface Rows {
  readonly resources: readonly { readonly id: string }[];
  readonly operations: readonly { readonly id: string; readonly resource?: string }[];
}

/**
 * A deployment file with a third of what `core` has: the index, posts, batches, oEmbed and a namespace of which only the root is known. A process that runs it is what
 * most tests of processes need, and takes half of the time.
 * @param atEnd calls what removes the folder of the file; when the test ends unless given
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
