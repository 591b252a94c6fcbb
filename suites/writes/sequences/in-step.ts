import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { inconclusiveAbort } from '../../../engine/findings.ts';
import type { Writing } from '../../../generators/command-sequences.ts';
import { type BatchPart, chunks, MOST_PARTS } from '../../../probing/records/own/batch-part.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  type OwnPart,
  type PartOutcome,
  writeTogether,
} from '../../../probing/records/own/write-together.ts';
import type { BatchTrial } from '../batch/batch-trial.ts';
import { listRecords, type RecordLists, SequenceSite } from './sequence-site.ts';

/** What a sequence waits for: that its writes are sent, or that its records are listed. */
type Wish = { readonly fail: (error: unknown) => void } & (
  | { readonly parts: readonly OwnPart[]; readonly done: (outcomes: readonly PartOutcome[]) => void }
  | { readonly ids: readonly number[]; readonly done: (lists: RecordLists) => void }
);

/**
 * Runs sequences in step: once each of them waits, one batch writes what they want to write, or, where more of them want to
 * look, one look lists what they want to see. What each asks for decides that, and no clock: every run sends the same.
 * @param run runs a sequence on a site of its own; what contradicts it there is to be shown by the sequence alone
 * @returns what `run` finds of each that does not hold
 */
export async function runInStep<Sequence>(
  own: OwnRecords,
  type: string,
  sequences: readonly Sequence[],
  run: (site: SequenceSite, sequence: Sequence) => Promise<Finding | undefined>,
): Promise<Finding[]> {
  const steps = new Steps(own, type, sequences.length);
  const findings = await Promise.all(
    sequences.map(async (sequence, at) => {
      try {
        return await run(new SiteInStep(own, type, (wish) => steps.wait(at, wish)), sequence);
      } finally {
        steps.end();
      }
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

class Steps {
  readonly #own: OwnRecords;
  readonly #type: string;
  /** By the number of the sequence. */
  readonly #wishes = new Map<number, Wish>();
  #going: number;

  constructor(own: OwnRecords, type: string, sequences: number) {
    this.#own = own;
    this.#type = type;
    this.#going = sequences;
  }

  wait(sequence: number, wish: Wish): void {
    this.#wishes.set(sequence, wish);
    this.#step();
  }

  /** One of the sequences is over. */
  end(): void {
    this.#going -= 1;
    this.#step();
  }

  #step(): void {
    if (this.#wishes.size < this.#going || this.#going === 0) return;
    const wishes = [...this.#wishes].toSorted(([one], [other]) => one - other);
    const { writing = [], looking = [] } = Object.groupBy(wishes, ([, wish]) =>
      'parts' in wish ? 'writing' : 'looking',
    );
    const next = writing.length >= looking.length ? writing : looking;
    for (const [sequence] of next) this.#wishes.delete(sequence);
    const due = next.map(([, wish]) => wish);
    this.#fulfil(due).catch((error: unknown) => {
      for (const { fail } of due) fail(error);
    });
  }

  async #fulfil(wishes: readonly Wish[]): Promise<void> {
    const parts = wishes.flatMap((wish) => ('parts' in wish ? wish.parts : []));
    const ids = wishes.flatMap((wish) => ('ids' in wish ? wish.ids : []));
    const outcomes = await this.#write(parts);
    const lists = parts.length > 0 ? undefined : await listRecords(this.#own.session, this.#type, ids);
    for (const wish of wishes) {
      if ('parts' in wish) wish.done(outcomes.splice(0, wish.parts.length));
      else if (lists !== undefined) wish.done(lists);
    }
  }

  async #write(parts: readonly OwnPart[]): Promise<PartOutcome[]> {
    const outcomes: PartOutcome[] = [];
    for (const some of chunks(parts, MOST_PARTS)) {
      const written = await writeTogether(this.#own, some);
      if (written === undefined) throw inconclusiveAbort('a batch of several sequences is not carried out');
      outcomes.push(...written);
    }
    return outcomes;
  }
}

/** The site as a sequence sees it that goes on in step with others. */
class SiteInStep extends SequenceSite {
  readonly #wait: (wish: Wish) => void;

  constructor(own: OwnRecords, type: string, wait: (wish: Wish) => void) {
    super(own, type);
    this.#wait = wait;
  }

  override async create(fields: Writing): Promise<OwnRecord | NotCreated> {
    const { own, type } = this;
    const slug = own.nextSlug();
    own.intend(type, slug);
    const body = own.bodyOf(type, slug, { ...fields });
    const made = await this.#one({ method: 'POST', path: own.route(type) ?? '', body }, slug);
    return 'id' in made ? made : { refused: made };
  }

  override update(record: OwnRecord, fields: Writing): Promise<Observation> {
    const body = this.own.stated(this.type, { ...fields });
    return this.#answer({ method: 'POST', path: this.#path(record), body });
  }

  override remove(record: OwnRecord, force?: true): Promise<Observation> {
    const path = `${this.#path(record)}${force === true ? '?force=true' : ''}`;
    return this.#answer({ method: 'DELETE', path });
  }

  override async sendBatch(
    { group }: BatchTrial,
    parts: readonly BatchPart[],
    made: ReadonlyMap<BatchPart, string>,
  ): Promise<ReadonlyMap<string, OwnRecord>> {
    const outcomes = await this.#write(
      parts.map((part) => {
        const name = made.get(part);
        const body = part.body === undefined ? undefined : group.stated(part.body);
        return { ...part, ...(body && { body }), ...(name !== undefined && { slug: group.slug(name) }) };
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

  #path({ id }: OwnRecord): string {
    return `${this.own.route(this.type)}/${id}`;
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
