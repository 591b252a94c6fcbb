import { faultsOf } from '../../reference/faults/catalogue.ts';
import { indexDocument } from '../../reference/index-document.ts';
import { loadContract as loadRaw } from '../../reference/load-contract.ts';
import { loadContract } from '../../specs/contract.ts';
import { declaredChecks } from '../declared/declared-checks.ts';
import { combine } from './combine.ts';
import { isOwn } from './outcome.ts';
import { declaredRuns, isDecidedByIndex } from './run-declared.ts';

/** Faults that a site had at once, and those of them that no check of their own reported. */
export interface Together {
  readonly faults: readonly string[];
  readonly lost: readonly string[];
}

const SIZE = 3;

/** Runs the checks of the index against indexes with three faults of declarations at once, drawn by a seed. */
export async function killTogether(deployment: string, count: number, seed: number): Promise<Together[]> {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const raw = loadRaw(deployment);
  // Without the index itself, a namespace or a route nothing beneath it can be told.
  const faults = faultsOf(raw).filter(
    ({ behaviour, breaks }) =>
      behaviour.declare !== undefined && !/^(index|namespaces|routes)\//.test(breaks),
  );
  const checks = declaredChecks(contract).filter(isDecidedByIndex);
  const declared = declaredRuns(contract, checks);
  const texts = { name: 'Reference', description: 'A site in memory', url: 'http://127.0.0.1:9' };
  const outcomes: Together[] = [];
  try {
    for (const set of combine(faults, count, SIZE, seed)) {
      const document = indexDocument(raw, texts);
      for (const { behaviour } of set) behaviour.declare?.(document);
      const failed = await declared.failed(document);
      const lost = set.filter((one) => !failed.some((id) => isOwn(one, id)));
      outcomes.push({ faults: set.map(({ id }) => id), lost: lost.map(({ id }) => id) });
    }
  } finally {
    await declared.close();
  }
  return outcomes;
}
