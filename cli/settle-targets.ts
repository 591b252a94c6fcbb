import { loadContract } from '../specs/contract.ts';
import type { Contract } from '../specs/model.ts';
import { allChecks } from '../suites/all-checks.ts';
import { loadOwnChecks } from '../suites/own/own-checks.ts';
import { siteWords } from '../suites/site-words.ts';
import { composeTargets } from './compose-target.ts';
import type { ResolvedTarget } from './resolve-targets.ts';
import { warnInsecure } from './warn-insecure.ts';

/**
 * Settles what is not known at once: loads checks of the user's own, composes deployments, finds vocabularies, and reads
 * --only and --skip, which may be in the words of the site, as globs of check ids. What means nothing stays as it is: it may
 * mean something elsewhere.
 * @param say says one line to the user, such as what a glob was taken for
 * @throws TargetError as {@link composeTargets}; SpecError for a deployment, a vocabulary or a module that cannot be used
 */
export async function settleTargets(
  targets: readonly ResolvedTarget[],
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<ResolvedTarget[]> {
  warnInsecure(
    targets.some(({ insecure }) => insecure),
    say,
  );
  for (const variable of withoutUser(targets, env)) {
    say(`${variable} is set, and no --user names whose password it is: the site is asked without a user`);
  }
  const composed = await composeTargets(await withOwnChecks(targets), env, say);
  const notes = new Set<string>();
  const settled = composed.map((target) => {
    const contract = hasGlobs(target) ? loadContract(target) : undefined;
    return contract === undefined ? target : { ...inWordsOf(contract, target, notes), contract };
  });
  for (const note of notes) say(note);
  return settled;
}

/** The variables with a password that no user belongs to. */
function withoutUser(targets: readonly ResolvedTarget[], env: NodeJS.ProcessEnv): Set<string> {
  const strangers = targets.filter(({ target, user, headers }) => {
    return target !== undefined && user === undefined && headers.authorization === undefined;
  });
  return new Set(
    strangers.map(({ passwordFrom }) => passwordFrom).filter((name) => (env[name] ?? '') !== ''),
  );
}

/** The same targets with the checks of the modules that they name. @throws SpecError for a module that cannot be used */
export async function withOwnChecks(targets: readonly ResolvedTarget[]): Promise<ResolvedTarget[]> {
  const own = await loadOwnChecks(targets.flatMap(({ checks }) => checks));
  return targets.map((target) => (target.checks.length === 0 ? target : { ...target, own }));
}

/**
 * The same target with its globs in the words of the contract.
 * @param notes takes what a reader should know of them
 */
export function inNeutralWords(target: ResolvedTarget, notes: Set<string> = new Set()): ResolvedTarget {
  return hasGlobs(target) ? inWordsOf(loadContract(target), target, notes) : target;
}

function hasGlobs({ only, skip }: ResolvedTarget): boolean {
  return only.length + skip.length > 0;
}

function inWordsOf(contract: Contract, target: ResolvedTarget, notes: Set<string>): ResolvedTarget {
  const read = siteWords(contract, allChecks(contract));
  const neutral = (glob: string): readonly string[] => {
    const meaning = read(glob);
    if (meaning?.note !== undefined) notes.add(meaning.note);
    return meaning?.globs ?? [glob];
  };
  return { ...target, only: target.only.flatMap(neutral), skip: target.skip.flatMap(neutral) };
}
