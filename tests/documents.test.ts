import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJson } from '../client/json.ts';
import { projectFiles, ROOT, readText } from './project-files.ts';

/** The files and folders at the top level. */
const TOP_LEVEL = new Set(projectFiles().map((file) => file.split('/')[0] ?? ''));
const DOCUMENTS = projectFiles().filter((file) => file.endsWith('.md'));

describe('the documents', () => {
  it.each(DOCUMENTS)('lead to files that exist: %s', (document) => {
    const text = readText(document);
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) =>
      join(dirname(document), link),
    );
    const named = [...text.matchAll(/`((?:\.ci|[a-z]+)\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => TOP_LEVEL.has(path.split('/')[0] ?? '') && !path.startsWith('reports/out'));
    const missing = [...links, ...named].filter((path) => !existsSync(join(ROOT, path)));

    expect(missing).toEqual([]);
  });

  it.each(DOCUMENTS)('show JSON that can be parsed: %s', (document) => {
    const blocks = [...readText(document).matchAll(/^( *)```json\n(.*?)^\1```/gms)].map(
      ([, , block = '']) => block,
    );

    expect(blocks.filter((block) => !isJson(block))).toEqual([]);
  });
});
