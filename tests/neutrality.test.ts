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
