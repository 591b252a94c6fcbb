import type { CheckResult, RunResult } from '../../engine/result.ts';
import { loadContract } from '../../specs/contract.ts';
import { namespaceOf } from './causes.ts';

/** Tells who can do something about a finding of a run, in one sentence. */
export function whoActsIn({
  target: { operations = {}, vocabulary },
}: Pick<RunResult, 'target'>): (check: CheckResult) => string {
  const core = loadContract({ deployment: 'core', vocabulary: 'neutral' }).operations;
  const coreNamespaces = new Set(
    core.flatMap(({ id }) => (Object.hasOwn(operations, id) ? [operations[id]?.namespace] : [])),
  );
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
