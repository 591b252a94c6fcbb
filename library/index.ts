/**
 * The suite as a library: `runConformance` checks a site and returns the result document, `compare` compares two of them,
 * `loadContract` reads what the checks are derived from, and `defineCheck` adds a check of one's own (docs/library.md).
 */

export { UsageError } from '../cli/shell/errors.ts';
export type { Answer, Method, Observation, RequestSpec } from '../client/observation.ts';
export { TargetError } from '../client/target-error.ts';
export type { Comparison } from '../compare/comparison.ts';
export { UnreadableSide } from '../compare/side.ts';
export type { Check, Finding } from '../engine/check.ts';
export { failure, inconclusive, notApplicable, warning } from '../engine/findings.ts';
export type { CheckResult, RunResult, Verdict } from '../engine/result.ts';
export type { Session } from '../engine/session.ts';
export type { Contract, Operation, Parameter, Resource } from '../specs/model.ts';
export { SpecError } from '../specs/validators.ts';
export { compare, type Side } from './compare.ts';
export { defineCheck, type OwnCheck } from './define-check.ts';
export { type ContractChoice, loadContract } from './load-contract.ts';
export { type ConformanceOptions, type ConformanceRun, runConformance } from './run-conformance.ts';
