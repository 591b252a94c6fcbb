import { describe, expect, it } from 'vitest';
import { findCycles } from './find-cycles.ts';
import { projectFiles, readText } from './project-files.ts';
import { type Import, readImports } from './read-imports.ts';

/** What the files of a room may import beside their own room and Node. Paths end in `/` for a whole room. */
interface Row {
  /** The start of the paths of its files. */
  readonly room: string;
  readonly imports: readonly string[];
  /** Rooms of which only types may be imported. */
  readonly types?: readonly string[];
  readonly packages: readonly string[] | 'any';
  /** What its tests and their helpers may import as well. */
  readonly tests?: readonly string[];
  readonly testPackages?: readonly string[];
}

const SHARED = ['suites/records/', 'suites/declarations/'];
const BELOW_SUITES = ['specs/', 'generators/', 'client/', 'engine/'];
const TRIED_ON = ['reference/', 'mutation/'];

/** Families do not import each other; what they share lies in two rooms of its own. */
function family(name: string, packages: readonly string[] = []): Row {
  return {
    room: `suites/${name}/`,
    imports: [...BELOW_SUITES, ...SHARED],
    packages,
    tests: ['suites/', ...TRIED_ON],
  };
}

/** The first row that fits a file counts. */
const TABLE: readonly Row[] = [
  {
    room: 'specs/',
    imports: [],
    packages: ['ajv', 'ajv-formats'],
    tests: ['client/json.ts', 'engine/result.ts'],
  },
  { room: 'generators/', imports: ['specs/'], packages: ['fast-check'], testPackages: ['ajv'] },
  { room: 'client/', imports: [], types: ['specs/'], packages: ['undici'] },
  { room: 'engine/', imports: ['specs/', 'client/'], packages: [] },
  ...['records', 'declarations'].map((name) => family(name, ['re2js'])),
  ...['index', 'arguments', 'contexts', 'lists', 'writes', 'coverage'].map((name) => family(name)),
  {
    room: 'suites/',
    imports: BELOW_SUITES,
    packages: ['vitest', 'allure-js-commons'],
    tests: TRIED_ON,
  },
  {
    room: 'reports/',
    imports: ['specs/', 'engine/result.ts', 'engine/area-of.ts'],
    packages: ['cli-progress', 'xmlbuilder2'],
  },
  { room: 'reference/', imports: [], packages: [] },
  {
    room: 'mutation/',
    imports: ['specs/', 'client/', 'engine/', 'suites/', 'reference/'],
    packages: ['commander', 'cli-progress', 'fast-check', 'xmlbuilder2'],
    tests: ['cli/'],
  },
  {
    room: 'cli/',
    imports: [...BELOW_SUITES, 'suites/', 'reports/', 'reference/serve.ts', 'mutation/serve-mutant.ts'],
    packages: 'any',
    tests: ['reference/', 'mutation/'],
  },
  {
    room: 'tools/',
    imports: [...BELOW_SUITES, 'suites/', 'reports/', 'cli/', 'reference/serve.ts', 'mutation/'],
    packages: 'any',
  },
  { room: 'tests/', imports: [], packages: [] },
];

const SOURCES = new Map(
  projectFiles()
    .filter((file) => file.endsWith('.ts') && file.includes('/'))
    .map((file) => [file, readImports(file, readText(file))]),
);

/** Tests and their helpers (`*.fixture.ts`), which nothing else imports. */
function isTest(file: string): boolean {
  return /\.(?:test|fixture)\.ts$/.test(file);
}

function rowOf(file: string): Row | undefined {
  return TABLE.find(({ room }) => file.startsWith(room));
}

function isAllowed(file: string, { from, typeOnly }: Import): boolean {
  const row = rowOf(file);
  if (row === undefined) return false;
  if (from.startsWith('node:')) return true;
  const packages =
    isTest(file) && row.packages !== 'any'
      ? [...row.packages, ...(row.testPackages ?? []), 'vitest']
      : row.packages;
  if (!from.endsWith('.ts') && !from.endsWith('.json')) {
    return packages === 'any' || packages.some((name) => from === name || from.startsWith(`${name}/`));
  }
  if (from.endsWith('.json') && from.startsWith('specs/')) return true;
  const places = [
    row.room,
    ...row.imports,
    ...(typeOnly ? (row.types ?? []) : []),
    ...(isTest(file) ? (row.tests ?? []) : []),
  ];
  // The root of the suites may import every family; a helper of tests is for those who may import its room.
  return places.some((place) => (place.endsWith('/') ? from.startsWith(place) : from === place));
}

function broken(files: (file: string) => boolean): string[] {
  return [...SOURCES]
    .filter(([file]) => files(file))
    .flatMap(([file, imports]) =>
      imports.filter((one) => !isAllowed(file, one)).map(({ from }) => `${file} imports ${from}`),
    );
}

describe('the import table', () => {
  it('has a row for every source file', () => {
    expect([...SOURCES.keys()].filter((file) => rowOf(file) === undefined)).toEqual([]);
  });

  it.each(TABLE.map(({ room }) => room))('is kept by %s', (room) => {
    expect(broken((file) => !isTest(file) && rowOf(file)?.room === room)).toEqual([]);
  });

  it.each(TABLE.map(({ room }) => room))('is kept by the tests of %s and their helpers', (room) => {
    expect(broken((file) => isTest(file) && rowOf(file)?.room === room && room !== 'tests/')).toEqual([]);
  });

  it('leaves what is for tests to tests', () => {
    const used = [...SOURCES]
      .filter(([file]) => !isTest(file) && !file.startsWith('tests/'))
      .flatMap(([file, imports]) =>
        imports
          .filter(({ from }) => isTest(from) || (from === 'vitest' && !file.startsWith('suites/')))
          .map(({ from }) => `${file} imports ${from}`),
      );

    expect(used).toEqual([]);
  });

  it('has no cycle, of types either', () => {
    expect(
      findCycles(new Map([...SOURCES].map(([file, found]) => [file, found.map(({ from }) => from)]))),
    ).toEqual([]);
  });

  it('would notice what it forbids', () => {
    const verdict = (file: string, from: string, typeOnly = false): boolean =>
      isAllowed(file, { from, typeOnly });

    expect(verdict('reference/serve.ts', 'specs/contract.ts')).toBe(false);
    expect(verdict('reference/serve.ts', 'mutation/serve-mutant.ts')).toBe(false);
    expect(verdict('reference/serve.ts', 'ajv/dist/2020.js')).toBe(false);
    expect(verdict('reference/serve.ts', 'specs/operations/core.json')).toBe(true);
    expect(verdict('client/client.ts', 'specs/model.ts')).toBe(false);
    expect(verdict('client/client.ts', 'specs/model.ts', true)).toBe(true);
    expect(verdict('engine/engine.ts', 'vitest')).toBe(false);
    expect(verdict('engine/session.ts', 'suites/records/own/own-records.ts', true)).toBe(false);
    expect(verdict('suites/contexts/id-checks.ts', 'suites/lists/filter-table.ts')).toBe(false);
    expect(verdict('suites/contexts/id-checks.ts', 'suites/records/reading/record.ts')).toBe(true);
    expect(verdict('suites/conformance.suite.ts', 'vitest')).toBe(true);
    expect(verdict('reports/summarise.ts', 'engine/engine.ts')).toBe(false);
    expect(verdict('cli/main.ts', 'reference/serve.ts')).toBe(true);
    expect(verdict('cli/main.ts', 'reference/store.ts')).toBe(false);
    expect(verdict('cli/main.ts', 'mutation/mutants/catalogue.ts')).toBe(false);
    expect(
      findCycles(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual([['b', 'c']]);
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
