import { InvalidArgumentError } from 'commander';
import { MODES, type RunMode } from '../client/mode.ts';
import { PROFILES } from '../engine/fuzz-options.ts';
import type { FailOn } from '../engine/result.ts';
import type { FixtureMode, TourLevel } from '../engine/run-options.ts';
import { LEVELS, type Level } from '../specs/releases.ts';

/** The settings of a run, by the names that command line, environment and configuration file share. All optional. */
export interface Settings {
  readonly target?: string;
  readonly deployment?: string;
  readonly user?: string;
  /** The environment variable that holds the password; of a configuration file only. */
  readonly passwordFrom?: string;
  /** Who else a tour asks as, by the name that reports have for them; of a configuration file only. */
  readonly callers?: Readonly<Record<string, { readonly user?: string; readonly passwordFrom?: string }>>;
  readonly vocabulary?: string;
  readonly hints?: string;
  readonly header?: readonly string[];
  readonly insecure?: boolean;
  readonly timeout?: number;
  readonly software?: string;
  readonly mode?: RunMode;
  readonly confirmHost?: string;
  readonly rate?: number;
  readonly concurrency?: number;
  readonly budget?: number;
  readonly stage?: FixtureMode;
  readonly tour?: TourLevel;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly checks?: readonly string[];
  readonly maxFailures?: number;
  readonly asClient?: readonly string[];
  readonly baseline?: string;
  readonly failOn?: readonly FailOn[];
  readonly waivers?: string | readonly string[];
  readonly strict?: boolean;
  readonly seed?: number;
  readonly profile?: keyof typeof PROFILES;
  readonly examples?: number;
  readonly examplesFile?: string;
  readonly reporter?: readonly string[];
  readonly out?: string;
  readonly allure?: boolean;
  readonly har?: boolean | string;
}

/** The options of `run`: settings, and options of a single run, which no file has. */
export interface RunSettings extends Settings {
  readonly config?: string;
  readonly rerun?: string;
  readonly watch?: boolean;
  readonly watchFile?: string;
  readonly replay?: string;
  readonly results?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly allTargets?: boolean;
  readonly targets?: readonly string[];
  readonly parallel?: number;
  readonly shard?: string;
  readonly certify?: Level;
  readonly implementation?: string;
  readonly contract?: string;
  readonly key?: string;
}

/** One option of a run. Its flag and its variable follow from its name. */
interface OptionRow {
  /** The commands that have it: `run` and `plan`, a run, or the command line of a run alone. */
  readonly part: 'shared' | 'run' | 'line';
  readonly group: string;
  /** What it takes, such as `<file>`; nothing for a switch. */
  readonly takes: string;
  readonly help: string;
  /** As a member of the configuration file; undefined for what is about one run. Bounds and choices hold on the command line too. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly about?: string;
  readonly rare?: boolean;
  readonly fileOnly?: boolean;
  /** Parses one word of the command line, if its schema does not suffice. */
  readonly read?: (word: string, earlier: unknown) => unknown;
  readonly choices?: readonly string[];
  /** Its variable is separated by line breaks, because values may contain blanks. */
  readonly byLines?: boolean;
}

type More = Omit<OptionRow, 'part' | 'group' | 'takes' | 'help'>;
type MakeRow = (group: string, takes: string, help: string, more?: More) => OptionRow;

const rowsOf =
  (part: OptionRow['part']): MakeRow =>
  (group, takes, help, more = {}) => ({ part, group, takes, help, ...more });
const [shared, ofRun, ofLine] = [rowsOf('shared'), rowsOf('run'), rowsOf('line')];

const TEXT = { type: 'string' };
const FILLED = { type: 'string', minLength: 1 };
const VARIABLE = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' };
const ABOVE_ZERO = { type: 'number', exclusiveMinimum: 0 };
const GLOBS = { $ref: '#/$defs/globs' };

/** The table of the options of `run`. A new option needs a row here, its type above, and its code. */
export const OPTIONS: { readonly [Name in keyof Required<RunSettings>]: OptionRow } = {
  target: shared('Target', '<url>', 'the address of a site, or a name in the configuration', {
    read: onlyOne,
  }),
  deployment: shared('Target', '<name>', 'core, a, b, auto (what the site serves), or a file', {
    schema: TEXT,
    about: 'core, a, b, auto, or the path of a deployment file.',
  }),
  user: shared('Target', '<name>', 'a user of the site; password: SITE_CONFORMANCE_PASSWORD', {
    schema: TEXT,
    about:
      'The name of the user whose application password is in SITE_CONFORMANCE_PASSWORD, or in the variable of passwordFrom.',
  }),
  passwordFrom: shared('Target', '', 'the environment variable that holds the password', {
    schema: VARIABLE,
    fileOnly: true,
  }),
  callers: shared('Target', '', 'further users of the site, whose access the tour records', {
    schema: {
      type: 'object',
      maxProperties: 8,
      propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$', not: { const: 'user' } },
      properties: { anonymous: { type: 'object', maxProperties: 0 } },
      additionalProperties: {
        type: 'object',
        properties: {
          user: { description: 'The name of the user, where it is another one.', ...FILLED },
          passwordFrom: {
            description: 'The environment variable that holds the application password of the user.',
            ...VARIABLE,
          },
        },
        required: ['passwordFrom'],
        additionalProperties: false,
      },
    },
    fileOnly: true,
  }),
  vocabulary: shared('Target', '<name>', 'neutral, wordpress, auto, or a file', {
    schema: TEXT,
    about: 'neutral, wordpress, auto, or the path of a vocabulary file.',
    rare: true,
  }),
  hints: shared('Target', '<file>', 'good values that only the owner of the site knows', {
    schema: TEXT,
    rare: true,
  }),
  config: shared(
    'Target',
    '<file>',
    'the configuration file (site-conformance.config.json when it is there)',
    { rare: true },
  ),
  header: ofRun('Target', '<header...>', "headers for every request, each as 'Name: value'", {
    schema: { type: 'array', items: { type: 'string', pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+:" } },
    rare: true,
    byLines: true,
  }),
  insecure: ofRun('Target', '', 'accept any TLS certificate: anyone in between can read the password', {
    schema: { type: 'boolean' },
    rare: true,
  }),
  timeout: ofRun('Target', '<seconds>', 'seconds for one exchange', { schema: ABOVE_ZERO, rare: true }),
  software: ofRun(
    'Target',
    '<name>',
    "the software of the site with its version, such as 'WordPress 7.1.1'",
    { schema: FILLED, rare: true },
  ),
  mode: shared('Safety', '<mode>', 'what may be sent', { schema: { enum: MODES } }),
  confirmHost: ofRun('Safety', '<host>', 'the host that a mode above read may touch', { schema: TEXT }),
  rate: ofRun('Safety', '<n>', 'requests per second at most', { schema: ABOVE_ZERO }),
  concurrency: ofRun('Safety', '<n>', 'concurrent requests', {
    schema: { type: 'integer', minimum: 1, maximum: 64 },
    rare: true,
  }),
  budget: ofRun('Safety', '<seconds>', 'seconds for the whole run', { schema: ABOVE_ZERO, rare: true }),
  stage: ofRun(
    'Safety',
    '<when>',
    'fixtures of a run in mode write: records that the site lacks, none, or all',
    { schema: { enum: ['auto', 'never', 'always'] }, rare: true },
  ),
  only: shared('Selection', '<glob...>', 'only checks with these ids or below these routes', {
    schema: GLOBS,
  }),
  skip: shared('Selection', '<glob...>', 'exclude these; * matches within one part, ** crosses /', {
    schema: GLOBS,
    about: 'Globs of check ids that do not run.',
  }),
  checks: shared(
    'Selection',
    '<file...>',
    'modules with your own checks, in addition to those of the contract',
    {
      schema: { type: 'array', items: FILLED },
      rare: true,
      byLines: true,
    },
  ),
  maxFailures: ofRun('Selection', '<n>', 'stop after this many failures that are neither waived nor known', {
    schema: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    rare: true,
  }),
  rerun: ofLine('Selection', '<file>', 'only checks that failed there, with dependencies'),
  watch: ofLine('Selection', '', 'at each Enter, run the checks again that did not pass'),
  watchFile: ofLine('Selection', '<file>', 'with --watch: also whenever this file changes', {
    rare: true,
  }),
  asClient: shared('Comparison', '<file...>', 'what clients use, from client make: nothing else counts', {
    schema: { type: 'array', items: FILLED },
    byLines: true,
    rare: true,
  }),
  baseline: ofRun('Comparison', '<file>', 'results.json of an earlier run: only new failures count', {
    schema: TEXT,
    about: 'results.json of an earlier run to compare with.',
  }),
  tour: shared('Comparison', '<extent>', 'what else is read, for diff: none, short, or full', {
    schema: { enum: ['none', 'short', 'full'] },
    rare: true,
  }),
  failOn: ofRun(
    'Comparison',
    '<what...>',
    'with a baseline, also count: found failures, changes in answers',
    {
      schema: { type: 'array', items: { enum: ['found', 'changes'] } },
      about:
        'With a baseline, what counts in addition to new failures. found: failures with arguments that the baseline did not try; changes: answers that break callers or expose something.',
      rare: true,
    },
  ),
  waivers: ofRun('Comparison', '<file...>', 'accepted failures: shown, not counted', {
    schema: { type: ['string', 'array'], minLength: 1, items: FILLED },
    about:
      'Files of accepted failures (waivers.schema.json), one or several; known stands for the failures that are known of published software.',
    byLines: true,
  }),
  strict: ofRun(
    'Comparison',
    '',
    'exit code 3 where a check is inconclusive, 1 where a waiver is no longer needed',
    { schema: { type: 'boolean' }, rare: true },
  ),
  seed: ofRun('Fuzzing', '<n>', 'the seed of everything random', {
    schema: { type: 'integer', minimum: 0 },
    read: wholeNumber(0, 2 ** 31 - 1),
    rare: true,
  }),
  profile: ofRun('Fuzzing', '<name>', 'how many examples', { schema: { enum: Object.keys(PROFILES) } }),
  replay: ofLine('Fuzzing', '<id>', 'check again exactly what a fuzz check found'),
  results: ofLine(
    'Fuzzing',
    '<file>',
    'the results.json that --replay reads (that of the last run in --out)',
    { rare: true },
  ),
  examples: ofRun(
    'Fuzzing',
    '<n>',
    'sets of arguments that fuzz checks try, for each operation and property',
    { schema: { type: 'integer', minimum: 0, maximum: 1_000_000 }, rare: true },
  ),
  examplesFile: ofRun(
    'Fuzzing',
    '<file>',
    'sets of arguments that failed earlier: tried first, new ones are added',
    { schema: TEXT, rare: true },
  ),
  reporter: ofRun('Reports', '<name>', 'a report (junit, html), NAME=FILE, NAME=-, or a module', {
    schema: { type: 'array', items: FILLED },
    read: (word, earlier) => [...(Array.isArray(earlier) ? earlier : []), word],
    about:
      'The reports to write, each as NAME, NAME=FILE, or the path of a module; results.json is always written.',
  }),
  out: ofRun('Reports', '<dir>', 'the folder for reports (reports/out)', { schema: TEXT }),
  allure: ofRun('Reports', '', 'short for --reporter allure, beside the usual reports', {
    schema: { type: 'boolean' },
    rare: true,
  }),
  har: ofRun(
    'Reports',
    '[file]',
    'short for --reporter har, beside the usual reports: the exchanges, secrets masked',
    { schema: { type: ['boolean', 'string'] }, rare: true },
  ),
  json: ofLine('Reports', '', 'print results.json and nothing else'),
  quiet: ofLine('Reports', '', 'print the conclusion only, and no progress'),
  allTargets: ofLine('Fleets', '', 'check every target of the configuration'),
  targets: ofLine('Fleets', '<glob...>', 'check the targets with these names', { rare: true }),
  parallel: ofLine('Fleets', '<n>', 'concurrent targets (2 to 4, by processors)', {
    read: wholeNumber(1, 64),
    rare: true,
  }),
  shard: ofLine(
    'Fleets',
    '<i/n>',
    'of those targets, part I of N; report --merge makes one fleet of the parts',
    { rare: true },
  ),
  certify: ofLine('Certificate', '<level>', 'make a certificate', { choices: LEVELS }),
  implementation: ofLine('Certificate', '<name>', "with --certify: what is certified, such as 'Acme 1.2'", {
    rare: true,
  }),
  contract: ofLine('Certificate', '<version>', 'with --certify: the release of the contract (the newest)', {
    rare: true,
  }),
  key: ofLine('Certificate', '<file>', 'with --certify: sign with this private ed25519 key (PEM)', {
    rare: true,
  }),
};

/** A run has one site; several are a fleet. */
function onlyOne(value: string, earlier: unknown): string {
  if (earlier === undefined) return value;
  throw new InvalidArgumentError(
    'One run checks one site. Name several under "targets" of site-conformance.config.json, and use --all-targets or --targets NAME.',
  );
}

/** A parser for a whole number within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

/** Parses a number above zero. */
export function aboveZero(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0) throw new InvalidArgumentError('Expected a number above 0.');
  return value;
}
