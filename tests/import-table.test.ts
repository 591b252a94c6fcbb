import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rowOf, TABLE } from './import-table.fixture.ts';
import { projectFiles, readText } from './project-files.ts';

/** One import of a file: its source, and whether it vanishes when types are stripped. */
interface Import {
  /** The name of a package, `node:…`, or a path relative to the folder of the project. */
  readonly from: string;
  readonly typeOnly: boolean;
}

const STATEMENT = /^(?:import|export)\s+(?:(type)\s)?(?:[^'"`;=]*?\bfrom\s+)?'([^']+)'/gm;

const CALL = /\bimport\(\s*['"`]([^'"`]+)['"`]/g;

/**
 * The imports of a source file, with dynamic ones and re-exports.
 * @param file its path relative to the folder of the project
 */
function readImports(file: string, text: string): Import[] {
  const found = [
    ...[...text.matchAll(STATEMENT)].map(([, type, from = '']) => ({ from, typeOnly: type !== undefined })),
    ...[...text.matchAll(CALL)].map(([, from = '']) => ({ from, typeOnly: false })),
  ];
  return found.map(({ from, typeOnly }) => ({
    from: from.startsWith('.') ? posix.join(posix.dirname(file), from) : from,
    typeOnly,
  }));
}

/**
 * Groups of files that import each other in a circle, each sorted.
 * @param imports the imports of each file; names without an entry are ignored
 */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const queue = [...(imports.get(from) ?? [])];
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      queue.push(...(imports.get(file) ?? []));
    }
    return seen;
  };
  const reached = new Map([...imports.keys()].map((file) => [file, reach(file)]));
  const groups = new Set(
    [...reached]
      .filter(([file, all]) => all.has(file))
      .map(([file, all]) =>
        [...all]
          .filter((other) => reached.get(other)?.has(file) === true)
          .toSorted()
          .join('\n'),
      ),
  );
  return [...groups].map((group) => group.split('\n'));
}

const SOURCES = new Map(
  projectFiles()
    .filter((file) => file.endsWith('.ts') && file.includes('/'))
    .map((file) => [file, readImports(file, readText(file))]),
);

/** Tests and their helpers (`*.fixture.ts`), which nothing else imports. */
function isTest(file: string): boolean {
  return /\.(?:test|fixture)\.ts$/.test(file);
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
    row.module,
    ...row.imports,
    ...(typeOnly ? (row.types ?? []) : []),
    ...(isTest(file) ? (row.tests ?? []) : []),
  ];
  // The root of the suites may import every family; a helper of tests is for those who may import its module.
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

  it.each(TABLE.map((row) => row.module))('is kept by %s', (module) => {
    expect(broken((file) => !isTest(file) && rowOf(file)?.module === module)).toEqual([]);
  });

  it.each(TABLE.map((row) => row.module))('is kept by the tests of %s and their helpers', (module) => {
    expect(broken((file) => isTest(file) && rowOf(file)?.module === module && module !== 'tests/')).toEqual(
      [],
    );
  });

  it('has at most thirteen modules on seven layers, and no arrow up', () => {
    const modules = new Set(TABLE.map(({ module }) => module.split('/')[0]));
    const up = TABLE.flatMap(({ module, layer, imports, types = [] }) =>
      [...imports, ...types]
        .filter((place) => place.split('/')[0] !== module.split('/')[0])
        .filter((place) => layer < 7 && (rowOf(place)?.layer ?? 0) >= layer)
        .map((place) => `${module} imports ${place}`),
    );

    expect({ modules: modules.size - Number(modules.has('tests')), up }).toEqual({ modules: 13, up: [] });
  });

  it('leaves what is for tests to tests', () => {
    const used = [...SOURCES]
      .filter(([file]) => !isTest(file) && !file.startsWith('tests/'))
      .flatMap(([file, imports]) =>
        imports
          .filter(({ from }) => isTest(from) || (from === 'vitest' && file !== 'library/add-tests.ts'))
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
    const type = { from: 'specs/model.ts', typeOnly: true };
    const imports = readImports('sites/reference/serve.ts', "import { a } from '../../specs/contract.ts';");

    expect(imports.map((one) => isAllowed('sites/reference/serve.ts', one))).toEqual([false]);
    expect(isAllowed('client/client.ts', type)).toBe(true);
    expect(isAllowed('client/client.ts', { ...type, typeOnly: false })).toBe(false);
    expect(findCycles(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b'] })))).toEqual([['b', 'c']]);
  });
});
