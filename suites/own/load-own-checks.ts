import { statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check } from '../../engine/check.ts';
import { SpecError } from '../../specs/validators.ts';
import { completed, type OwnCheck, problemOf } from './own-check.ts';

/** What such modules import the suite by. */
const SUITE = 'site-conformance';
const require: NodeJS.Require = createRequire(import.meta.url);
/** Required, so that vitest leaves it as it is. */
const { importNatively }: typeof import('./import-natively.ts') = require(
  `./import-natively${extname(import.meta.filename)}`,
);
let isFound = false;

/**
 * Loads checks of one's own from modules, each with a check or a list of checks as its default export.
 * @param paths as the user gave them; one that has changed since is loaded again
 * @throws SpecError naming the module and what is wrong with it
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
    throw new SpecError(`--checks ${path}: ${file} ${found === undefined ? 'does not exist' : 'is no file'}`);
  }
  let module: unknown;
  try {
    // Node keeps what it has loaded by its address.
    module = await importNatively(`${pathToFileURL(file).href}?changed=${found.mtimeMs}`);
  } catch (error) {
    throw new SpecError(`--checks ${path}: the module cannot be loaded (${messageOf(error)})`);
  }
  const exported: unknown = Reflect.get(Object(module), 'default');
  const checks: unknown[] = Array.isArray(exported) ? exported : exported === undefined ? [] : [exported];
  if (checks.length === 0) {
    throw new SpecError(
      `--checks ${path}: expected a module whose default export is a check or a list of checks, such as "export default defineCheck({ … })" (docs/library.md)`,
    );
  }
  return checks.map((value, at) => {
    if (isOwnCheck(value)) return completed(value);
    const place = checks.length === 1 ? '' : `the check at ${at}: `;
    throw new SpecError(`--checks ${path}: ${place}${problemOf(value) ?? ''}`);
  });
}

function isOwnCheck(value: unknown): value is OwnCheck {
  return problemOf(value) === undefined;
}

/** A module may lie where the suite is not installed, as under npx: it finds the suite that loads it. */
function findSuite(): void {
  if (isFound) return;
  isFound = true;
  const suite = pathToFileURL(require.resolve(SUITE)).href;
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === SUITE ? suite : specifier, context),
  });
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
