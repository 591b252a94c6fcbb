import type { Observation } from '../../../client/observation.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import type { Writing } from '../../../generators/command-sequences.ts';
import { type BatchPart, chunks, MOST_PARTS } from '../../../probing/records/own/batch-part.ts';
import type { Creation, OwnRecord } from '../../../probing/records/own/outcome.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { OwnPart, PartOutcome } from '../../../probing/records/own/write-together.ts';
import { writeTogether } from '../../../probing/records/own/write-together.ts';
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
  const requests = sharedRequests(own, type, sequences.length);
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
function sharedRequests(own: OwnRecords, type: string, sequences: number) {
  /** The sequences that have not ended. */
  let running = sequences;
  const sendIfAllWait = (): void => {
    if (running > 0 && writes.size + lists.size >= running)
      void (writes.size >= lists.size ? writes : lists).send();
  };
  const writes = new Queue<readonly OwnPart[], readonly PartOutcome[]>(async (all) => {
    const outcomes = await writeAll(own, all.flat());
    return (parts) => outcomes.splice(0, parts.length);
  }, sendIfAllWait);
  const lists = new Queue<readonly number[], RecordLists>(async (all) => {
    const shown = await listRecords(own.session, type, all.flat());
    return () => shown;
  }, sendIfAllWait);
  /** The others no longer wait for a sequence that has ended. */
  const endSequence = (): void => {
    running -= 1;
    sendIfAllWait();
  };
  return { writes, lists, endSequence };
}

/** What sequences ask for in requests of one kind, which are sent together. */
class Queue<Asked, Answer> {
  readonly #send: (all: readonly Asked[]) => Promise<(asked: Asked) => Answer>;
  readonly #added: () => void;
  readonly #waiting = new Map<number, { readonly asked: Asked } & PromiseWithResolvers<Answer>>();

  /** @param send sends all together, and returns what answers each, in turn; @param added called for each that waits */
  constructor(send: (all: readonly Asked[]) => Promise<(asked: Asked) => Answer>, added: () => void) {
    this.#send = send;
    this.#added = added;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** @param place the place of the sequence that waits */
  add(place: number, asked: Asked): Promise<Answer> {
    const waiting = { asked, ...Promise.withResolvers<Answer>() };
    this.#waiting.set(place, waiting);
    this.#added();
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
  readonly #requests: ReturnType<typeof sharedRequests>;
  readonly #place: number;

  constructor(own: OwnRecords, type: string, requests: ReturnType<typeof sharedRequests>, place: number) {
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
    const stated = parts.map((part) => {
      const name = made.get(part);
      const body = part.body && trial.stated(part.body);
      return { ...part, ...(body && { body }), ...(name !== undefined && { slug: trial.slug(name) }) };
    });
    const outcomes = await this.#write(stated);
    const records = parts.flatMap((part, at): [string, OwnRecord][] => {
      const [name, outcome] = [made.get(part), outcomes[at]];
      return name !== undefined && outcome !== undefined && 'id' in outcome ? [[name, outcome]] : [];
    });
    return new Map(records);
  }

  override lists(ids: readonly number[]): Promise<RecordLists> {
    return this.#requests.lists.add(this.#place, ids);
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
    return this.#requests.writes.add(
      this.#place,
      parts.map((part) => ({ ...part, collection: this.type })),
    );
  }
}
