import type { Observation } from '../../../client/observation.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import type { Writing } from '../../../generators/command-sequences.ts';
import { type BatchPart, chunks, MOST_PARTS } from '../../../probing/records/own/batch-part.ts';
import type { Creation, OwnRecord } from '../../../probing/records/own/outcome.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  type OwnPart,
  type PartOutcome,
  writeTogether,
} from '../../../probing/records/own/write-together.ts';
import type { BatchTrial } from '../batch/batch-trial.ts';
import { listRecords, type RecordLists, SequenceSite } from './sequence-site.ts';

/** What a sequence waits for: writes to be sent, or records to be listed. */
type Pending = { readonly fail: (error: unknown) => void } & (
  | { readonly parts: readonly OwnPart[]; readonly done: (outcomes: readonly PartOutcome[]) => void }
  | { readonly ids: readonly number[]; readonly done: (lists: RecordLists) => void }
);

/**
 * Runs sequences in parallel: once all wait, one batch sends the writes or one list serves the reads, whichever are
 * more, and never by timing. @param run finds contradictions, which the sequence alone has to confirm
 */
export async function runInStep<Sequence>(
  own: OwnRecords,
  type: string,
  sequences: readonly Sequence[],
  run: (site: SequenceSite, sequence: Sequence) => Promise<Finding | undefined>,
): Promise<Finding[]> {
  const shared = shareRequests(own, type, sequences.length);
  const findings = await Promise.all(
    sequences.map(async (sequence, at) => {
      try {
        return await run(new SharingSite(own, type, (pending) => shared.wait(at, pending)), sequence);
      } finally {
        shared.end();
      }
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

function shareRequests(own: OwnRecords, type: string, sequences: number) {
  const waiting = new Map<number, Pending>();
  let active = sequences;
  const write = async (parts: readonly OwnPart[]): Promise<PartOutcome[]> => {
    const outcomes: PartOutcome[] = [];
    for (const some of chunks(parts, MOST_PARTS)) {
      const written = own.createsByBatch ? await writeTogether(own, some) : undefined;
      if (written === undefined) throw inconclusiveAbort('a batch of several sequences is not carried out');
      outcomes.push(...written);
    }
    return outcomes;
  };
  const send = async (pending: readonly Pending[]): Promise<void> => {
    const parts = pending.flatMap((one) => ('parts' in one ? one.parts : []));
    const ids = pending.flatMap((one) => ('ids' in one ? one.ids : []));
    const outcomes = await write(parts);
    const lists = parts.length > 0 ? undefined : await listRecords(own.session, type, ids);
    for (const one of pending) {
      if ('parts' in one) one.done(outcomes.splice(0, one.parts.length));
      else if (lists !== undefined) one.done(lists);
    }
  };
  const sendNext = (): void => {
    if (waiting.size < active || active === 0) return;
    const pending = [...waiting].toSorted(([one], [other]) => one - other);
    const { writing = [], reading = [] } = Object.groupBy(pending, ([, one]) =>
      'parts' in one ? 'writing' : 'reading',
    );
    const next = writing.length >= reading.length ? writing : reading;
    for (const [sequence] of next) waiting.delete(sequence);
    const due = next.map(([, one]) => one);
    send(due).catch((error: unknown) => {
      for (const { fail } of due) fail(error);
    });
  };
  return {
    wait(sequence: number, pending: Pending): void {
      waiting.set(sequence, pending);
      sendNext();
    },
    end(): void {
      active -= 1;
      sendNext();
    },
  };
}

/** The site for one of several sequences that share requests. */
class SharingSite extends SequenceSite {
  readonly #wait: (pending: Pending) => void;

  constructor(own: OwnRecords, type: string, wait: (pending: Pending) => void) {
    super(own, type);
    this.#wait = wait;
  }

  override async create(fields: Writing): Promise<Creation> {
    const { own, type } = this;
    const slug = own.nextSlug();
    own.intend(type, slug);
    const body = own.bodyOf(type, slug, { ...(await this.beside()), ...fields });
    const made = await this.#one({ method: 'POST', path: own.route(type) ?? '', body }, slug);
    return 'id' in made ? made : { created: made };
  }

  override update(record: OwnRecord, fields: Writing): Promise<Observation> {
    const body = this.own.stated(this.type, { ...fields });
    return this.#answer({ method: 'POST', path: this.own.routeOf(record), body });
  }

  override remove(record: OwnRecord, force?: true): Promise<Observation> {
    const path = `${this.own.routeOf(record)}${force === true ? '?force=true' : ''}`;
    return this.#answer({ method: 'DELETE', path });
  }

  override async sendBatch(
    trial: BatchTrial,
    parts: readonly BatchPart[],
    made: ReadonlyMap<BatchPart, string>,
  ): Promise<ReadonlyMap<string, OwnRecord>> {
    const outcomes = await this.#write(
      parts.map((part) => {
        const name = made.get(part);
        const body = part.body === undefined ? undefined : trial.stated(part.body);
        return { ...part, ...(body && { body }), ...(name !== undefined && { slug: trial.slug(name) }) };
      }),
    );
    return new Map(
      parts.flatMap((part, at) => {
        const [name, outcome] = [made.get(part), outcomes[at]];
        return name !== undefined && outcome !== undefined && 'id' in outcome ? [[name, outcome]] : [];
      }),
    );
  }

  override lists(ids: readonly number[]): Promise<RecordLists> {
    return new Promise((done, fail) => this.#wait({ ids, done, fail }));
  }

  async #answer(part: BatchPart): Promise<Observation> {
    const outcome = await this.#one(part);
    return 'id' in outcome ? outcome.created : outcome;
  }

  async #one(part: BatchPart, slug?: string): Promise<NonNullable<PartOutcome>> {
    const [outcome] = await this.#write([{ ...part, ...(slug !== undefined && { slug }) }]);
    if (outcome === undefined)
      throw inconclusiveAbort('a batch of several sequences does not say what it did');
    return outcome;
  }

  #write(parts: readonly Omit<OwnPart, 'collection'>[]): Promise<readonly PartOutcome[]> {
    const own = parts.map((part) => ({ ...part, collection: this.type }));
    return new Promise((done, fail) => this.#wait({ parts: own, done, fail }));
  }
}
