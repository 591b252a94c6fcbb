import { addAbortListener } from 'node:events';
import { showBase } from '../../client/address.ts';
import { findIndex } from '../../client/site-index.ts';
import { TargetError } from '../../client/target-error.ts';
import { listed, plural, present, shorten } from '../../engine/text.ts';
import { AUTO, type Composition, composeDeployment } from '../../probing/declarations/compose-deployment.ts';
import { knownNamespaces } from '../../specs/deployment.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import { interruptible } from '../shell/on-interrupt.ts';

const MOST_NAMED = 5;
const LONGEST_NAME = 60;

/**
 * Composes the deployment, or detects the vocabulary, of targets that leave it to the site, from their index.
 * @param say prints one line to the user
 * @throws TargetError if there is no index, or no known namespace to compose a deployment of
 */
export function composeTargets(
  targets: readonly RunConfig[],
  say: (line: string) => void,
): Promise<RunConfig[]> {
  return Array.fromAsync(targets, (target) =>
    isLeftToSite(target) || target.vocabularyOpen === true ? composeTarget(target, say) : target,
  );
}

/** Whether something of a target depends on its site, so that its checks are unknown before the first request. */
export function isLeftToSite({ deployment, vocabulary, composed }: RunConfig): boolean {
  return (deployment === AUTO && composed === undefined) || vocabulary === AUTO;
}

async function composeTarget(target: RunConfig, say: (line: string) => void): Promise<RunConfig> {
  const deadline = target.budget === undefined ? undefined : Date.now() + target.budget * 1000;
  // Loaded on demand, because most targets need no request before their plan.
  const { Client } = await import('../../client/client.ts');
  const client = new Client({ ...target, deadline });
  // No run exists yet that would handle the signal.
  using stopping = interruptible(() => undefined);
  using _closing = addAbortListener(stopping.signal, () => void client.close());
  try {
    const { index, base } = await findIndex(client);
    const served = showBase(base);
    if (served !== showBase(target.base)) say(`the index is found below ${served}: every request goes there`);
    const isOpen = target.vocabulary === AUTO || target.vocabularyOpen === true;
    const composition = composeDeployment(index, isOpen ? undefined : target.vocabulary);
    const asked = { ...target, base, asked: client.traffic.requests };
    if (composition !== undefined) return withComposition(asked, composition, say);
    if (target.vocabularyOpen === true) return asked;
    throw noneKnown(showBase(target.base), index.namespaces, target.vocabulary);
  } catch (error) {
    if (stopping.signal.aborted) throw new TargetError('gone', 'interrupted before the first check');
    if (target.vocabularyOpen === true && error instanceof TargetError)
      return { ...target, unreachable: error };
    throw error;
  } finally {
    await client.close();
  }
}

function describe({ vocabulary, file, missing, unknown }: Composition): string {
  return present([
    `deployment auto: ${[...file.operations, ...(file.features ?? []).map((one) => `feature ${one}`)].join(', ')}`,
    `vocabulary ${vocabulary}`,
    missing.length > 0 && `not served: ${missing.join(', ')}`,
    unknown.length > 0 && `${plural(unknown.length, 'namespace')} that the contract does not know`,
  ]).join('; ');
}

function withComposition(
  target: RunConfig,
  composition: Composition,
  say: (line: string) => void,
): RunConfig {
  const { vocabulary, file } = composition;
  const found = { ...target, vocabulary };
  if (target.deployment === AUTO) {
    say(describe(composition));
    return { ...found, composed: file };
  }
  if (vocabulary !== target.vocabulary) say(`vocabulary auto: ${vocabulary}`);
  return found;
}

function noneKnown(url: string, served: readonly string[], vocabulary: string): TargetError {
  const names = served.map((name) => shorten(name, LONGEST_NAME));
  const lists = names.length === 0 ? 'it lists none at all' : `it lists ${listed(names, MOST_NAMED)}`;
  const words = vocabulary === AUTO ? 'in the words of no vocabulary' : `in the words of "${vocabulary}"`;
  return new TargetError(
    'not-an-index',
    `${url} serves none of the ${knownNamespaces().length} namespaces that the contract knows, ${words} (${lists}): describe what it serves in a deployment file`,
  );
}
