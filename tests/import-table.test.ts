import { describe, expect, it } from 'vitest';
import { projectFiles, readText } from './project-files.ts';
import { type Import, readImports } from './read-imports.ts';

/** What the files of a layer may import beside their own layer and Node. Paths end in `/` for a whole layer. */
interface Row {
  readonly files: RegExp;
  readonly imports: readonly string[];
  /** Layers of which only types may be imported. */
  readonly types?: readonly string[];
  readonly packages: readonly string[] | 'any';
}

const EVERYTHING = ['specs/', 'generators/', 'client/', 'suites/', 'reports/', 'cli/', 'reference/serve.ts'];

/** The first row that fits a file counts. */
const TABLE: readonly Row[] = [
  { files: /^specs\//, imports: [], packages: ['ajv', 'ajv-formats'] },
  { files: /^generators\//, imports: ['specs/'], packages: ['fast-check'] },
  { files: /^target\//, imports: [], types: ['specs/'], packages: ['undici'] },
  {
    files: /^suites\/([\w-]+\.suite|annotate)\.ts$/,
    imports: ['specs/', 'generators/', 'client/'],
    packages: ['vitest', 'allure-js-commons'],
  },
  {
    files: /^suites\/faults\/(main|run-matrix|kill|kill-together|spare|blinding)\.ts$/,
    imports: ['specs/', 'client/', 'reference/'],
    packages: ['commander', 'cli-progress'],
  },
  { files: /^suites\//, imports: ['specs/', 'generators/', 'client/'], packages: ['re2js'] },
  {
    files: /^reports\//,
    imports: ['specs/', 'engine/result.ts', 'engine/area-of.ts'],
    packages: ['cli-progress', 'xmlbuilder2'],
  },
  { files: /^cli\//, imports: EVERYTHING, packages: 'any' },
  { files: /^reference\//, imports: [], packages: [] },
  {
    files: /^mutation\//,
    imports: ['specs/', 'client/', 'suites/', 'reference/'],
    packages: ['commander', 'xmlbuilder2'],
  },
  { files: /^scripts\//, imports: ['client/json.ts'], packages: [] },
  { files: /^bench\//, imports: EVERYTHING, packages: 'any' },
  { files: /^tests\//, imports: [], packages: [] },
];

const SOURCES = new Map(
  projectFiles()
    .filter((file) => file.endsWith('.ts') && file.includes('/'))
    .map((file) => [file, readImports(file, readText(file))]),
);

/** Tests, and what only tests use: they import the test runner. */
function isTest(file: string): boolean {
  if (file.endsWith('.test.ts')) return true;
  return !file.endsWith('.suite.ts') && (SOURCES.get(file) ?? []).some(({ from }) => from === 'vitest');
}

function layerOf(path: string): string {
  return path.slice(0, path.indexOf('/') + 1);
}

function isAllowed(file: string, row: Row, { from, typeOnly }: Import): boolean {
  if (from.startsWith('node:')) return true;
  if (!from.endsWith('.ts') && !from.endsWith('.json')) {
    return (
      row.packages === 'any' || row.packages.some((name) => from === name || from.startsWith(`${name}/`))
    );
  }
  if (from.endsWith('.json')) return layerOf(from) === layerOf(file) || layerOf(from) === 'specs/';
  const places = [layerOf(file), ...row.imports, ...(typeOnly ? (row.types ?? []) : [])];
  return places.some((place) => (place.endsWith('/') ? from.startsWith(place) : from === place));
}

describe('the import table', () => {
  it('has a row for every source file', () => {
    expect([...SOURCES.keys()].filter((file) => !TABLE.some(({ files }) => files.test(file)))).toEqual([]);
  });

  it.each(TABLE.map(({ files }): [string, RegExp] => [files.source, files]))(
    'is kept by %s',
    (_source, files) => {
      const broken = [...SOURCES]
        .filter(([file]) => !isTest(file))
        .flatMap(([file, imports]) => {
          const row = TABLE.find((one) => one.files.test(file));
          if (row?.files !== files) return [];
          return imports
            .filter((one) => !isAllowed(file, row, one))
            .map(({ from }) => `${file} imports ${from}`);
        });

      expect(broken).toEqual([]);
    },
  );

  it('leaves what is for tests to tests', () => {
    const broken = [...SOURCES]
      .filter(([file]) => !isTest(file))
      .flatMap(([file, imports]) =>
        imports.filter(({ from }) => isTest(from)).map(({ from }) => `${file} imports ${from}`),
      );

    expect(broken).toEqual([]);
  });

  it('would notice what it forbids', () => {
    const verdict = (file: string, from: string, typeOnly = false): boolean => {
      const row = TABLE.find(({ files }) => files.test(file));
      return row !== undefined && isAllowed(file, row, { from, typeOnly });
    };

    expect(verdict('reference/serve.ts', 'specs/contract.ts')).toBe(false);
    expect(verdict('reference/serve.ts', 'ajv/dist/2020.js')).toBe(false);
    expect(verdict('reference/serve.ts', 'specs/operations/core.json')).toBe(true);
    expect(verdict('client/client.ts', 'specs/model.ts')).toBe(false);
    expect(verdict('client/client.ts', 'specs/model.ts', true)).toBe(true);
    expect(verdict('engine/engine.ts', 'vitest')).toBe(false);
    expect(verdict('engine/engine.ts', 'reference/serve.ts')).toBe(false);
    expect(verdict('suites/conformance.suite.ts', 'vitest')).toBe(true);
    expect(verdict('reports/summarise.ts', 'engine/engine.ts')).toBe(false);
    expect(verdict('cli/main.ts', 'reference/serve.ts')).toBe(true);
    expect(verdict('cli/main.ts', 'reference/store.ts')).toBe(false);
    expect(verdict('mutation/hostile/open-server.ts', 'reference/serve.ts')).toBe(true);
    expect(verdict('mutation/hostile/judging/run-server.ts', 'cli/main.ts')).toBe(false);
  });
});

describe('readImports', () => {
  it.each<[string, Import[]]>([
    ["import { a } from './b.ts';", [{ from: 'x/b.ts', typeOnly: false }]],
    ["import type { A } from '../y/b.ts';", [{ from: 'y/b.ts', typeOnly: true }]],
    ["import {\n  type A,\n  b,\n} from 'undici';", [{ from: 'undici', typeOnly: false }]],
    ["import a, * as b from 'node:fs';", [{ from: 'node:fs', typeOnly: false }]],
    ["import './b.ts';", [{ from: 'x/b.ts', typeOnly: false }]],
    ["export { a } from './b.ts';", [{ from: 'x/b.ts', typeOnly: false }]],
    ["export * from './b.ts';", [{ from: 'x/b.ts', typeOnly: false }]],
    ["export type { A } from './b.ts';", [{ from: 'x/b.ts', typeOnly: true }]],
    ["import a from './b.json' with { type: 'json' };", [{ from: 'x/b.json', typeOnly: false }]],
    ["const a = await import('./b.ts');", [{ from: 'x/b.ts', typeOnly: false }]],
    ["type A = typeof import('vitest');", [{ from: 'vitest', typeOnly: false }]],
    ["export const a = 'import';\nexport const b = `from 'c'`;", []],
    ["// import { a } from './b.ts';", []],
  ])('reads %j', (text, imports) => {
    expect(readImports('x/a.ts', text)).toEqual(imports);
  });
});
