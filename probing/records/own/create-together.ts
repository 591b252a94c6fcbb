import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import type { Session } from '../../../engine/session.ts';
import { batchOperation, operationFor } from '../../../specs/find-resource.ts';
import { readHints } from './batch-part.ts';
import type { NotCreated, OwnRecord, OwnRecords } from './own-records.ts';
import { shownValue, writableFields } from './writable-fields.ts';

/** A creation that is to go into a batch. */
export interface PartCreation {
  readonly collection: Collection;
  readonly slug: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What came of a part: its record, the status with which it was refused, or neither where nothing is known. */
type PartOutcome = OwnRecord | { readonly status: number } | undefined;

/** Whether records of a collection may be created in a batch. */
export function isBatchable({ contract }: Session, collection: Collection): boolean {
  const hasBatch = batchOperation(contract) !== undefined;
  return hasBatch && operationFor(contract, collection, 'create')?.batchable === true;
}

/**
 * Creates own records with one request, each in the journal before it is sent and shown to be own by one list.
 * @param creations at most as many as a batch takes
 * @returns what came of each, in their order; undefined where the site does not run the batch, or does not say what it did
 * @throws Aborted where nothing may be written
 */
export async function createTogether(
  session: Session,
  own: OwnRecords,
  creations: readonly PartCreation[],
): Promise<readonly PartOutcome[] | undefined> {
  for (const { collection, slug } of creations) own.intend(collection, slug);
  const answer = await session.client.request({
    method: 'POST',
    route: batchOperation(session.contract)?.route.wire ?? '',
    body: {
      json: {
        requests: creations.map(({ collection, body }) => ({
          method: 'POST',
          path: own.route(collection) ?? '',
          body,
        })),
      },
    },
    as: 'user',
    intent: 'own-record',
  });
  const hints = readHints(answer);
  if (answer.answer !== 'accepted' || hints.length !== creations.length) {
    if (answer.answer === 'refused' || answer.answer === 'denied') {
      for (const { collection, slug } of creations) own.declined(collection, slug);
    }
    return undefined;
  }
  const outcomes = new Map<string, PartOutcome>();
  const made = creations.flatMap(({ collection, slug }, at) => {
    const { status = 0, id, body } = hints[at] ?? {};
    if (status >= 200 && status < 300 && id !== undefined) {
      return [{ collection, slug, id, created: partOf(answer, status, body) }];
    }
    if (status < 400 || status >= 500) return [];
    own.declined(collection, slug);
    outcomes.set(slug, { status });
    return [];
  });
  for (const [collection, some] of Map.groupBy(made, (one) => one.collection)) {
    for (const record of await own.adoptAll(collection, some)) {
      if ('id' in record) outcomes.set(record.slug, record);
    }
  }
  return creations.map(({ slug }) => outcomes.get(slug));
}

/** The answer to a part, as the same request alone would have had it. */
function partOf(answer: Observation, status: number, json: unknown): Observation {
  return { ...answer, status, json, text: JSON.stringify(json) };
}

/** Drafts that a batch makes at a time, first and later: what nobody takes has to be removed again. */
const SIZES = { first: 4, later: 8 };

/**
 * A new draft with nothing but text, for whoever needs one and does not look at its creation. The first of a collection is
 * created alone; once more are needed, batches make them, for as long as a draft of a batch shows the same fields as that one.
 */
export async function newDraft(
  session: Session,
  own: OwnRecords,
  collection: Collection,
): Promise<OwnRecord | NotCreated> {
  return (await stockOf(session, own, collection)).take();
}

const stockOf: Fixture<DraftStock, [own: OwnRecords, collection: Collection]> = fixture(
  'own drafts',
  async (session, own, collection) => new DraftStock(session, own, collection),
);

/** The drafts of one batch; none where the site does not make each of them, and makes it as the one that was created alone. */
const draftsOf = fixture(
  'own drafts {} {}',
  async (session, own: OwnRecords, alone: OwnRecord, _round: number, size: number): Promise<OwnRecord[]> => {
    const { collection } = alone;
    const creations = Array.from({ length: size }, (): PartCreation => {
      const slug = own.nextSlug();
      return { collection, slug, body: own.bodyOf(collection, slug) };
    });
    const made = (await createTogether(session, own, creations)) ?? [];
    const drafts = made.filter((one) => one !== undefined && 'id' in one);
    const areEqual = drafts.length === size && drafts.every((draft) => showsAlike(session, draft, alone));
    return areEqual ? drafts : [];
  },
  (own, { collection }, round) => [own, collection, round],
);

/** Whether two records of nothing but text show the same fields, but for their slugs and moments. */
function showsAlike({ contract }: Session, one: OwnRecord, other: OwnRecord): boolean {
  const create = operationFor(contract, one.collection, 'create');
  const fields = (create === undefined ? [] : writableFields(create)).filter(
    ({ schema }) => schema.format !== 'date-time',
  );
  const shown = ({ read, slug }: OwnRecord): unknown => {
    const values = fields.map((field) => shownValue(read.json, field) ?? null);
    return JSON.parse(JSON.stringify(values).replaceAll(slug, 'slug'));
  };
  return sameMeaning(shown(one), shown(other));
}

/** The drafts of a collection that nobody has taken. */
class DraftStock {
  readonly #session: Session;
  readonly #own: OwnRecords;
  readonly #collection: Collection;
  #drafts: OwnRecord[] = [];
  #alone: OwnRecord | undefined;
  #round = 0;
  #isBatched: boolean;
  #filling: Promise<void> = Promise.resolve();

  constructor(session: Session, own: OwnRecords, collection: Collection) {
    this.#session = session;
    this.#own = own;
    this.#collection = collection;
    this.#isBatched = isBatchable(session, collection);
  }

  async take(): Promise<OwnRecord | NotCreated> {
    if (this.#alone !== undefined && this.#isBatched) {
      const filling = this.#filling.then(() => this.#fill());
      this.#filling = filling.catch(() => undefined);
      await filling;
    }
    const draft = this.#drafts.shift() ?? (await this.#own.create(this.#collection));
    if ('id' in draft) this.#alone ??= draft;
    return draft;
  }

  async #fill(): Promise<void> {
    if (this.#drafts.length > 0 || !this.#isBatched || this.#alone === undefined) return;
    const size = Math.min(this.#round === 0 ? SIZES.first : SIZES.later, this.#own.left(this.#collection));
    if (size < 2) return;
    this.#round += 1;
    this.#drafts = [...(await draftsOf(this.#session, this.#own, this.#alone, this.#round, size))];
    this.#isBatched = this.#drafts.length > 0;
  }
}
