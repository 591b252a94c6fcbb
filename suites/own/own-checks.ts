import { readFileSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { includesMode, MODES, type RunMode } from '../../client/mode.ts';
import { isFinding } from '../../engine/aborted.ts';
import { areaOf, type Check, checkId, type Finding, MODE_OF_EFFECT } from '../../engine/check.ts';
import type { Session } from '../../engine/session.ts';
import { firstLineOf } from '../../engine/text.ts';
import { suggestion, UsageError } from '../../specs/validators.ts';

const SUITE = 'site-conformance';
const require: NodeJS.Require = createRequire(import.meta.url);
/** Loaded with require, which vitest does not transform. */
const { importNatively }: typeof import('./import-natively.ts') = require(
  `./import-natively${extname(import.meta.filename)}`,
);
let isFound = false;
/** The format in which Node reads a module, whatever package.json beside it says. */
const FORMATS: Readonly<Record<string, string>> = { '.ts': 'module-typescript', '.js': 'module' };
const MODULE = /^\s*(?:import|export)\b(?!\s*[=(])/m;
const OUTSIDE = /outside a module|Unexpected token 'export'|does not provide an export named/;
const formats = new Map<string, string>();

/**
 * Loads the user's own checks from modules whose default export is a check or a list of checks.
 * @param paths paths as given by the user; a changed module is loaded again
 * @throws UsageError with the module and its problem
 */
export async function loadOwnChecks(paths: readonly string[]): Promise<Check[]> {
  if (paths.length > 0) findSuite();
  const loaded: Check[] = [];
  for (const path of new Set(paths)) loaded.push(...(await load(path)));
  return loaded;
}

async function load(path: string): Promise<Check[]> {
  const file = resolve(path);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) {
    throw new UsageError(
      `--checks ${path}: ${file} ${found === undefined ? 'does not exist' : 'is no file'}`,
    );
  }
  let module: unknown;
  try {
    // Node caches modules by their address.
    const url = `${pathToFileURL(file).href}?changed=${found.mtimeMs}`;
    const format = FORMATS[extname(file)];
    if (format !== undefined && MODULE.test(readFileSync(file, 'utf8'))) formats.set(url, format);
    module = await importNatively(url);
  } catch (error) {
    const message = firstLineOf(error);
    const hint = OUTSIDE.test(message) ? '; name the modules that it imports .mts or .mjs' : '';
    throw new UsageError(`--checks ${path}: the module cannot be loaded (${message})${hint}`);
  }
  const exported: unknown = Reflect.get(Object(module), 'default');
  const checks: unknown[] = Array.isArray(exported) ? exported : exported === undefined ? [] : [exported];
  if (checks.length === 0) {
    throw new UsageError(
      `--checks ${path}: expected a module whose default export is a check or a list of checks, such as "export default defineCheck({ … })" (docs/library.md)`,
    );
  }
  return checks.map((value, at) => {
    if (isOwnCheck(value)) return completed(value);
    const place = checks.length === 1 ? '' : `the check at ${at}: `;
    throw new UsageError(`--checks ${path}: ${place}${problemOf(value) ?? ''}`);
  });
}

function isOwnCheck(value: unknown): value is OwnCheck {
  return problemOf(value) === undefined;
}

/** Lets a module find the suite that loads it, even where the suite is not installed, as with npx. */
function findSuite(): void {
  if (isFound) return;
  isFound = true;
  const suite = pathToFileURL(require.resolve(SUITE)).href;
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier === SUITE ? suite : specifier, context);
      const format = formats.get(resolved.url);
      return format === undefined ? resolved : { ...resolved, format };
    },
  });
}

/** A check of the user. Omitted members have defaults. */
export interface OwnCheck extends Omit<Check, 'area' | 'section' | 'basis' | 'effect' | 'run'> {
  /** The group in reports; default: the first part of its id. */
  readonly area?: string;
  /** Where the requirement is documented; default: `own`. */
  readonly section?: string;
  /** How certain the requirement is; default: `stated`. A doubtful one only warns. */
  readonly basis?: Check['basis'];
  /** What its requests do; default: what its mode allows, or `reads`. */
  readonly effect?: Check['effect'];
  /** The mode that it needs; default: that of its effect. */
  readonly mode?: RunMode;
  /** Returns its findings; an empty list is a pass. */
  run(session: Session): Promise<readonly Finding[]> | readonly Finding[];
}

/** Members with their allowed values; undefined for any text. */
const WORDS: Readonly<Record<string, readonly string[] | undefined>> = {
  area: undefined,
  section: undefined,
  basis: ['stated', 'implied', 'doubtful', 'published'],
  effect: Object.keys(MODE_OF_EFFECT),
  mode: MODES,
  operation: undefined,
  parameter: undefined,
  place: undefined,
};
const LISTS: readonly string[] = ['dependsOn', 'buildsOn'];
const OTHERS: readonly string[] = ['id', 'title', 'run', 'needsUser', 'about', 'binding', 'fuzz', 'field'];
const MEMBERS: readonly string[] = [...Object.keys(WORDS), ...LISTS, ...OTHERS];

/** Why a value is not a check, in one line that begins with its name; undefined if it is one. */
export function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null)
    return `${describe(value)} is no check: expected an object`;
  const { id, title, run }: { id?: unknown; title?: unknown; run?: unknown } = value;
  if (typeof id !== 'string' || !isId(id)) {
    return `the id ${describe(id)} is none: expected parts joined by "/" without blanks and wildcards, such as "acme/banner/shown"`;
  }
  if (typeof title !== 'string' || title === '') {
    return `${id} has no title: expected a sentence in the present tense`;
  }
  if (typeof run !== 'function') return `${id} has no function "run", which returns what the check found`;
  for (const [name, given] of Object.entries(value)) {
    const problem = given === undefined ? undefined : memberProblem(name, given);
    if (problem !== undefined) return `${id}: ${problem}`;
  }
  return undefined;
}

const EFFECT_OF_MODE: Readonly<Record<RunMode, Check['effect']>> = {
  read: 'reads',
  validate: 'validates',
  write: 'writes',
  full: 'alters-site',
};

/** Completes a valid check with defaults; validates that its `run` returns findings. */
export function completed({ mode = 'read', ...check }: OwnCheck): Check {
  const { area = areaOf(check.id), section = 'own', basis = 'stated', effect: stated = 'reads' } = check;
  const effect = includesMode(mode, MODE_OF_EFFECT[stated]) ? EFFECT_OF_MODE[mode] : stated;
  return {
    ...check,
    area,
    section,
    basis,
    effect,
    async run(session) {
      const findings: unknown = await check.run(session);
      if (!Array.isArray(findings)) {
        throw new Error(
          `${check.id} returned ${describe(findings)}: expected a list of findings, which is empty for a pass`,
        );
      }
      const wrong = findings.find((one) => !isFinding(one));
      if (wrong === undefined) return findings;
      throw new Error(
        `${check.id} returned ${describe(wrong)} among its findings: expected what failure(), warning(), inconclusive() or notApplicable() make`,
      );
    },
  };
}

function memberProblem(name: string, given: unknown): string | undefined {
  if (!MEMBERS.includes(name)) {
    return `a check has no "${name}"${suggestion(name, MEMBERS)}`;
  }
  if (LISTS.includes(name)) {
    const isList = Array.isArray(given) && given.every((one) => typeof one === 'string');
    return isList ? undefined : `${name}: expected a list of ids of checks`;
  }
  if (!Object.hasOwn(WORDS, name)) return undefined;
  const words = WORDS[name];
  if (typeof given !== 'string') return `${name}: expected a text`;
  if (words === undefined || words.includes(given)) return undefined;
  return `${name} ${describe(given)}: expected one of ${words.join(', ')}`;
}

function isId(id: string): boolean {
  try {
    return id !== '' && checkId(...id.split('/')) === id;
  } catch {
    return false;
  }
}

function describe(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : Array.isArray(value) ? 'a list' : String(value);
}
