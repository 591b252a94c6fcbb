import { describe, expect, it } from 'vitest';
import { projectFiles, readText } from './project-files.ts';

/** Traces of a machine or a network. The patterns do not match this file itself. */
const TRACES: Readonly<Record<string, RegExp>> = {
  'a home folder': /(?<![\w*}.])\/(?:hom[e]|User[s])\/(?!someone\b)[\w.-]+/,
  'a Windows home folder': /\b[A-Z]:\\{1,2}User[s]\\/,
  'the folder of an administrator': /(?<![\w*}./])\/roo[t]\b/,
  'a folder of this or that machine': /(?<![\w*}./])\/(?:wor[k]|workspac[e]|tm[p])\/[\w.-]+/,
  'the host of a registry':
    /\bregistr[y]\.[\w-]+\.\w+|\bnpmj[s]\.(?:org|com)|\bpyp[i]\.org|\bdeb\.debia[n]\.org/,
};

const TEXTS = projectFiles().filter((file) => /\.(?:ts|json|md|ya?ml|php|sh|txt)$|(?:^|\/)[^.]+$/.test(file));

function tracesIn(text: string): string[] {
  return Object.entries(TRACES).flatMap(([what, pattern]) => (pattern.test(text) ? [what] : []));
}

describe('the project', () => {
  it('is read as a whole', () => {
    expect(TEXTS).toEqual(
      expect.arrayContaining(['package.json', 'package-lock.json', 'specs/contract.ts', 'LICENSE']),
    );
  });

  it('holds no trace of a machine or a network', () => {
    const traces = TEXTS.flatMap((file) => {
      const lines = readText(file).split('\n');
      return lines.flatMap((line, at) => tracesIn(line).map((what) => `${file}:${at + 1}: ${what}`));
    });

    expect(traces).toEqual([]);
  });
});

describe('the search for traces', () => {
  it.each([
    ['a home folder', ['', 'home', 'ann', 'site'].join('/')],
    ['a home folder', `"${['', 'Users', 'ann'].join('/')}"`],
    ['a Windows home folder', ['C:', 'Users', 'ann'].join('\\')],
    ['the folder of an administrator', `cd ${['', 'root'].join('/')}`],
    ['a folder of this or that machine', `see ${['', 'work', 'site'].join('/')}.`],
    ['a folder of this or that machine', `'${['', 'tmp', 'x'].join('/')}'`],
    ['the host of a registry', ['https://registry', 'example', 'org'].join('.')],
  ])('finds %s', (what, text) => {
    expect(tracesIn(text)).toEqual([what]);
  });

  it.each([
    'index/home/**',
    'namespaces/**/root',
    '/var/tmp/site',
    'cms/v1/root',
    ['a', 'work', 'b'].join('/'),
    'the registry.',
  ])('leaves %s alone', (text) => {
    expect(tracesIn(text)).toEqual([]);
  });
});
