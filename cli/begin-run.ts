import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { showBase } from '../client/address.ts';
import { holdsSecret, type Redactor, redactJson, redactorFor } from '../client/redact.ts';
import type { FuzzOptions, SearchesOfRun } from '../engine/fuzz-options.ts';
import type { OperationPlace, RunEvent, RunResult } from '../engine/result.ts';
import type { ContractOptions } from '../specs/contract.ts';
import { type DeploymentFile, isBuiltIn } from '../specs/deployment.ts';
import type { Contract } from '../specs/model.ts';
import { beyondOf, noticesOf } from '../suites/index/notices.ts';
import { contractOf, type RunConfig } from '../suites/run.ts';
import type { Preflight } from './ready-target.ts';
import { againLine, lasting, reachedOf } from './suggest.ts';
import { productVersion } from './version.ts';
import { beginWriting, type WritingRun } from './writing-run.ts';

/** What is known of a run before its first check. */
export interface RunHead extends Pick<RunResult, 'tool' | 'target' | 'notices'> {
  readonly run: Extract<RunEvent, { event: 'start' }>['run'];
  /** The index, where the suite reads it. */
  readonly kept: KeptIndex;
}

/**
 * Names a run. The index is written to a file and let go of here: a large one is not held while the checks run.
 * @param indexPath where the index goes, masked
 */
export function headOf(
  ready: RunConfig,
  { takeIndex }: Pick<Preflight, 'takeIndex'>,
  indexPath: string,
  started: Date,
): RunHead {
  const { index, text } = takeIndex();
  const contract = contractOf(ready);
  const purpose = ready.required === undefined ? ready.purpose : 'certify';
  const redact = redactorFor(ready);
  const stamp = started.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return {
    tool: { name: 'site-conformance', version: productVersion(), contract: contract.digest },
    target: {
      url: showBase(ready.base),
      deployment: contract.deployment,
      vocabulary: contract.vocabulary,
      ...deploymentFileOf(ready, dirname(indexPath)),
      ...(ready.composed !== undefined && { composed: partsOf(ready.composed) }),
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
    notices: noticesOf(contract, index).map(({ id, message }) => ({
      id: redact(id),
      message: redact(message),
    })),
    kept: keepIndex(indexPath, index.document, text, redact),
  };
}

/** A path that leads to the file from wherever both are moved to together. */
function deploymentFileOf(
  { deployment, composed }: RunConfig,
  folder: string,
): Pick<RunResult['target'], 'deploymentFile'> {
  if (composed !== undefined || isBuiltIn(deployment)) return {};
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

function partsOf({
  operations,
  features = [],
}: DeploymentFile): NonNullable<RunResult['target']['composed']> {
  return { operations: [...operations], features: [...features] };
}

function placesOf({ namespaces, operations }: Contract): Record<string, OperationPlace> {
  const wires = new Map(namespaces.map(({ name, wire }) => [name, wire]));
  return Object.fromEntries(
    operations.map(({ id, route, methods, parameters }) => {
      const namespace = wires.get(route.namespace) ?? route.namespace;
      const other = parameters.filter(({ name, wire }) => name !== wire);
      const words = Object.fromEntries(other.map(({ name, wire }) => [name, wire]));
      return [id, { namespace, route: route.wire, methods, ...(other.length > 0 && { words }) }];
    }),
  );
}

/**
 * Prepares the writing of a run, where its mode and its user let it write. Where that fails, the index is released.
 * @param folder keeps the journals; an embedded target needs none, because nothing outlives it
 * @param say says one line to the user
 */
export async function writingOf(
  ready: RunConfig,
  { target, run, kept }: RunHead,
  folder: string,
  say: (line: string) => void,
): Promise<WritingRun | undefined> {
  try {
    return await beginWriting({
      config: ready,
      folder: ready.embedded ? undefined : folder,
      about: {
        run: run.id,
        target: target.url,
        user: ready.user,
        reached: reachedOf(ready),
        started: run.started,
        source: sourceOf(ready),
      },
      say,
    });
  } catch (error) {
    kept.release();
    throw error;
  }
}

/** What the contract of a run is loaded from, wherever the next command is started. */
function sourceOf({ deployment, vocabulary, composed }: RunConfig): ContractOptions {
  return {
    deployment: lasting(deployment),
    vocabulary: lasting(vocabulary),
    ...(composed !== undefined && { composed }),
  };
}

/** The index of a run on the disk. */
interface KeptIndex {
  /** The file that the checks read: the index as it came. */
  readonly file: string;
  /** Takes away what is not a report. */
  release(): void;
}

/**
 * Writes the index as a report, masked. What is judged is the index as it came: where masking changed anything, that is
 * kept apart in a file of this user alone, until `release`.
 * @param path where the report goes
 * @param document what `text` was parsed to
 */
export function keepIndex(path: string, document: unknown, text: string, redact: Redactor): KeptIndex {
  if (!holdsSecret(document, redact)) {
    writeFileSync(path, text);
    return { file: path, release: () => undefined };
  }
  // Masked value by value and written anew: masking a text could leave something that is no JSON.
  writeFileSync(path, JSON.stringify(redactJson(document, redact)));
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-index-'));
  const file = join(folder, 'index.json');
  writeFileSync(file, text, { mode: 0o600 });
  return { file, release: () => rmSync(folder, { recursive: true, force: true }) };
}
