import { operationPlace, type Places } from '../../../compare/checks/places.ts';
import { blockedResults, endOf } from '../../../engine/plan.ts';
import { type CheckResult, isUnstableCheck, type RunResult } from '../../../engine/result.ts';
import { groupsBy, present } from '../../../engine/text.ts';
import { loadContract } from '../../../specs/contract.ts';
import type { Basis } from '../../../specs/operation-file.ts';
import type { State } from '../blocks.ts';

/** One root cause: the same failure in one or several places, with its dependents. */
export interface Cause {
  readonly first: CheckResult;
  readonly alike: readonly CheckResult[];
  readonly blocked: readonly CheckResult[];
}

/** Which findings: those that count, or waived ones. */
export type Which = Extract<State, 'fail' | 'error' | 'warn' | 'waived' | 'unstable'>;

/** The findings of a run by root cause: new ones first, then those that block most, and those in most places. */
export function causesOf(result: Pick<RunResult, 'checks' | 'target'>, which: Which): readonly Cause[] {
  const own = known.get(result) ?? {};
  known.set(result, own);
  own[which] ??= findCauses(result, which);
  return own[which];
}

/** Cached, because several parts of a view need it. */
const known = new WeakMap<object, Partial<Record<Which, readonly Cause[]>>>();

function findCauses(result: Pick<RunResult, 'checks' | 'target'>, which: Which): Cause[] {
  const blocked = blockedResults(result.checks);
  const { operations = {} } = result.target;
  const own = result.checks.filter((check) => stateOf(check) === which);
  return alikeIn(own, (check) => namespaceOf(check, operations))
    .map(([first, ...alike]) => {
      return { first, alike, blocked: [first, ...alike].flatMap(({ id }) => blocked.get(id) ?? []) };
    })
    .toSorted((one, other) => weightOf(other) - weightOf(one));
}

/** The namespace of a check in the words of the site; undefined if the run does not have it. */
function namespaceOf(check: CheckResult, places: Places): string | undefined {
  return (operationPlace(check.operation, places) ?? check).namespace;
}

/** The state of a check, which may be more than its verdict. */
export function stateOf(check: CheckResult): State {
  if (check.verdict === 'fail' && check.waived !== undefined) return 'waived';
  return isUnstableCheck(check) ? 'unstable' : check.verdict;
}

/** Findings that share a key, directly or through others, are one cause. */
function alikeIn(
  findings: readonly CheckResult[],
  namespaceIn: (check: CheckResult) => string | undefined,
): [CheckResult, ...CheckResult[]][] {
  const ways = Map.groupBy(findings, wayOf);
  const leads = new Map<string, string>();
  const keys = new Map<CheckResult, string>();
  for (const check of findings) {
    const way = wayOf(check);
    const isMany = (ways.get(way)?.length ?? 0) >= MANY;
    const [key = '', ...others] = present([keysOf(check, namespaceIn(check)), isMany && way]);
    for (const other of others) {
      // Towards what many share, so that the paths stay short.
      const [from, to] = [endOf(key, leads), endOf(other, leads)];
      if (from !== to) leads.set(from, to);
    }
    keys.set(check, key);
  }
  return groupsBy(findings, (check) => endOf(keys.get(check) ?? '', leads));
}

/** So many parameters of one operation fail in one way for one reason. */
const MANY = 4;

/** How an operation fails, whatever the parameter: it declares no type, or does not filter. */
function wayOf({ id, operation, kind, observed, standing, replay, adds }: CheckResult): string | undefined {
  if (operation === undefined || observed === undefined || (replay ?? adds) !== undefined) return undefined;
  return JSON.stringify([operation, kind, id.slice(id.lastIndexOf('/')), sameNumbers(observed), standing]);
}

/** The same requirement on the same thing with the same answer, in any operation of a namespace; or the same words. */
function keysOf(check: CheckResult, namespace: string | undefined): string[] {
  const { id, operation, parameter, message, standing, replay, adds, about } = check;
  // Software registers a word once, for all parameters of a kind.
  if (adds !== undefined) return [JSON.stringify([parameter, namespace, adds.toSorted(), standing])];
  // Ids of records and dates are others in each answer. What is declared is not.
  const same = about === undefined ? sameNumbers : (text: string): string => text;
  const shown = [check.expected, check.observed].map((text) => text && same(text));
  // For a search, the arguments that matter identify the failure.
  const found = replay?.sets.map(({ parameters, kind }) => `${parameters}:${kind}`).sort();
  const asked = JSON.stringify([withinOperation(id, operation), namespace, shown, standing, found]);
  if (message === undefined || found !== undefined) return [asked];
  return [asked, JSON.stringify([same(message), namespace, shown, standing])];
}

/** A text without its numbers, single or in lists. */
function sameNumbers(text: string): string {
  return text.replaceAll(/\d+(?:, \d+)*(?: and \d+ more)?/g, '#');
}

/** The findings of a run, in the order of their causes. */
export function findingsOf(result: Pick<RunResult, 'checks' | 'target'>, which: Which): CheckResult[] {
  return causesOf(result, which).flatMap(({ first, alike }) => [first, ...alike]);
}

const FIRM_FIRST: readonly Basis[] = ['stated', 'implied', 'doubtful'];

function weightOf({ first, alike, blocked }: Cause): number {
  const firmness = FIRM_FIRST.length - FIRM_FIRST.indexOf(first.basis);
  return (first.standing === 'new' ? 1e9 : 0) + blocked.length * 1e4 + alike.length * 10 + firmness;
}

/** A check id without its operation, if the reader sees that anyway. */
export function withinOperation(id: string, operation: string | undefined): string {
  const start = `${operation}/`;
  return operation !== undefined && id.startsWith(start) ? id.slice(start.length) : id;
}

/** Who should act on a finding, in one sentence. */
export function whoActsIn({
  target: { operations = {}, vocabulary },
}: Pick<RunResult, 'target'>): (check: CheckResult) => string {
  const core = loadContract({ deployment: 'core', vocabulary: 'neutral' }).operations;
  const coreNamespaces = new Set(core.map(({ id }) => operationPlace(id, operations)?.namespace));
  return (check) => {
    if (check.verdict === 'error') {
      return 'The authors of this suite: please report it, together with results.json.';
    }
    const namespace = namespaceOf(check, operations);
    if (namespace !== undefined && !coreNamespaces.has(namespace)) {
      return `The author of the plugin or theme that serves ${namespace}; the owner of the site can update or replace it.`;
    }
    return vocabulary === 'neutral'
      ? 'The author of this implementation.'
      : 'The owner of the site: its core software answers here, or a plugin that alters what it answers.';
  };
}
