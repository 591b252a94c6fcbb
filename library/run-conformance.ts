import { checkedConfig } from '../cli/config.ts';
import type { Settings } from '../cli/options.ts';
import { type RunHow, runCommand } from '../cli/run/run-targets.ts';
import { hideSecrets } from '../cli/shell/hide-secrets.ts';
import { includesMode } from '../client/mode.ts';
import { readRun } from '../compare/side.ts';
import type { Check } from '../engine/check.ts';
import type { CheckResult, RunResult } from '../engine/result.ts';
import { temporaryFolder } from '../engine/temporary-folder.ts';
import { UsageError } from '../specs/validators.ts';

/**
 * The settings of a run, with the names of the command line and the configuration file. The password of `user` comes
 * from the environment variable SITE_CONFORMANCE_PASSWORD. No configuration file is read.
 */
export interface ConformanceOptions extends Omit<Settings, 'passwordFrom' | 'checks'> {
  /** Your own checks, in addition to those of the contract. */
  readonly checks?: readonly Check[];
  /** Ends the run early: its records are removed, and the result says that it was interrupted. */
  readonly signal?: AbortSignal;
  onCheck?(result: CheckResult): void;
}

/** The outcome of a run. */
export interface ConformanceRun {
  /** The result document, as `results.json` holds it. */
  readonly result: RunResult;
  /** 0 conformant, 1 a failure, 3 nothing can be concluded, 4 a fault of the suite. */
  readonly exitCode: number;
}

/**
 * Checks a site, or without `target` the embedded reference deployment. Prints nothing; with `out`, it writes reports
 * there.
 * @throws UsageError for invalid settings and files; TargetError for a site that cannot be checked
 */
export function runConformance(options: ConformanceOptions = {}): Promise<ConformanceRun> {
  return runHere(options, { heard: (result) => options.onCheck?.(result) });
}

/** Validates the settings of a run and adds the default deployment. @throws UsageError */
export function settingsOf(options: ConformanceOptions): Settings {
  const { checks: _checks, signal: _signal, onCheck: _onCheck, ...given } = options;
  const { targets, $schema: _schema, ...settings } = checkedConfig(given, 'the options');
  if (targets !== undefined) throw new UsageError('the options: "targets" are for a configuration file');
  const { target, mode = 'read', out } = settings;
  if (target !== undefined && includesMode(mode, 'write') && out === undefined) {
    throw new UsageError(
      `mode ${mode}: needs "out", the folder that keeps the journal of what is written to ${target}`,
    );
  }
  return { deployment: 'core', ...settings };
}

/** Runs checks with further options of the caller. */
export async function runHere(options: ConformanceOptions, caller: RunHow): Promise<ConformanceRun> {
  const { checks: own = [], signal } = options;
  const settings = settingsOf(options);
  const headers = (settings.header ?? []).map((header) => `--header=${header}`);
  using scratch = temporaryFolder('run');
  const { out = scratch.path } = settings;
  const how: RunHow = { signal, ...caller, file: {}, own, prints: 'nothing' };
  const exitCode = await runCommand({ ...settings, out }, hideSecrets(headers), how);
  return { result: readRun(out), exitCode };
}
