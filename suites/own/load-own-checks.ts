import { readFileSync, statSync } from 'node:fs';
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
/** How Node reads a file with imports or exports, whatever type the package beside it has. */
const FORMATS: Readonly<Record<string, string>> = { '.ts': 'module-typescript', '.js': 'module' };
const MODULE = /^\s*(?:import|export)\b(?!\s*[=(])/m;
const OUTSIDE = /outside a module|Unexpected token 'export'|does not provide an export named/;
/** By the addresses of modules. */
const formats = new Map<string, string>();

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
    const url = `${pathToFileURL(file).href}?changed=${found.mtimeMs}`;
    const format = FORMATS[extname(file)];
    if (format !== undefined && MODULE.test(readFileSync(file, 'utf8'))) formats.set(url, format);
    module = await importNatively(url);
  } catch (error) {
    const message = messageOf(error);
    const hint = OUTSIDE.test(message) ? '; name the modules that it imports .mts or .mjs' : '';
    throw new SpecError(`--checks ${path}: the module cannot be loaded (${message})${hint}`);
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
    resolve: (specifier, context, next) => {
      const resolved = next(specifier === SUITE ? suite : specifier, context);
      const format = formats.get(resolved.url);
      return format === undefined ? resolved : { ...resolved, format };
    },
  });
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
