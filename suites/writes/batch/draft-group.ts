import { isObject, type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Session } from '../../../engine/session.ts';
import { listAll } from '../../../probing/records/clean-up/census.ts';
import { type BatchPart, readHints } from '../../../probing/records/own/batch-part.ts';
import { whyNot } from '../../../probing/records/own/judge-write.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../../probing/records/own/own-records.ts';
import { readInEdit } from '../../../probing/records/own/read-in-edit.ts';

/** Records of a group by the names that the group gave them. */
export type Found = ReadonlyMap<string, JsonObject>;

/** Own records of one collection that one check is about, found together by a word that they alone carry. */
export class DraftGroup {
  readonly collection: string;
  readonly word: string;
  readonly #session: Session;
  readonly #own: OwnRecords;
  readonly #names = new Set<string>();
  readonly #known = new Set<number>();
  readonly #records = new Map<string, OwnRecord>();

  constructor(session: Session, own: OwnRecords, collection: string) {
    this.#session = session;
    this.#own = own;
    this.collection = collection;
    this.word = `${own.nextSlug()}g`;
  }

  /** The route of the collection in the words of the target. */
  get route(): string {
    return this.#own.route(this.collection) ?? '';
  }

  /** The slug of a record of the group, which its title begins with. @param name lower-case letters */
  slug(name: string): string {
    return `${this.word}-${name}`;
  }

  /** A part of a batch that creates a draft, noted in the journal. */
  draft(name: string, fields: Readonly<Record<string, unknown>> = {}): BatchPart {
    this.#names.add(name);
    this.#own.intend(this.collection, this.slug(name));
    return { method: 'POST', path: this.route, body: this.stated({ ...this.#fields(name), ...fields }) };
  }

  /** Fields of a record of the group as the contract states them. */
  stated(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return this.#own.stated(this.collection, fields);
  }

  /** Creates a draft alone, without a batch. */
  async alone(name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<OwnRecord | NotCreated> {
    this.#names.add(name);
    const record = await this.#own.create(this.collection, { ...this.#fields(name), ...fields });
    if ('id' in record) this.#keep(name, record);
    return record;
  }

  /** The own record of a name, once it was created or found. */
  recordOf(name: string): OwnRecord | undefined {
    return this.#records.get(name);
  }

  /**
   * What the site holds of the group, in edit context and every status; what is new is noted as own.
   * @param answer of the batch: an id in it is looked at too, because a list may leave a record out
   */
  async look(answer: Observation): Promise<Found | { readonly reason: string }> {
    const { client, contract } = this.#session;
    const listing = await listAll(client, contract, this.collection, { search: this.word });
    if ('reason' in listing) return listing;
    const found = new Map<string, JsonObject>();
    for (const record of listing.records) await this.#note(await this.#inEdit(record), found, answer);
    for (const { id } of readHints(answer)) {
      if (id !== undefined && !this.#known.has(id)) await this.#lookAt(id, found, answer);
    }
    // A list that refuses a status leaves out the records that are known to have it.
    if (listing.unlisted.length > 0) {
      for (const id of this.#known) await this.#lookAt(id, found, answer);
    }
    return found;
  }

  /** Looks at a record that was not found yet. */
  async #lookAt(id: number, found: Map<string, JsonObject>, answer: Observation): Promise<void> {
    if ([...found.values()].some((record) => record.id === id)) return;
    const read = await this.#read(id);
    if (read !== undefined) await this.#note(read, found, answer);
  }

  /** A record as the edit context shows it; a list that refuses that context shows another. */
  async #inEdit(record: JsonObject): Promise<JsonObject> {
    const isShown = typeof member(record.title, 'raw') === 'string' || typeof record.id !== 'number';
    return isShown ? record : ((await this.#read(Number(record.id))) ?? record);
  }

  async #read(id: number): Promise<JsonObject | undefined> {
    const { collection, route } = this;
    const { read } = await readInEdit(this.#session, { collection, route, id });
    return read.answer === 'accepted' && isObject(read.json) ? read.json : undefined;
  }

  #fields(name: string): Readonly<Record<string, unknown>> {
    const slug = this.slug(name);
    return { title: `${slug} title`, content: '<p>of a batch</p>', status: 'draft', slug };
  }

  async #note(record: JsonObject, found: Map<string, JsonObject>, answer: Observation): Promise<void> {
    const name = [...this.#names].find((one) => this.#isNamed(record, one));
    const { id } = record;
    if (name === undefined || typeof id !== 'number') return;
    found.set(name, record);
    if (this.#known.has(id)) return;
    const adopted = await this.#own.adopt(this.collection, this.slug(name), id, answer);
    if ('refused' in adopted) throw whyNot(adopted, 'a record of a batch is not known to be own');
    this.#keep(name, adopted);
  }

  #keep(name: string, record: OwnRecord): void {
    this.#known.add(record.id);
    this.#records.set(name, record);
  }

  #isNamed(record: JsonObject, name: string): boolean {
    const slug = this.slug(name);
    const title = member(record.title, 'raw');
    return record.slug === slug || (typeof title === 'string' && title.startsWith(`${slug} `));
  }
}
