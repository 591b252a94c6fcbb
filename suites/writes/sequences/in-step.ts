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

/**
 * Runs sequences in parallel, which share requests. @param run finds contradictions, which the sequence alone has to
 * confirm
 */
export async function runInStep<Sequence>(
  own: OwnRecords,
  type: string,
  sequences: readonly Sequence[],
  run: (site: SequenceSite, sequence: Sequence) => Promise<Finding | undefined>,
): Promise<Finding[]> {
  const requests = new SharedRequests(own, type, sequences.length);
  const findings = await Promise.all(
    sequences.map(async (sequence, place) => {
      try {
        return await run(new SharingSite(own, type, requests, place), sequence);
      } finally {
        requests.endSequence();
      }
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

/**
 * The requests of several sequences. Once every sequence waits, one batch sends all writes or one list serves all reads,
 * whichever more sequences wait for; so what is sent never depends on timing.
 */
class SharedRequests {
  readonly #writes: Queue<readonly OwnPart[], readonly PartOutcome[]>;
  readonly #lists: Queue<readonly number[], RecordLists>;
  /** The sequences that have not ended. */
  #running: number;

  constructor(own: OwnRecords, type: string, sequences: number) {
    this.#running = sequences;
    this.#writes = new Queue(async (all) => {
      const outcomes = await writeAll(own, all.flat());
      return (parts): readonly PartOutcome[] => outcomes.splice(0, parts.length);
    });
    this.#lists = new Queue(async (all) => {
      const lists = await listRecords(own.session, type, all.flat());
      return () => lists;
    });
  }

  /** @param place the place of the sequence that waits */
  write(place: number, parts: readonly OwnPart[]): Promise<readonly PartOutcome[]> {
    return this.#sent(this.#writes.add(place, parts));
  }

  list(place: number, ids: readonly number[]): Promise<RecordLists> {
    return this.#sent(this.#lists.add(place, ids));
  }

  /** The others no longer wait for a sequence that has ended. */
  endSequence(): void {
    this.#running -= 1;
    this.#sendIfAllWait();
  }

  #sent<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#sendIfAllWait();
    return answer;
  }

  #sendIfAllWait(): void {
    const [writes, lists] = [this.#writes.size, this.#lists.size];
    if (this.#running === 0 || writes + lists < this.#running) return;
    void (writes >= lists ? this.#writes : this.#lists).send();
  }
}

/** What sequences ask for in requests of one kind, which are sent together. */
class Queue<Asked, Answer> {
  readonly #send: (all: readonly Asked[]) => Promise<(asked: Asked) => Answer>;
  readonly #waiting = new Map<number, { readonly asked: Asked } & PromiseWithResolvers<Answer>>();

  /** @param send sends all together, and returns what answers each, in turn */
  constructor(send: (all: readonly Asked[]) => Promise<(asked: Asked) => Answer>) {
    this.#send = send;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(place: number, asked: Asked): Promise<Answer> {
    const waiting = { asked, ...Promise.withResolvers<Answer>() };
    this.#waiting.set(place, waiting);
    return waiting.promise;
  }

  /** Sends what waits, in the order of the sequences. */
  async send(): Promise<void> {
    const all = [...this.#waiting].toSorted(([one], [other]) => one - other).map(([, waiting]) => waiting);
    this.#waiting.clear();
    try {
      const answerTo = await this.#send(all.map(({ asked }) => asked));
      for (const { asked, resolve } of all) resolve(answerTo(asked));
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }
}

async function writeAll(own: OwnRecords, parts: readonly OwnPart[]): Promise<PartOutcome[]> {
  const outcomes: PartOutcome[] = [];
  for (const batch of chunks(parts, MOST_PARTS)) {
    const written = own.createsByBatch ? await writeTogether(own, batch) : undefined;
    if (written === undefined) throw inconclusiveAbort('a batch of several sequences is not carried out');
    outcomes.push(...written);
  }
  return outcomes;
}

class SharingSite extends SequenceSite {
  readonly #requests: SharedRequests;
  readonly #place: number;

  constructor(own: OwnRecords, type: string, requests: SharedRequests, place: number) {
    super(own, type);
    this.#requests = requests;
    this.#place = place;
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
    return this.#requests.list(this.#place, ids);
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
    return this.#requests.write(
      this.#place,
      parts.map((part) => ({ ...part, collection: this.type })),
    );
  }
}
