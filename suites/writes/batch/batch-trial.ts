import type { Observation } from '../../../client/observation.ts';
import { Aborted, cannotTell } from '../../../engine/aborted.ts';
import { type Check, type CheckSpec, checkId, type Finding, serves } from '../../../engine/check.ts';
import { failure } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { type BatchPart, describeHints } from '../../../probing/records/own/batch-part.ts';
import { untoldBy, whyNot } from '../../../probing/records/own/judge-write.ts';
import { ownCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecord, OwnRecords } from '../../../probing/records/own/own-records.ts';
import { batchOperation, batchSample } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { DraftGroup, type Found } from './draft-group.ts';

/** What a batch has left on the site. */
export interface BatchOutcome {
  readonly answer: Observation;
  readonly found: Found;
}

/** Batches of own records of one collection, and what they leave. Whatever cannot be judged is thrown as `Aborted`. */
export class BatchTrial {
  readonly session: Session;
  readonly own: OwnRecords;
  readonly group: DraftGroup;

  /** @param collection whose records they are; those of the sample unless told */
  constructor(
    session: Session,
    own: OwnRecords,
    collection: string = batchSample(session.contract)?.id ?? '',
  ) {
    this.session = session;
    this.own = own;
    this.group = new DraftGroup(session, own, collection);
  }

  /**
   * Sends a batch, and looks at what the site holds of the group afterwards.
   * @param what the batch, for the beginning of a sentence
   * @throws Aborted when the server fails, does not let this user in, or shows nothing
   */
  run(what: string, parts: readonly BatchPart[], validation?: string): Promise<BatchOutcome> {
    const stated = parts.map(
      (part): BatchPart => ({
        ...part,
        ...(part.body !== undefined && { body: this.group.stated(part.body) }),
      }),
    );
    return this.send(what, stated, validation);
  }

  /**
   * Sends whatever stands for the requests of a batch, right or not, and looks as `run` does.
   * @throws Aborted as `run` does
   */
  async send(what: string, requests: unknown, validation?: string): Promise<BatchOutcome> {
    const json = { ...(validation !== undefined && { validation }), requests };
    const answer = await this.session.client.request({
      method: 'POST',
      route: batchOperation(this.session.contract)?.route.wire ?? '',
      body: { json },
      as: 'user',
      intent: 'own-record',
    });
    // Also one that made the server fail may have been carried out, and has to be cleaned up.
    const found = await this.group.look(answer);
    const finding = untoldBy(what, answer);
    if (finding !== undefined) throw new Aborted(finding);
    if ('reason' in found) throw cannotTell(found.reason);
    return { answer, found };
  }

  /** A draft that was created without a batch. @throws Aborted when it was not */
  async alone(name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<OwnRecord> {
    const record = await this.group.alone(name, fields);
    if ('id' in record) return record;
    throw whyNot(record, 'no draft can be created without a batch');
  }

  /** The path of an own record of the group. */
  path({ id }: OwnRecord): string {
    return `${this.group.route}/${id}`;
  }
}

/** The finding of a batch that left the site otherwise than it must. @param observed what the site holds */
export function batchFailure(
  message: string,
  expected: string,
  observed: string,
  { answer }: BatchOutcome,
): Finding {
  return failure(message, {
    expected,
    observed: `${observed}; the batch is ${describe(answer)}${describeHints(answer)}`,
    reproduce: [answer.curl],
  });
}

/** What one check of batches says and does. */
export interface BatchCheck
  extends Pick<CheckSpec, 'title' | 'basis' | 'needs' | 'after'>,
    Partial<Pick<CheckSpec, 'kind'>> {
  /** The last part of its id. */
  readonly word: string;
  /** Whose records it is about; those of the sample unless told. */
  readonly collection?: string;
  readonly run: (trial: BatchTrial) => Promise<readonly Finding[]>;
}

/** The check that all others of batches depend on. */
export const ROOT = 'one';

/** A check of batches (§4.2): it tells nothing unless a batch of one request works. */
export function batchCheck(
  operation: Operation,
  { word, kind = 'batches', needs = [], collection, run, ...about }: BatchCheck,
): Check {
  return ownCheck({
    id: checkId('batch', word),
    ...about,
    section: '4.2',
    kind,
    on: operation,
    needs: [serves(operation, 'POST'), ...(word === ROOT ? [] : [checkId('batch', ROOT)]), ...needs],
    run: (session, own) => run(new BatchTrial(session, own, collection)),
  });
}
