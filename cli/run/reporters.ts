import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Redactor } from '../../client/redact.ts';
import { isFolder } from '../../compare/side.ts';
import { firstLineOf, messageOf, visibleLine } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import { REPORTERS } from '../../reports/reporters/registry.ts';
import type { ChosenReporter, Reporter } from '../../reports/reporters/reporter.ts';
import { reportPlace, STANDARD_OUTPUT } from '../../reports/reporters/reporter.ts';
import { suggestion, UsageError } from '../../specs/validators.ts';

const MODULE = /[\\/]|\.[cm]?[jt]s$/;

/**
 * Chooses the reporters of a run from `--reporter`: `NAME`, `NAME=FILE`, or the path of a module.
 * @param results the number of results, because a report in a named file can only have one
 * @throws UsageError for an unknown name, a module without a reporter, and files that are not writable
 */
export async function chooseReporters(given: readonly string[], results: number): Promise<ChosenReporter[]> {
  const chosen: ChosenReporter[] = [];
  for (const text of new Set(given)) {
    const [name = '', ...rest] = text.split('=');
    const file = rest.length === 0 ? undefined : placeFrom(rest.join('='), text);
    const known = Object.hasOwn(REPORTERS, name) ? REPORTERS[name] : undefined;
    const reporter = known ?? (MODULE.test(name) ? await loadReporter(name) : undefined);
    if (reporter === undefined) throw unknown(name);
    const { needs } = reporter;
    if (!isInstalled(needs)) {
      const missing = `needs the package ${needs}, which is not installed: npm install ${needs}`;
      throw new UsageError(`--reporter ${name}: ${missing}`);
    }
    chosen.push({ given: name, reporter, ...(file !== undefined && { file }) });
  }
  refuseClashes(chosen, results);
  return chosen;
}

/** Whether a report goes to standard output, which must have nothing else then. */
export function printsReport(chosen: readonly ChosenReporter[]): boolean {
  return chosen.some((choice) => reportPlace(choice, '') === STANDARD_OUTPUT);
}

function isInstalled(name: string | undefined): boolean {
  if (name === undefined) return true;
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
}

function placeFrom(file: string, given: string): string {
  if (file === '') throw new UsageError(`--reporter ${given}: the name of a file is missing after the =`);
  if (file === STANDARD_OUTPUT) return file;
  const path = resolve(file);
  try {
    if (isFolder(path)) throw new Error('a folder is in its place');
    mkdirSync(dirname(path), { recursive: true });
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new UsageError(`--reporter ${given}: ${path} cannot be written (${firstLineOf(error)})`);
  }
  return path;
}

async function loadReporter(path: string): Promise<Reporter> {
  const file = resolve(path);
  if (!existsSync(file)) throw new UsageError(`--reporter ${path}: ${file} does not exist`);
  let module: unknown;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new UsageError(`--reporter ${path}: the module cannot be loaded (${firstLineOf(error)})`);
  }
  const reporter =
    typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
  if (!isReporter(reporter)) {
    throw new UsageError(
      `--reporter ${path}: expected a module whose default export has a text "file" and a function "render" or "write" (docs/reports.md)`,
    );
  }
  return reporter;
}

function isReporter(value: unknown): value is Reporter {
  if (typeof value !== 'object' || value === null) return false;
  const member = (name: string): unknown => Reflect.get(value, name);
  const has = (type: string, ...names: string[]): boolean =>
    names.every((name) => [type, 'undefined'].includes(typeof member(name)));
  return (
    typeof member('file') === 'string' &&
    member('file') !== '' &&
    (typeof member('render') === 'function' || typeof member('write') === 'function') &&
    has('function', 'onEvent') &&
    has('string', 'needs', 'label')
  );
}

function refuseClashes(chosen: readonly ChosenReporter[], results: number): void {
  const taken = new Map<string, string>();
  for (const choice of chosen) {
    const place = reportPlace(choice, '');
    const other = taken.get(place);
    if (other !== undefined) {
      throw new UsageError(
        `--reporter: ${other} and ${choice.given} both go to ${nameOf(place)}: name a file for one of them, as in ${choice.given}=FILE`,
      );
    }
    taken.set(place, choice.given);
  }
  for (const choice of results > 1 ? chosen : []) {
    const place = reportPlace(choice, '');
    // Commands of several runs can be concatenated; documents cannot.
    const joins = place === STANDARD_OUTPUT && choice.reporter.commands === true;
    if (joins || (choice.file === undefined && place !== STANDARD_OUTPUT)) continue;
    throw new UsageError(
      `--reporter ${choice.given}: ${results} runs do not fit into ${nameOf(place)}: leave the file out, and each gets one in its folder`,
    );
  }
}

function nameOf(place: string): string {
  return place === STANDARD_OUTPUT ? 'standard output' : place;
}

function unknown(name: string): UsageError {
  const names = Object.keys(REPORTERS);
  return new UsageError(
    `--reporter: unknown reporter "${name}": expected one of ${names.join(', ')}, or the path of a module such as ./my-reporter.ts${suggestion(name, names)}`,
  );
}

/** Stores the output of one target among several. Errors are ignored, because the reports would show a full disk. */
export function keepTerminal(folder: string, text: string): void {
  try {
    writeFileSync(join(folder, 'terminal.txt'), text);
  } catch {}
}

/** Prints in one line that a reporter failed. */
export function reportFailed(given: string, error: unknown, hide: Redactor): void {
  print(
    process.stderr,
    `site-conformance: ${visibleLine(hide(`the reporter ${given} failed, the other reports are made (${messageOf(error)})`))}\n`,
  );
}
