import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { showBase } from '../../client/address.ts';
import { type Redactor, redactJson, redactorFor } from '../../client/redact.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { placesOf } from '../../compare/owners.ts';
import { looksLike, surfaceOf } from '../../compare/surface.ts';
import { LOST_HEADERS } from '../../engine/conclusion.ts';
import type { FuzzOptions, SearchesOfRun } from '../../engine/fuzz-options.ts';
import type { Notice, RunResult } from '../../engine/result.ts';
import type { RunEvent } from '../../engine/run-event.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { productTool } from '../../engine/version.ts';
import { isBuiltIn } from '../../specs/deployment.ts';
import { beyondOf, noticesOf } from '../../suites/index/notices.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';
import type { Ready } from './ready-target.ts';
import { againLine } from './suggest.ts';

/** What is known of a run before its first check. */
export interface RunHead extends Pick<RunResult, 'tool' | 'target' | 'notices'> {
  readonly run: Extract<RunEvent, { event: 'start' }>['run'];
  /** The index, where the suite reads it. */
  readonly kept: KeptIndex;
}

/** Names a run. The index goes to a file, masked, because a large one is not held while the checks run. */
export function headOf(
  ready: RunConfig,
  { takeIndex }: Pick<Ready['preflight'], 'takeIndex'>,
  indexPath: string,
  started: Date,
): RunHead {
  const { index, text, hasLostHeaders } = takeIndex();
  const contract = contractOf(ready);
  const purpose = ready.required === undefined ? ready.purpose : 'certify';
  const redact = redactorFor(ready);
  const stamp = started.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return {
    tool: { ...productTool(), contract: contract.digest },
    target: {
      url: showBase(ready.base),
      deployment: contract.deployment,
      vocabulary: contract.vocabulary,
      ...deploymentOf(ready, dirname(indexPath)),
      index: index.digest,
      beyond: beyondOf(contract, index).map((one) => ({ ...one, namespace: redact(one.namespace) })),
      ...(ready.software !== undefined && { software: ready.software }),
      ...(ready.insecure === true && { insecure: true }),
      as: ready.user === undefined ? 'anonymous' : 'user',
      operations: placesOf(contract),
    },
    run: {
      id: `${stamp}-${randomBytes(3).toString('hex')}`,
      started: started.toISOString(),
      mode: ready.mode,
      seed: ready.seed,
      ...(purpose !== undefined && { purpose }),
      again: redact(againLine(ready, dirname(indexPath))),
      ...(ready.fuzz.replay !== true && { searches: searchesOf(ready.fuzz, redact) }),
    },
    notices: [
      ...(hasLostHeaders ? [{ id: LOST_HEADERS, message: BLANK_LINES }] : []),
      ...noticesOf(contract, index),
      ...softwareNotice(ready, index),
    ].map(({ id, message }) => ({ id: redact(id), message: redact(message) })),
    kept: keepIndex(indexPath, index.document, text, redact),
  };
}

const BLANK_LINES =
  'blank lines come before the JSON, so PHP can set neither headers nor the status of a refusal (look for them before <?php or after ?> in a plugin, the theme or wp-config.php)';

function softwareNotice({ base, software }: RunConfig, { document }: SiteIndex): Notice[] {
  const guess = software === undefined ? looksLike(surfaceOf(document, showBase(base))) : undefined;
  const message = `the index looks like ${guess}; --software names it for sure`;
  return guess === undefined ? [] : [{ id: 'software/looks-like', message }];
}

/** The parts of a composed deployment; of a file, a path that leads to it from wherever both are moved to together. */
function deploymentOf(
  { deployment, composed }: RunConfig,
  folder: string,
): Pick<RunResult['target'], 'deploymentFile' | 'composed'> {
  if (composed !== undefined) {
    return { composed: { operations: [...composed.operations], features: [...(composed.features ?? [])] } };
  }
  if (isBuiltIn(deployment)) return {};
  return { deploymentFile: relative(resolve(folder), resolve(deployment)).split(sep).join('/') };
}

/** What a later run needs to ask the same; a set in which a secret would be masked is another one. */
function searchesOf({ examples, further, kept }: FuzzOptions, redact: Redactor): SearchesOfRun {
  const known = kept.filter(
    ({ known: isKnown, args }) =>
      isKnown === true && JSON.stringify(redactJson(args, redact)) === JSON.stringify(args),
  );
  return { examples, ...(further !== undefined && { further, known }) };
}

interface KeptIndex {
  /** The file that the checks read: the index as it came. */
  readonly file: string;
  /** Takes away what is not a report. */
  release(): void;
}

/** Writes the index as a report, masked. Where that changed it, the index as it came is kept apart until `release`. */
export function keepIndex(path: string, document: unknown, text: string, redact: Redactor): KeptIndex {
  const masked = JSON.stringify(redactJson(document, redact));
  if (masked === JSON.stringify(document)) {
    writeFileSync(path, text);
    return { file: path, release: () => undefined };
  }
  // Masked value by value and written anew: masking a text could leave something that is no JSON.
  writeFileSync(path, masked);
  const folder = temporaryFolder('index');
  const file = join(folder.path, 'index.json');
  writeFileSync(file, text, { mode: 0o600 });
  return { file, release: () => folder[Symbol.dispose]() };
}
