import type { Check, Finding } from '../../../engine/check.ts';
import { Ended } from '../../../engine/ended.ts';
import { outOfTime } from '../../../engine/out-of-time.ts';
import type { Session } from '../../../engine/session.ts';
import { explore } from '../../../generators/explore.ts';
import { type LifeStep, lives } from '../../../generators/life-steps.ts';
import { shorten } from '../../../generators/shorten.ts';
import { ownCollections } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { ownCheck } from '../../records/own/own-check.ts';
import type { OwnRecords } from '../../records/own/own-records.ts';
import { OwnLife } from './own-life.ts';

const RUNS = 3;
/** A step that nothing fits is left out: about a third of them. */
const STEPS = 14;
/** Lives to find a failure and to shorten it: requests are the cost. */
const MOST_LIVES = 60;
/** After that a site is too slow for a shorter life to be found. */
const LONGEST_MS = 300_000;
const VERBS = ['create', 'update', 'delete'] as const;

/**
 * Checks of the life of records by a model: random steps on own records leave on the site what the model says. A failure
 * is shortened to the fewest steps that show it.
 */
export function lifecycleChecks(contract: Contract): Check[] {
  if (!contract.operations.some(({ id }) => id === 'batch.run')) return [];
  const lives = ownCollections(contract).filter(
    ({ kind, operations }) =>
      kind === 'records' && VERBS.every((verb) => operations[verb]?.batchable === true),
  );
  return lives.map(({ id: type }) =>
    ownCheck({
      id: `lifecycle/${type}`,
      title: `${type} that are created, updated, trashed, restored and deleted are what was made of them`,
      section: '3',
      basis: 'implied',
      operation: `${type}.list`,
      // What already fails alone fails here again.
      dependsOn: [`${type}.list/method/GET`, ...VERBS.map((verb) => `batch/same/${type}.${verb}`)],
      run: (session, own) => search(session, own, type),
    }),
  );
}

async function search(session: Session, own: OwnRecords, type: string): Promise<Finding[]> {
  let untold: Finding | undefined;
  let failed: { readonly finding: Finding; readonly steps: readonly LifeStep[] } | undefined;
  let lived = 0;
  const end = performance.now() + LONGEST_MS;
  const fails = async (steps: readonly LifeStep[]): Promise<boolean> => {
    lived += 1;
    if (lived > MOST_LIVES || performance.now() > end) return false;
    const life = new OwnLife(session, own, type);
    const finding = await live(life, steps);
    if (finding?.kind === 'failure') failed = { finding, steps: life.performed };
    else untold ??= finding;
    return finding?.kind === 'failure';
  };
  const holds = async (steps: readonly LifeStep[]): Promise<boolean> => !(await fails(steps));
  const { cut } = await explore(lives(STEPS), holds, { runs: RUNS, seed: session.seed, most: MOST_LIVES });
  if (failed !== undefined) {
    const { steps } = failed;
    const single = steps.flatMap((step): readonly LifeStep[] =>
      step.kind === 'batch' ? step.steps : [step],
    );
    await shorten((await fails(single)) ? single : steps, fails);
  }
  const finding = failed?.finding ?? untold ?? (cut === undefined ? undefined : outOfTime(cut));
  return finding === undefined ? [] : [finding];
}

/** @returns what the life contradicts, or why it cannot be told */
async function live(life: OwnLife, steps: readonly LifeStep[]): Promise<Finding | undefined> {
  try {
    await life.begin();
    for (const step of steps) if (life.fits(step)) await life.perform(step);
    await life.compare();
    return undefined;
  } catch (error) {
    if (error instanceof Ended) return error.finding;
    throw error;
  }
}
