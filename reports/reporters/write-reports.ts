import { join } from 'node:path';
import type { RunResult } from '../../engine/result.ts';
import type { RunEvent } from '../../engine/run-event.ts';
import { jsonText, type ReportFile, writeAtomically } from '../files.ts';
import { type ChosenReporter, type Rendered, type Reporter, STANDARD_OUTPUT } from './reporter.ts';

/** What came of the reports of a run. */
interface WrittenReports {
  readonly files: ReportFile[];
  /** A reporter that failed, with why. */
  readonly failed: { readonly given: string; readonly error: unknown }[];
}

/** The path of a report; `-` for standard output. */
export function placeOf({ reporter, file }: ChosenReporter, folder: string): string {
  if (file !== undefined) return file;
  return reporter.file === STANDARD_OUTPUT ? STANDARD_OUTPUT : join(folder, reporter.file);
}

/**
 * Writes `results.json` and the chosen reports of one run, each file whole or not at all. A reporter that fails is reported,
 * and keeps no other from being made. What needs no waiting is written before this returns.
 * @param print writes a report to standard output
 * @param source the folder with what the run has left, where that is another one
 * @throws the error of the file system where `results.json` cannot be written
 */
export async function writeReports(
  folder: string,
  result: RunResult,
  chosen: readonly ChosenReporter[],
  print: (report: string, reporter: Reporter) => void,
  source: string = folder,
): Promise<WrittenReports> {
  const written: WrittenReports = { files: [], failed: [] };
  const context = { folder: source };
  const results = join(folder, 'results.json');
  writeAtomically(results, jsonText(result));
  written.files.push({ label: 'results', path: results });
  for (const one of chosen) {
    const { reporter, given } = one;
    const path = placeOf(one, folder);
    if (path === results) continue;
    try {
      if ('write' in reporter) {
        await reporter.write(result, path, context);
      } else {
        const made = reporter.render(result, context);
        const rendered = checked(made instanceof Promise ? await made : made);
        if (path === STANDARD_OUTPUT) print(textOf(rendered), reporter);
        else writeAtomically(path, rendered);
      }
      if (path !== STANDARD_OUTPUT) written.files.push({ label: reporter.label ?? given, path });
    } catch (error) {
      written.failed.push({ given, error });
    }
  }
  return written;
}

/** Hands an event to the reporters that want it; one that fails is reported once, and hears no more. */
export function eventSink(
  chosen: readonly ChosenReporter[],
  failed: (given: string, error: unknown) => void,
): (event: RunEvent) => void {
  const listening = new Set(chosen.filter(({ reporter }) => reporter.onEvent !== undefined));
  return (event) => {
    for (const one of listening) {
      try {
        one.reporter.onEvent?.(event);
      } catch (error) {
        listening.delete(one);
        failed(one.given, error);
      }
    }
  };
}

/** A module of a user may return anything. */
function checked(rendered: Rendered): Rendered {
  const given: unknown = rendered;
  if (
    typeof given === 'string' ||
    (typeof given === 'object' && given !== null && Symbol.iterator in given)
  ) {
    return rendered;
  }
  throw new Error('render returned neither a text nor bytes nor parts of a text');
}

function textOf(rendered: Rendered): string {
  if (typeof rendered === 'string') return rendered;
  return rendered instanceof Uint8Array ? Buffer.from(rendered).toString() : [...rendered].join('');
}
