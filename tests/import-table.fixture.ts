/**
 * What the files of a module, or of a part of one, may import besides their own files and Node. Paths end
 * in `/` for a whole folder.
 */
interface Row {
  /** The beginning of the paths of its files. */
  readonly module: string;
  /** A module imports from layers below its own, not from the same layer. */
  readonly layer: number;
  readonly imports: readonly string[];
  /** Modules from which only types may be imported. */
  readonly types?: readonly string[];
  readonly packages: readonly string[] | 'any';
  /** Further imports of its tests and their helpers. */
  readonly tests?: readonly string[];
  readonly testPackages?: readonly string[];
}

const CHECKED = ['specs/', 'generators/', 'client/', 'engine/'];
const PROBED = [...CHECKED, 'probing/'];
const TRIED_ON = ['sites/', 'prove/'];

/** A family of checks, which imports no other family. */
function family(name: string, imports: readonly string[] = []): Row {
  return {
    module: `suites/${name}/`,
    layer: 5,
    imports: [...PROBED, ...imports],
    packages: [],
    tests: ['suites/', ...TRIED_ON],
  };
}

/** The first row that matches a file counts. */
export const TABLE: readonly Row[] = [
  {
    module: 'specs/',
    layer: 1,
    imports: [],
    packages: ['ajv', 'ajv-formats', 'fastest-levenshtein'],
    tests: ['client/json.ts', 'engine/result.ts', 'engine/run-event.ts'],
    testPackages: ['@seriousme/openapi-schema-validator'],
  },
  { module: 'generators/', layer: 2, imports: ['specs/'], packages: ['fast-check'], testPackages: ['ajv'] },
  {
    module: 'client/',
    layer: 2,
    imports: [],
    types: ['specs/'],
    packages: ['undici'],
    tests: ['specs/texts.ts', 'sites/listen.ts'],
  },
  // Sites read only the raw contract, so that they cannot share our mistakes. The reference
  // knows no alteration of itself.
  { module: 'sites/reference/', layer: 2, imports: ['sites/listen.ts'], packages: [] },
  { module: 'sites/', layer: 2, imports: [], packages: [] },
  { module: 'engine/', layer: 3, imports: ['specs/', 'client/'], packages: ['minimatch'] },
  {
    module: 'probing/published/',
    layer: 4,
    imports: ['specs/', 'client/', 'probing/declarations/'],
    packages: ['re2js', 'diff'],
    tests: TRIED_ON,
  },
  {
    module: 'probing/',
    layer: 4,
    imports: CHECKED,
    packages: ['re2js'],
    tests: ['suites/', ...TRIED_ON],
  },
  family('index'),
  family('arguments'),
  family('contexts'),
  family('lists'),
  family('writes'),
  family('published', ['suites/arguments/']),
  family('coverage'),
  {
    module: 'suites/',
    layer: 5,
    imports: PROBED,
    packages: [],
    tests: TRIED_ON,
  },
  {
    module: 'compare/twin/',
    layer: 5,
    imports: ['specs/', 'client/', 'engine/', 'generators/', 'probing/', 'compare/'],
    packages: [],
  },
  {
    module: 'compare/',
    layer: 5,
    imports: ['specs/', 'client/', 'engine/', 'probing/declarations/'],
    packages: ['ajv', 'stream-json'],
    tests: TRIED_ON,
  },
  {
    module: 'reports/certificate/',
    layer: 6,
    imports: ['specs/', 'client/', 'engine/', 'compare/', 'reports/'],
    packages: [],
    testPackages: ['@sigstore/bundle', '@sigstore/verify'],
  },
  {
    module: 'reports/',
    layer: 6,
    imports: [
      'specs/',
      'compare/',
      'engine/result.ts',
      'engine/run-event.ts',
      'engine/skip.ts',
      'engine/finish.ts',
      'engine/conclusion.ts',
      'engine/extent.ts',
      'engine/text.ts',
      'engine/check.ts',
      'engine/plan.ts',
      'engine/fuzz-options.ts',
      'engine/glob.ts',
      'client/address.ts',
      'client/curl-line.ts',
      'client/mode.ts',
      'client/observed/document.ts',
      'suites/arguments/fuzz/planned-values.ts',
      'suites/coverage/coverage.ts',
      'suites/sent-requests.ts',
    ],
    packages: [
      'allure',
      'allure-js-commons',
      'cli-progress',
      'xmlbuilder2',
      'preact',
      'preact-render-to-string',
      'htm',
    ],
    tests: ['client/json.ts', 'engine/result.fixture.ts'],
    testPackages: [
      '@microsoft/jest-sarif',
      'ajv',
      'ajv-formats',
      'har-schema',
      'junit2json',
      'libxml2-wasm',
      'marked',
    ],
  },
  {
    module: 'prove/',
    layer: 6,
    imports: [...PROBED, 'compare/', 'suites/', 'sites/'],
    packages: ['commander', 'cli-progress', 'fast-check', 'xmlbuilder2'],
    tests: ['cli/'],
  },
  {
    module: 'cli/',
    layer: 7,
    imports: [
      ...PROBED,
      'suites/',
      'compare/',
      'reports/',
      'sites/reference/serve.ts',
      'sites/alterations/catalogue.ts',
    ],
    packages: 'any',
    tests: TRIED_ON,
  },
  {
    module: 'tools/',
    layer: 7,
    imports: [...PROBED, 'suites/', 'compare/', 'reports/', 'cli/', 'sites/', 'prove/', 'tests/'],
    packages: 'any',
  },
  {
    module: 'library/',
    layer: 7,
    imports: [...PROBED, 'suites/', 'compare/', 'reports/', 'cli/', 'sites/reference/serve.ts'],
    packages: ['vitest', 'allure-js-commons'],
    tests: ['sites/'],
  },
  { module: 'tests/', layer: 7, imports: [], packages: [] },
];

/** The row of a file; undefined if there is none. */
export function rowOf(file: string): Row | undefined {
  return TABLE.find(({ module }) => file.startsWith(module));
}
