import { saysGone } from '../../../client/answer.ts';
import type { Journal } from '../../../client/journal.ts';
import { asObject, type JsonObject, member } from '../../../client/json.ts';
import type { Method, Observation, RequestBody, RequestSpec } from '../../../client/observation.ts';
import { type Collection, isRoute, type PriorRecords } from '../../../client/ownership.ts';
import { Aborted, inconclusiveAbort, isFinding, orAbort } from '../../../engine/aborted.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { blocked } from '../../../engine/findings.ts';
import type { Caller, JournalPlace, Session } from '../../../engine/session.ts';
import { encodeArgs, type Pair } from '../../../generators/wire-forms.ts';
import {
  batchOperation,
  collectionsOf,
  findResource,
  isDescribed,
  operationFor,
} from '../../../specs/find-resource.ts';
import type { Context, Contract } from '../../../specs/model.ts';
import { carriesTag } from '../reading/record.ts';
import { deletedBy, isDeletionDenied, isMethodStopped, permanentDeletion } from './batch-part.ts';
import { type FileKind, formBody, rawBody } from './file-bytes.ts';
import { Ledger } from './ledger.ts';
import type { Creation, OwnRecord } from './outcome.ts';
import { proveOwn, readInEdit, takenId } from './read-in-edit.ts';
import { asStated, isTagged, taggedFields, type WritableField, writableFields } from './writable-fields.ts';

/**
 * Creates, changes and removes the run's own records. Every creation is in the journal before it is sent, and carries
 * the run's tag in slug and title; changes and deletions reach own records only. A record is own when its id was not there
 * before the run nor made before in it, and a fresh read by that id, or a fresh list of such ids, shows the tag.
 */
export class OwnRecords {
  /** Who looks at them; all sessions of a run share the records. */
  readonly session: Session;
  readonly #ledger: Ledger;

  constructor(session: Session, ledger: Ledger) {
    this.session = session;
    this.#ledger = ledger;
  }

  /** The own records of a run that begins. @param prior the records that were there before it */
  static begin(
    session: Session,
    journal: Journal,
    place: Omit<JournalPlace, 'path'>,
    prior: PriorRecords,
  ): OwnRecords {
    const own = new OwnRecords(session, new Ledger(session.contract, journal, place, prior));
    const { ownership } = session.client;
    ownership.batchesAt(batchOperation(session.contract)?.route.wire);
    for (const { id: collection } of collectionsOf(session.contract)) {
      const route = own.route(collection);
      if (route === undefined) continue;
      ownership.keepOff(route, (id) => prior.has(collection, id));
      // A record cannot be proven new if the earlier ones are unknown.
      if (prior.whyUnknown(collection) === undefined) ownership.mayCreateIn(route);
    }
    return own;
  }

  seenBy(session: Session): OwnRecords {
    return session === this.session ? this : new OwnRecords(session, this.#ledger);
  }

  get contract(): Contract {
    return this.session.contract;
  }

  /** The fields that a new record of a collection may have. */
  fieldsOf(collection: Collection): WritableField[] {
    const create = operationFor(this.contract, collection, 'create');
    return create === undefined ? [] : writableFields(create);
  }

  get tag(): string {
    return this.#ledger.place.tag;
  }

  /** Opens a collection that the contract does not have. @param ids all that it holds now @throws Aborted */
  open(route: string, ids: readonly number[]): void {
    const count = { ids };
    const { prior } = this.#ledger;
    const { ownership } = this.session.client;
    this.#ledger.append({ entry: 'census', collection: route, count });
    prior.add(route, count);
    ownership.keepOff(route, (id) => prior.has(route, id));
    ownership.mayCreateIn(route);
  }

  /** The route of a collection in the target's words; undefined when the contract does not have it. */
  route(collection: Collection): string | undefined {
    if (isRoute(collection)) return collection;
    return operationFor(this.contract, collection, 'create')?.route.wire;
  }

  routeOf({ collection, id }: Pick<OwnRecord, 'collection' | 'id'>): string {
    return `${this.route(collection)}/${id}`;
  }

  /** Fields of a record, or of its autosave, as the contract states them; see `asStated`. */
  stated(collection: Collection, fields: JsonObject): Record<string, unknown> {
    return asStated(this.contract, collection, fields);
  }

  /** A slug that nothing else on the site has, with the run's tag in it. */
  nextSlug(): string {
    const { place } = this.#ledger;
    this.#ledger.slugs += 1;
    return place.nextSlug?.() ?? `${place.tag}-${this.#ledger.slugs}`;
  }

  /** Creates a record, as a draft unless the fields say otherwise; for files see `upload`. */
  async create(collection: Collection, fields: JsonObject = {}): Promise<Creation> {
    const { slug: given } = fields;
    const slug = typeof given === 'string' && given.includes(this.tag) ? given : this.nextSlug();
    return this.#sendCreation(collection, slug, { json: this.bodyOf(collection, slug, fields) });
  }

  /** The body of a creation, as a draft unless its fields say otherwise. @param slug a word of the run's own */
  bodyOf(collection: Collection, slug: string, fields: JsonObject = {}): Record<string, unknown> {
    const resource = findResource(this.contract, collection);
    const create = resource?.operations.create;
    const usual = { title: `${slug} title`, content: `<p>${slug} content</p>`, status: 'draft', slug };
    const isKnown = resource === undefined || isDescribed(resource);
    const given = create === undefined ? usual : taggedFields(create, slug, isKnown ? usual : {});
    return this.#provable(collection, this.stated(collection, { ...given, ...fields }));
  }

  /** A new record that can be proven own and removed. @throws Aborted for one without the tag */
  #provable<T extends JsonObject>(collection: Collection, body: T): T {
    const create = operationFor(this.contract, collection, 'create');
    if (create === undefined || isTagged(create, body, this.tag)) return body;
    throw inconclusiveAbort(`what is to be written leaves no text of ${collection} for the tag of the run`);
  }

  /** Creates a record with a form. If it names no slug, the address does, because the site may not read the form. */
  async createByForm(collection: Collection, fields: JsonObject): Promise<Creation> {
    const slug = this.nextSlug();
    const texts = { title: `${slug} title`, content: `<p>${slug} content</p>` };
    const form = encodeArgs(this.#provable(collection, this.stated(collection, { ...texts, ...fields })));
    return this.#sendCreation(collection, slug, { form }, 'slug' in fields ? [] : [['slug', slug]]);
  }

  /** Uploads a small file: as the raw body of the request, or in a form where only that is taken (how is not stated). */
  async upload(collection: Collection, fields: JsonObject = {}, kind?: FileKind): Promise<Creation> {
    if (this.uploadsByForm) return this.uploadByForm(collection, fields, kind);
    const raw = await this.uploadRaw(collection, fields, kind);
    if ('id' in raw) this.#ledger.uploadsBy = 'body';
    // A server may take shorter addresses than the fields need.
    if (raw.created.status === 414) return this.uploadByForm(collection, fields, kind);
    if (this.#ledger.uploadsBy !== undefined || raw.created.answer !== 'refused') return raw;
    const inForm = await this.uploadByForm(collection, fields, kind);
    if ('id' in inForm) this.#ledger.uploadsBy = 'form';
    return this.uploadsByForm ? inForm : raw;
  }

  get uploadsByForm(): boolean {
    return this.#ledger.uploadsBy === 'form';
  }

  /** The fields go into the query. */
  async uploadRaw(collection: Collection, fields: JsonObject = {}, kind?: FileKind): Promise<Creation> {
    const slug = this.nextSlug();
    const query = this.#fieldsOfUpload(collection, slug, fields);
    return this.#sendCreation(collection, slug, rawBody(slug, kind), query);
  }

  async uploadByForm(collection: Collection, fields: JsonObject = {}, kind?: FileKind): Promise<Creation> {
    const slug = this.nextSlug();
    const texts = this.#fieldsOfUpload(collection, slug, fields);
    return this.#sendCreation(collection, slug, formBody(texts, slug, kind));
  }

  #fieldsOfUpload(collection: Collection, slug: string, fields: JsonObject): Pair[] {
    return encodeArgs(this.stated(collection, { title: `${slug} title`, ...fields }));
  }

  /** Claims a record that an answer names, after `intend`: by how a fresh list shows it, or otherwise by a read. */
  async claim(
    collection: Collection,
    slug: string,
    id: number,
    created: Observation,
    listed?: Observation,
  ): Promise<Creation> {
    const route = this.route(collection) ?? '';
    const claimed = { collection, route, id, created };
    const ledger = this.#ledger.of(collection);
    const unproven = (finding: Finding): Creation => ledger.noteUnproven({ created, finding });
    if (this.#ledger.prior.has(collection, id)) return unproven(takenId(claimed, 'before'));
    const isKnown = ledger.there.has(id);
    if (!isKnown) this.#ledger.note({ entry: 'created', collection, slug, id });
    const isShown = member(listed?.json, 'id') === id && carriesTag(listed?.json, slug);
    const proof =
      listed !== undefined && isShown
        ? { read: listed, inEdit: true }
        : await proveOwn(this.session, claimed, this.tag);
    if (isFinding(proof)) return unproven(proof);
    // A site may use the id of a record again that is gone: then the new one is what is read.
    if (isKnown && !carriesTag(proof.read.json, slug)) return unproven(takenId(claimed, 'earlier'));
    const { read } = proof;
    const record = { collection, id, slug, created, read, shown: asObject(read.json) ?? {} };
    this.#ledger.note({ entry: 'proven', collection, id });
    ledger.noteProven(record);
    this.session.client.ownership.claim(`${route}/${id}`);
    // What was written cannot be compared with what another context shows.
    if (!proof.inEdit) {
      throw new Aborted(blocked(checkId(`${collection}.read`, 'context', 'enum', 'accepted')));
    }
    return record;
  }

  /** Notes a creation that is about to be sent. @throws Aborted if it must not be: unnoted, not provable, or too many */
  intend(collection: Collection, slug: string): void {
    const unknown = this.#ledger.prior.whyUnknown(collection);
    if (unknown !== undefined) throw inconclusiveAbort(`nothing is written: ${unknown}`);
    this.#ledger.of(collection).reserve();
    this.#ledger.append({ entry: 'intend', collection, slug });
  }

  /** Claims the record in the answer to a creation, or notes the refusal. */
  async settle(collection: Collection, slug: string, answer: Observation): Promise<Creation> {
    const id = member(answer.json, 'id');
    if (answer.answer === 'accepted' && typeof id === 'number')
      return this.claim(collection, slug, id, answer);
    const created = { created: answer };
    if (answer.answer === 'accepted') return this.#ledger.of(collection).noteUnproven(created);
    if (answer.answer === 'refused' || answer.answer === 'denied') this.noteRefusal(collection, slug);
    return answer.answer === 'broken' ? this.#ledger.of(collection).noteBroken(created) : created;
  }

  /** Notes a creation that nothing is going to change: only the clean-up proves it. @throws Aborted if it is not new */
  async noteCreation(collection: Collection, slug: string, answer: Observation): Promise<void> {
    const id = member(answer.json, 'id');
    if (answer.answer === 'accepted' && typeof id === 'number' && this.#ledger.isNew(collection, id)) {
      this.#ledger.of(collection).there.set(id, undefined);
      this.#ledger.note({ entry: 'created', collection, slug, id });
      return;
    }
    const made = await this.settle(collection, slug, answer);
    if ('finding' in made) orAbort(made.finding);
  }

  /** Notes a new record that a creation answers with and that lost the tag: the clean-up names it, and leaves it. */
  noteUntagged(collection: Collection, slug: string, id: number): void {
    if (this.#ledger.isNew(collection, id)) this.#ledger.note({ entry: 'created', collection, slug, id });
  }

  noteRefusal(collection: Collection, slug: string): void {
    this.#ledger.of(collection).release();
    this.#ledger.note({ entry: 'refused', collection, slug });
  }

  get createsByBatch(): boolean {
    return this.#ledger.createsByBatch;
  }

  /**
   * Notes that batches do not lead to own records, or do not show them: what they would create is created singly.
   * @param collection that of a record which a batch made, and which is not known to be own
   */
  noteUselessBatch(collection?: Collection): void {
    this.#ledger.createsByBatch = false;
    if (collection !== undefined) this.#ledger.of(collection).noteUnprovenByBatch();
  }

  async update(record: OwnRecord, fields: JsonObject, method: Method = 'POST'): Promise<Observation> {
    const json = this.stated(record.collection, fields);
    return this.send({ method, route: this.routeOf(record), body: { json } });
  }

  /** An accepted update of the sequence that others depend on, so that every run knows the same. */
  noteUpdate(collection: Collection, fields: JsonObject): void {
    this.#ledger.of(collection).updates.push(this.stated(collection, fields));
  }

  updatedWith(collection: Collection): readonly JsonObject[] {
    return [...this.#ledger.of(collection).updates];
  }

  async read(record: OwnRecord, context: Context = 'edit', as: Caller = 'user'): Promise<Observation> {
    if (context === 'edit' && as === 'user') {
      const route = this.route(record.collection) ?? '';
      const { read } = await readInEdit(this.session, { ...record, route });
      this.#noteGone(this.routeOf(record), read);
      return read;
    }
    return this.get(this.routeOf(record), as, [['context', context]]);
  }

  /** Reads a route that depends on own records, fresh. */
  async get(route: string, as: Caller = 'user', query: readonly Pair[] = []): Promise<Observation> {
    const read = await this.session.client.request({ method: 'GET', route, query, as });
    if (as === 'user') this.#noteGone(route, read);
    return read;
  }

  /** The records of a collection that no write has named since they were made. */
  unwritten(collection: Collection): OwnRecord[] {
    const { ownership } = this.session.client;
    const known = [...this.#ledger.of(collection).there.values()].filter((one) => one !== undefined);
    return known.filter((one) => !ownership.isWritten(this.routeOf(one)));
  }

  /** Deletes an own record: into the trash, or for good. @param force 1 is another word for true, which may be unknown */
  async remove(record: OwnRecord, force?: boolean | 1): Promise<Observation> {
    const query = force === undefined ? [] : [['force', String(force)] as const];
    return this.send({ method: 'DELETE', route: this.routeOf(record), query });
  }

  /** Sends a request that writes own records, or what depends on them, as the user unless it says otherwise. */
  async send(spec: Omit<RequestSpec, 'intent'>): Promise<Observation> {
    const answer = await this.#ledger.switching.send(spec, () =>
      this.session.client.request({ as: 'user', ...spec, intent: 'own-record' }),
    );
    for (const route of deletedBy(spec, answer)) this.#noteDeleted(route);
    if (isDeletionDenied(spec, answer)) await this.#noteDenied(this.#recordAt(spec.route).collection, answer);
    return answer;
  }

  /** Notes that a deletion was denied. Something before the site may stop the method alone: then a batch deletes. */
  async #noteDenied(collection: Collection, answer: Observation): Promise<void> {
    const ledger = this.#ledger.of(collection);
    if (isMethodStopped(answer) && ledger.isUndecided) await this.#deleteByBatch(collection);
    ledger.noteDenied(answer);
  }

  /** Creates a record and deletes it by a batch, which shows whether that removes records. */
  async #deleteByBatch(collection: Collection): Promise<void> {
    const { contract } = this.session;
    const batches = batchOperation(contract)?.route.wire;
    const isBatchable = operationFor(contract, collection, 'delete')?.batchable === true;
    if (batches === undefined || !isBatchable || this.left(collection) < 1) return;
    const made = await this.create(collection);
    if (!('id' in made)) return;
    const json = { requests: [permanentDeletion(this.routeOf(made))] };
    await this.send({ method: 'POST', route: batches, body: { json } });
  }

  /** Whether a record was made, and no answer says that it was deleted permanently. */
  isThere(collection: Collection, id: number): boolean {
    return this.#ledger.of(collection).there.has(id);
  }

  /** Notes a record that a fresh read no longer shows; one that no write named is gone by another cause. */
  #noteGone(route: string, read: Observation): void {
    if (saysGone(read) && this.session.client.ownership.isWritten(route)) this.#noteDeleted(route);
  }

  #recordAt(route: string): { collection: Collection; id: number } {
    const at = route.lastIndexOf('/');
    const within = route.slice(0, at);
    const named = collectionsOf(this.contract).find((one) => this.route(one.id) === within);
    return { collection: named?.id ?? within, id: Number(route.slice(at + 1)) };
  }

  #noteDeleted(route: string): void {
    const { collection, id } = this.#recordAt(route);
    const ledger = this.#ledger.of(collection);
    ledger.noteDeleted();
    if (ledger.there.delete(id)) this.#ledger.note({ entry: 'deleted', collection, id });
  }

  async #sendCreation(
    collection: Collection,
    slug: string,
    body: RequestBody,
    query: readonly Pair[] = [],
  ): Promise<Creation> {
    const route = this.route(collection);
    if (route === undefined) throw new Error(`the contract has no ${collection}`);
    const { standIn } = this.#ledger.of(collection);
    if (standIn !== undefined) return standIn;
    this.intend(collection, slug);
    const answer = await this.send({ method: 'POST', route, query, body });
    return this.settle(collection, slug, answer);
  }

  left(collection: Collection): number {
    return this.#ledger.of(collection).left;
  }
}
