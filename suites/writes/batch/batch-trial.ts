import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { cannotTell, Ended } from '../../../engine/ended.ts';
import { failure } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { batchSample } from '../../../specs/find-resource.ts';
import type { BatchPart } from '../../records/own/batch-part.ts';
import { untoldBy } from '../../records/own/judge-write.ts';
import { whyNot } from '../../records/own/not-created.ts';
import type { OwnRecord, OwnRecords } from '../../records/own/own-records.ts';
import { describeHints } from '../../records/own/read-hints.ts';
import { DraftGroup, type Found } from './draft-group.ts';

/** What a batch has left on the site. */
export interface BatchOutcome {
  readonly answer: Observation;
  readonly found: Found;
}

/** Batches of own records of one collection, and what they leave. Whatever cannot be judged is thrown as `Ended`. */
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
   * @throws Ended when the server fails, does not let this user in, or shows nothing
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
   * @throws Ended as `run` does
   */
  async send(what: string, requests: unknown, validation?: string): Promise<BatchOutcome> {
    const json = { ...(validation !== undefined && { validation }), requests };
    const answer = await this.session.client.request({
      method: 'POST',
      route: this.session.operation('batch.run')?.route.wire ?? '',
      body: { json },
      as: 'user',
      intent: 'own-record',
    });
    // Also one that made the server fail may have been carried out, and has to be cleaned up.
    const found = await this.group.look(answer);
    const finding = untoldBy(what, answer);
    if (finding !== undefined) throw new Ended(finding);
    if ('reason' in found) throw cannotTell(found.reason);
    return { answer, found };
  }

  /** A draft that was created without a batch. @throws Ended when it was not */
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
