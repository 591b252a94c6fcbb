import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { byName } from '../../client/json.ts';
import type { KeptSet } from '../../engine/fuzz-options.ts';
import type { CheckResult } from '../../engine/result.ts';
import { messageOf } from '../../engine/text.ts';
import { isSpecialName } from '../../generators/unusual-values.ts';
import { jsonText, writeAtomically } from '../../reports/files.ts';
import { note } from '../../reports/print.ts';
import { readValidated, UsageError } from '../../specs/validators.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';

/** The sets of arguments that failed earlier, which fuzz checks try first. @throws UsageError for an unusable file */
export function examplesFor({ examplesFile: path, fuzz }: RunConfig): Pick<RunConfig, 'fuzz'> {
  if (path === undefined) return { fuzz };
  // The sets in the file may have other members.
  const kept = existsSync(path)
    ? readValidated<{ sets: KeptSet[] }>(path, 'examples.schema.json').sets.map(({ check, args }) => ({
        check,
        args,
      }))
    : [];
  try {
    accessSync(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `--examples-file ${path}: what a run finds cannot be written there (${messageOf(error)})`,
    );
  }
  return { fuzz: { ...fuzz, kept } };
}

/** @returns the ids of checks that no target has @throws UsageError for a name that means something on every route */
export function checkExamples(targets: readonly RunConfig[]): string[] {
  const kept = targets.flatMap(({ fuzz }) => fuzz.kept);
  const path = targets[0]?.examplesFile;
  const checks = new Set(targets.flatMap(({ plan }) => plan.map(({ check }) => check.id)));
  // Searches also send parameters of other operations.
  const taken = new Set(
    targets
      .flatMap((target) => contractOf(target).operations.flatMap(({ parameters }) => parameters))
      .map(({ wire }) => wire),
  );
  for (const { check, args, known: isKnown } of kept) {
    const special = Object.keys(args).find((name) => !taken.has(name) && isSpecialName(name));
    if (special === undefined) continue;
    throw new UsageError(
      `${isKnown === true ? '--baseline' : path === undefined ? '--rerun' : `--examples-file ${path}`}: the argument "${special}" of a set of ${check} means something to the software on every route, and is never sent`,
    );
  }
  const own = kept.filter(({ known }) => known !== true);
  return [...new Set(own.map(({ check }) => check)).difference(checks)];
}

/** The sets of arguments that showed a violation. Masked ones cannot be sent again. */
export function setsOf(checks: readonly CheckResult[]): KeptSet[] {
  return checks.flatMap(({ id, replay }) =>
    (replay?.sets ?? [])
      .filter(({ masked }) => masked !== true)
      .map(({ args }): KeptSet => ({ check: id, args })),
  );
}

/** A key that ignores the order of arguments. */
export function setKey({ check, args }: KeptSet): string {
  return JSON.stringify([check, Object.entries(args).sort(byName)]);
}

/** Adds the findings to the sorted file of examples, if there is one. @returns false if it cannot be written */
export function keepExamples(target: RunConfig | undefined, checks: readonly CheckResult[]): boolean {
  const path = target?.examplesFile;
  if (target === undefined || path === undefined) return true;
  try {
    // The first of equal sets stays.
    const all = [...target.fuzz.kept, ...setsOf(checks)].map(({ check, args }) => ({ check, args }));
    const byKey = new Map(all.toReversed().map((one) => [setKey(one), one]));
    writeAtomically(path, jsonText({ sets: [...byKey].sort(byName).map(([, set]) => set) }));
    return true;
  } catch (error) {
    note(`--examples-file ${path}: what was found cannot be written there (${messageOf(error)})`);
    return false;
  }
}
