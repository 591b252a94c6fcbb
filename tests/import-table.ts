/** What the files of a room may import beside their own room and Node. Paths end in `/` for a whole room. */
export interface Row {
  /** The start of the paths of its files. */
  readonly room: string;
  /** What it is for, in the words of ARCHITECTURE.md. */
  readonly holds: string;
  readonly imports: readonly string[];
  /** Rooms of which only types may be imported. */
  readonly types?: readonly string[];
  readonly packages: readonly string[] | 'any';
  /** What its tests and their helpers may import as well. */
  readonly tests?: readonly string[];
  readonly testPackages?: readonly string[];
}

const SHARED = ['suites/records/', 'suites/declarations/', 'suites/search/'];
const BELOW_SUITES = ['specs/', 'generators/', 'client/', 'engine/'];
const TRIED_ON = ['sites/', 'prove/'];

/** Families do not import each other; what they share lies in two rooms of its own. */
function family(name: string, holds: string, packages: readonly string[] = []): Row {
  return {
    room: `suites/${name}/`,
    holds,
    imports: [...BELOW_SUITES, ...SHARED],
    packages,
    tests: ['suites/', ...TRIED_ON],
  };
}

/** The first row that fits a file counts. */
export const TABLE: readonly Row[] = [
  {
    room: 'specs/',
    holds: 'the contract as data, its schemas and its only reader',
    imports: [],
    packages: ['ajv', 'ajv-formats', 'fastest-levenshtein'],
    tests: ['client/json.ts', 'engine/result.ts'],
  },
  {
    room: 'generators/',
    holds: 'values and argument sets from a JSON Schema: valid, invalid, boundary',
    imports: ['specs/'],
    packages: ['fast-check'],
    testPackages: ['ajv'],
  },
  {
    room: 'client/',
    holds:
      'the site under test: requests, addressing, index reader, pacing, redaction, mode guard, journal, ownership',
    imports: [],
    types: ['specs/'],
    packages: ['undici'],
    tests: ['sites/listen.ts'],
  },
  {
    room: 'engine/',
    holds: 'check, plan, run, session, verdict, result',
    imports: ['specs/', 'client/'],
    packages: ['minimatch'],
  },
  family('records', 'shared: reading records, own records, census and clean-up'),
  family('declarations', 'shared: what an index declares, compared in meaning', ['re2js']),
  family('search', 'shared: searching sets of arguments for one that a property does not hold for'),
  family('index', 'the index says what the contract says'),
  family('arguments', 'defaults, enums, limits, types, acceptance, fuzzing'),
  family('contexts', 'which fields show in which context'),
  family('lists', 'paging, filters, order'),
  family('writes', 'fields, states, batches, revisions, media, command sequences'),
  {
    ...family('published', 'the records that a site publishes schemas of, and calls that it asks more for'),
    imports: [...BELOW_SUITES, ...SHARED, 'suites/arguments/'],
  },
  family('coverage', 'which requirement each check belongs to'),
  {
    room: 'suites/',
    holds: 'all checks of a contract, and the entry point of vitest',
    imports: BELOW_SUITES,
    packages: ['vitest', 'allure-js-commons'],
    tests: TRIED_ON,
  },
  {
    room: 'published/',
    holds:
      'the contract that a site publishes: operation files made of an index, their linter, and merging them',
    imports: ['specs/', 'client/', 'suites/declarations/'],
    packages: ['re2js', 'diff'],
    tests: TRIED_ON,
  },
  {
    room: 'compare/',
    holds: 'what changed from one run or snapshot to another: the law, the changes, their root causes',
    imports: ['specs/', 'client/', 'engine/', 'suites/declarations/'],
    packages: ['ajv'],
    tests: TRIED_ON,
  },
  {
    room: 'exports/',
    holds: 'the contract in the formats of other tools: OpenAPI, JSON Schema',
    imports: ['specs/'],
    packages: [],
    testPackages: ['ajv', 'ajv-formats', '@seriousme/openapi-schema-validator'],
  },
  {
    room: 'reports/',
    holds: 'consumers of one result document, or of one comparison',
    imports: [
      'specs/',
      'compare/',
      'engine/result.ts',
      'engine/skip-reason.ts',
      'engine/area-of.ts',
      'engine/dependencies.ts',
      'engine/fuzz-options.ts',
      'engine/glob.ts',
      'engine/kind-of.ts',
      'engine/within-operation.ts',
      'client/address.ts',
      'client/curl-line.ts',
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
    tests: ['client/json.ts'],
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
    room: 'certificate/',
    holds: 'what a run certifies, in a folder that others verify without a network',
    imports: [
      'specs/',
      'client/json.ts',
      'client/answer.ts',
      'client/answer.ts',
      'engine/result.ts',
      'engine/dependencies.ts',
      'engine/levels.ts',
      'engine/fuzz-options.ts',
      'engine/run-options.ts',
      'compare/',
      'reports/',
    ],
    types: ['client/'],
    packages: [],
    testPackages: ['@sigstore/bundle', '@sigstore/verify'],
  },
  {
    room: 'sites/reference/',
    holds: 'the healthy site, hand-written from the raw contract; knows no alteration',
    imports: ['sites/listen.ts'],
    packages: [],
  },
  {
    room: 'sites/',
    holds:
      'everything that plays a site: the reference, its alterations, hostile and lying servers, recordings',
    imports: [],
    packages: [],
  },
  {
    room: 'prove/',
    holds: 'what runs the checks against the sites: the kill matrix, hostile servers, liars, recordings',
    imports: [...BELOW_SUITES, 'suites/', 'sites/'],
    packages: ['commander', 'cli-progress', 'fast-check', 'xmlbuilder2'],
    tests: ['cli/'],
  },
  {
    room: 'cli/',
    holds: 'the commands',
    imports: [
      ...BELOW_SUITES,
      'suites/',
      'published/',
      'compare/',
      'exports/',
      'reports/',
      'certificate/',
      'sites/reference/serve.ts',
      'sites/alterations/catalogue.ts',
    ],
    packages: 'any',
    tests: TRIED_ON,
  },
  {
    room: 'tools/',
    holds: 'a real WordPress on loopback, benchmarks, generated documents',
    imports: [
      ...BELOW_SUITES,
      'suites/',
      'compare/',
      'published/',
      'reports/',
      'cli/',
      'sites/',
      'prove/',
      'tests/',
    ],
    packages: 'any',
    tests: ['compare/'],
  },
  {
    room: 'library/',
    holds: 'what other programs and test projects import',
    imports: [...BELOW_SUITES, 'suites/', 'compare/', 'reports/', 'cli/', 'sites/reference/serve.ts'],
    packages: [],
    tests: ['sites/'],
  },
  { room: 'tests/', holds: 'tests of the tree itself', imports: [], packages: [] },
];

/** The row of a file; undefined where none is for it. */
export function rowOf(file: string): Row | undefined {
  return TABLE.find(({ room }) => file.startsWith(room));
}
