/**
 * The suite as a library: `runConformance` checks a site and returns the result document, `compare` compares two of them,
 * `loadContract` reads what the checks are derived from, and `defineCheck` adds a check of one's own (docs/library.md).
 */
import * as comparison from '../compare/comparison.ts';
import * as side from '../compare/side.ts';
import type { Check } from '../engine/check.ts';
import type { RunResult } from '../engine/result.ts';
import * as specs from '../specs/contract.ts';
import type { Contract } from '../specs/model.ts';
import { UsageError } from '../specs/validators.ts';
import { completed, type OwnCheck, problemOf } from '../suites/own/own-checks.ts';

export type { Answer, Method, Observation, RequestSpec } from '../client/observation.ts';
export { TargetError } from '../client/target-error.ts';
export type { Comparison } from '../compare/comparison.ts';
export type { Check, Finding } from '../engine/check.ts';
export { failure, inconclusive, notApplicable, warning } from '../engine/findings.ts';
export type { CheckResult, RunResult, Verdict } from '../engine/result.ts';
export type { Session } from '../engine/session.ts';
export type { Contract, Operation, Parameter, Resource } from '../specs/model.ts';
export { UsageError } from '../specs/validators.ts';
export type { OwnCheck } from '../suites/own/own-checks.ts';
export { type ConformanceOptions, type ConformanceRun, runConformance } from './run-conformance.ts';

/** A run, or the path of a `results.json`, of a snapshot, or of a folder that holds one of them. */
export type Side = string | RunResult;

/**
 * Compares two runs or snapshots: what changed, and whether it breaks clients, as in the comparison.json of `diff`. For
 * a path, the index next to it is compared too; a run in memory only has checks.
 * @throws UsageError for a path that is neither
 */
export function compare(before: Side, after: Side): comparison.Comparison {
  return comparison.compareSides(sideOf(before), sideOf(after));
}

function sideOf(given: Side): side.Side {
  if (typeof given === 'string') return side.readSide(given);
  const { run, target } = given;
  return { path: run.id, url: target.url, taken: run.started, index: undefined, run: given };
}

/**
 * Makes a check of your own, which works with reports, baselines and waivers like any other.
 * @param check its `id` is its name everywhere, such as `acme/banner/shown`; its `run` returns the findings, none for a
 * pass
 * @throws UsageError for an invalid check, such as one without a title
 */
export function defineCheck(check: OwnCheck): Check {
  const problem = problemOf(check);
  if (problem !== undefined) throw new UsageError(`defineCheck: ${problem}`);
  return completed(check);
}

/** The choice of a contract: names of built-in files, or paths of your own. */
export interface ContractChoice {
  /** Default: `core`. */
  readonly deployment?: string;
  /** Default: `neutral`. */
  readonly vocabulary?: string;
}

/** Loads the frozen contract of a deployment in the words of a vocabulary. @throws UsageError with file and place */
export function loadContract({ deployment = 'core', vocabulary = 'neutral' }: ContractChoice = {}): Contract {
  return specs.loadContract({ deployment, vocabulary });
}
