import { classify } from '../../../client/answer.ts';
import { isObject, type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { isFinding, orAbort } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, type Found, serves } from '../../../engine/check.ts';
import { describe, inconclusive } from '../../../engine/findings.ts';
import { type BatchPart, readHints } from '../../../probing/records/own/batch-part.ts';
import {
  type Creation,
  contradicts,
  hasSlug,
  isNamedBy,
  must,
  type OwnRecord,
  recordOrAbort,
} from '../../../probing/records/own/outcome.ts';
import { ownCheck, roots } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { readInEdit, shownInList } from '../../../probing/records/own/read-in-edit.ts';
import { type Listing, listAll } from '../../../probing/records/reading/list-all.ts';
import { rawOf } from '../../../probing/records/reading/record.ts';
import { batchOperation, batchSample } from '../../../specs/find-resource.ts';
import type { Operation, Resource } from '../../../specs/model.ts';

/** The status of a part that made a record. */
const CREATED = 201;

type FoundDrafts = ReadonlyMap<string, JsonObject>;

/** The result of a batch: its answer, and the records it left. */
export interface BatchOutcome {
  readonly answer: Observation;
  readonly found: FoundDrafts;
  /** The names that several records of the trial have, by this batch or an earlier one. */
  readonly repeated: ReadonlySet<string>;
}

/** Sends batches with own records of one collection, and reads their results by a word that only they contain. */
export class BatchTrial {
  readonly own: OwnRecords;
  readonly collection: string;
  readonly #word: string;
  readonly #names = new Set<string>();
  readonly #known = new Set<number>();
  readonly #records = new Map<string, OwnRecord>();
  readonly #repeated = new Set<string>();

  constructor(own: OwnRecords, collection: string = batchSample(own.contract)?.id ?? '') {
    this.own = own;
    this.collection = collection;
    this.#word = `${own.nextSlug()}g`;
  }

  /** Sends a batch, and reads the records afterwards. @throws Aborted if that is inconclusive */
  async run(what: string, parts: readonly BatchPart[], validation?: string): Promise<BatchOutcome> {
    const requests = parts.map(
      (part): BatchPart => ({ ...part, ...(part.body !== undefined && { body: this.stated(part.body) }) }),
    );
    const answer = await this.ask({ ...(validation !== undefined && { validation }), requests });
    // Even a batch with a server error may have run, and has to be cleaned up.
    const found = await this.look(answer);
    must.conclude(what, answer);
    this.#noteRefused(answer, parts);
    return { answer, found: orAbort(found), repeated: this.#repeated };
  }

  /** Notes the creations of a batch that are said to be refused: they do not count among those of the run. */
  #noteRefused(answer: Observation, parts: readonly BatchPart[]): void {
    const hints = readHints(answer);
    for (const [at, { body }] of hints.length === parts.length ? parts.entries() : []) {
      const name = [...this.#names].find((one) => body?.slug === this.slug(one));
      const status = hints[at]?.status;
      if (name === undefined || status === undefined || this.#records.has(name)) continue;
      if (classify(status) === 'refused') this.own.noteRefusal(this.collection, this.slug(name));
    }
  }

  ask(json: unknown): Promise<Observation> {
    const route = batchOperation(this.own.contract)?.route.wire ?? '';
    return this.own.send({ method: 'POST', route, body: { json } });
  }

  /** Creates drafts in one batch, for `alone` to return; missing ones are created alone then. */
  async prepare(...names: readonly string[]): Promise<void> {
    const parts = names.map((name) => this.draft(name));
    await this.run(`a batch of ${names.length} creations`, parts);
  }

  /** Returns a draft that the tested batch does not create. */
  async alone(name: string, fields: JsonObject = {}): Promise<OwnRecord> {
    const record = this.recordOf(name) ?? (await this.create(name, fields));
    return recordOrAbort(record, 'no draft can be created without a batch');
  }

  async create(name: string, fields: JsonObject): Promise<Creation> {
    this.#names.add(name);
    const record = await this.own.create(this.collection, { ...this.#fields(name), ...fields });
    if ('id' in record) this.#keep(name, record);
    return record;
  }

  get #route(): string {
    return this.own.route(this.collection) ?? '';
  }

  path({ id }: Pick<OwnRecord, 'id'>): string {
    return this.own.routeOf({ collection: this.collection, id });
  }

  /** The slug of a record, which starts its title. @param name lower-case letters */
  slug(name: string): string {
    return `${this.#word}-${name}`;
  }

  /** A part of a batch that creates a draft, recorded in the journal. */
  draft(name: string, fields: JsonObject = {}): BatchPart {
    this.#names.add(name);
    this.own.intend(this.collection, this.slug(name));
    return { method: 'POST', path: this.#route, body: this.stated({ ...this.#fields(name), ...fields }) };
  }

  /** A part of a batch that updates an own record, and gives it a title by which `look` finds it. */
  update(name: string, path: string, fields: JsonObject): BatchPart {
    this.#names.add(name);
    return { method: 'POST', path, body: this.stated({ title: this.#fields(name).title, ...fields }) };
  }

  stated(fields: JsonObject): Record<string, unknown> {
    return this.own.stated(this.collection, fields);
  }

  recordOf(name: string): OwnRecord | undefined {
    return this.#records.get(name);
  }

  /** The ids of its own records so far. */
  get ids(): ReadonlySet<number> {
    return this.#known;
  }

  #noteUntagged(answer: Observation, id: number): void {
    const isCreated = readHints(answer).some((part) => part.status === CREATED && part.id === id);
    if (isCreated) this.own.noteUntagged(this.collection, this.#word, id);
  }

  /**
   * Reads the records and records new ones as own, also by ids in the answer of the batch.
   * @param others ids in it that are known to be of another collection
   */
  async look(answer: Observation, others: ReadonlySet<number> = new Set()): Promise<FoundDrafts | Finding> {
    const { collection } = this;
    const listing = await listAll(this.own.session, collection, { search: this.#word });
    if (isFinding(listing)) return listing;
    const found = new Map<string, JsonObject>();
    const hinted = idsNamed(answer.json).filter((id) => !others.has(id));
    for await (const { id, record, listed } of this.#candidates(listing, hinted)) {
      const name = [...this.#names].find((one) => isNamedBy(record, this.slug(one)));
      if (name === undefined) {
        this.#noteUntagged(answer, id);
        continue;
      }
      const isOfName = this.#addTo(found, name, record);
      if (this.#known.has(id)) continue;
      const claimed = await this.own.claim(collection, this.slug(name), id, answer, listed);
      const own = recordOrAbort(claimed, 'a record of a batch is not known to be own');
      if (isOfName) this.#keep(name, own);
    }
    return found;
  }

  /** What may be records of the trial: those that a list shows, those that the answer names, and known ones that the list lacks. */
  async *#candidates(listing: Exclude<Listing, Finding>, hinted: readonly number[]) {
    const { own, collection } = this;
    const records = new Map(listing.records.map((record) => [record.id, record]));
    // No list may show a record whose invalid status the site has stored.
    const strange = hinted.filter((id) => !own.session.client.ownership.owns(this.path({ id })));
    // A list that refuses a status omits the known records with it, and a search may find new ones late. Then one that
    // the site says to have deleted proves nothing by its absence.
    const isThere = ({ id }: OwnRecord): boolean => own.isThere(collection, id);
    const missing = [...this.#records.values()].filter(({ id }) => !records.has(id)).filter(isThere);
    const reads = new Map<unknown, Observation>();
    // What a deletion is not known to have removed for good may be gone: then the list is whole.
    for (const record of missing) reads.set(record.id, await own.read(record));
    const isWhole = records.size > 0 && listing.unlisted.length === 0 && !missing.some(isThere);
    const ids = [...records.keys(), ...strange, ...(isWhole ? [] : this.#known)];
    for (const id of new Set(ids.filter((one) => typeof one === 'number'))) {
      const listed = shownInList(listing, id);
      // A list that refuses the edit context shows another one.
      const record = (await this.#shown(id, listed ?? reads.get(id))) ?? records.get(id);
      if (record?.id === id) yield { id, record, listed };
    }
  }

  async #shown(id: number, known: Observation | undefined): Promise<JsonObject | undefined> {
    const { own, collection } = this;
    const read = known ?? (await readInEdit(own.session, { collection, route: this.#route, id })).read;
    return read.answer === 'accepted' && isObject(read.json) ? read.json : undefined;
  }

  /** Adds a record by its name. @returns false for what a plugin may make with the same title beside each one */
  #addTo(found: Map<string, JsonObject>, name: string, record: JsonObject): boolean {
    const isCopy = hasSlug(record, this.slug(name));
    const isFirst = !found.has(name);
    if (!isFirst && isCopy) this.#repeated.add(name);
    if (isFirst || isCopy) found.set(name, record);
    return isFirst || isCopy;
  }

  #fields(name: string): JsonObject {
    const slug = this.slug(name);
    return { title: `${slug} title`, content: '<p>of a batch</p>', status: 'draft', slug };
  }

  #keep(name: string, record: OwnRecord): void {
    this.#known.add(record.id);
    this.#records.set(name, record);
  }
}

/** The failure of a batch with a wrong effect, unless a part was throttled. @param observed the records of the site */
export function batchFailure(
  message: string,
  expected: string,
  observed: string,
  { answer }: Pick<BatchOutcome, 'answer'>,
): Finding {
  const statuses = readHints(answer).map(({ status }) => status ?? 'nothing');
  const isThrottled = statuses.some((status) => status !== 'nothing' && classify(status) === 'throttled');
  if (isThrottled) return inconclusive('a part of the batch was throttled');
  const parts = statuses.length === 0 ? '' : `, its parts with ${statuses.join(', ')}`;
  return contradicts(message, expected, `${observed}; the batch is ${describe(answer)}${parts}`, answer);
}

/** What an update changes: two fields, because a batch that loses one of them still carries the update out. */
export const changesTo = (text: string): JsonObject => ({ excerpt: text, content: `<p>${text}</p>` });

/** Whether a draft shows one of these changes. */
export function isChangedTo(draft: JsonObject | undefined, text: string): boolean {
  return Object.entries(changesTo(text)).some(([name, value]) => rawOf(draft, name) === value);
}

/** A letter for each of the first 26 records of a batch, because their names have letters alone. */
export const letterOf = (at: number): string => String.fromCharCode('a'.charCodeAt(0) + at);

export interface BatchCheck
  extends Pick<Parameters<typeof ownCheck>[0], 'title' | 'basis' | 'needs' | 'after' | 'kind'> {
  readonly word: string;
  /** The resource of the records; default: the sample. */
  readonly resource?: Resource;
  readonly run: (trial: BatchTrial) => Promise<Found>;
}

/** The check on which all other checks of batches depend. */
export const ROOT = 'one';
/** The check that a batch loses none of its requests, so that the others are about something else. */
export const EACH = 'each';
const OF_EACH: ReadonlySet<string> = new Set([ROOT, EACH]);

/** A check of batches (§4.2); it is blocked unless a batch of one request works. */
export function batchCheck(
  operation: Operation,
  sample: Resource,
  { word, kind = 'batches', needs = [], after = [], resource = sample, run, ...about }: BatchCheck,
): Check {
  return ownCheck({
    id: checkId('batch', word),
    ...about,
    section: '4.2',
    kind,
    on: operation,
    needs: [serves(operation, 'POST'), word !== ROOT && checkId('batch', ROOT), needs],
    after: [roots.finding(resource), !OF_EACH.has(word) && checkId('batch', EACH), after],
    run: (own) => run(new BatchTrial(own, resource.id)),
  });
}

/** Levels of an answer that are searched for ids: its parts, one of them, and a record in that. */
const MOST_LEVELS = 4;

/** All ids in the answer to a batch, however it wraps its parts. */
function idsNamed(json: unknown, levels: number = MOST_LEVELS): number[] {
  if (levels === 0 || typeof json !== 'object' || json === null) return [];
  const own = member(json, 'id');
  const below = Object.values(json).flatMap((one) => idsNamed(one, levels - 1));
  return typeof own === 'number' ? [own, ...below] : below;
}
