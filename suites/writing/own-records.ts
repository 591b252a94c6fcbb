import { encodeQuery, type Pair } from '../../generators/encode-query.ts';
import type { Collection, Journal } from '../../target/journal.ts';
import { member } from '../../target/json.ts';
import type { Method, Observation, RequestBody } from '../../target/observation.ts';
import type { Session } from '../session.ts';
import { carriesTag } from './carries-tag.ts';
import { PIXEL } from './pixel.ts';

/** A record that the run has created. */
export interface OwnRecord {
  readonly collection: Collection;
  readonly id: number;
  /** The slug that it was asked to have: it holds the run's tag. */
  readonly slug: string;
  /** What the creation answered: the record in edit context. */
  readonly created: Observation;
}

/** A creation that did not make a record: the answer tells why. */
export interface NotCreated {
  readonly refused: Observation;
}

/**
 * Creates, changes and removes the run's own records. Every creation is in the journal before it is sent, and carries
 * the run's tag in slug and title; changes and deletions reach own records only.
 */
export class OwnRecords {
  readonly tag: string;
  readonly #session: Session;
  readonly #journal: Journal;
  #count = 0;

  constructor(session: Session, journal: Journal, tag: string) {
    this.#session = session;
    this.#journal = journal;
    this.tag = tag;
    for (const collection of ['posts', 'pages', 'media'] as const) {
      const route = this.route(collection);
      if (route !== undefined) session.client.ownership.mayCreateIn(route);
    }
  }

  /** The route of a collection in the target's words; undefined when the contract does not have it. */
  route(collection: Collection): string | undefined {
    return this.#session.operation(`${collection}.create`)?.route.wire;
  }

  /** A slug that nothing else on the site has, with the run's tag in it. */
  nextSlug(): string {
    this.#count += 1;
    return `${this.tag}-${this.#count}`;
  }

  /**
   * Creates a post or a page as a draft, unless the fields say otherwise; media is uploaded (see `upload`).
   * @param fields writable fields by their names on the target
   */
  async create(
    collection: 'posts' | 'pages',
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<OwnRecord | NotCreated> {
    const slug = this.nextSlug();
    const json = {
      title: `${slug} title`,
      content: `<p>${slug} content</p>`,
      status: 'draft',
      slug,
      ...fields,
    };
    return this.#sendCreation(collection, slug, { json });
  }

  /**
   * Creates a post or a page with a form in place of JSON. Where that names no slug, the address does: what a site makes
   * of a form that it does not read is known as the run's own by it.
   * @param fields as JSON would have them; written as text by their names, lists and members in brackets
   */
  async createByForm(
    collection: 'posts' | 'pages',
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<OwnRecord | NotCreated> {
    const slug = this.nextSlug();
    const form = formOf({ title: `${slug} title`, content: `<p>${slug} content</p>`, ...fields });
    return this.#sendCreation(collection, slug, { form }, 'slug' in fields ? [] : [['slug', slug]]);
  }

  /** Uploads a small picture as the raw body of the request. @param fields go into the query, where raw bodies leave room */
  async upload(fields: Readonly<Record<string, string>> = {}): Promise<OwnRecord | NotCreated> {
    const slug = this.nextSlug();
    const body = { bytes: PIXEL, type: 'image/png', disposition: `attachment; filename="${slug}.png"` };
    return this.#sendCreation('media', slug, body, Object.entries({ title: `${slug} title`, ...fields }));
  }

  /**
   * Notes a record that came to be without `create`, such as an edited image or a part of a batch. Intend it first.
   * @param created the answer that told of it
   * @param record the record itself; one that does not carry the run's tag is somebody else's
   */
  adopt(
    collection: Collection,
    slug: string,
    id: number,
    created: Observation,
    record: unknown = created.json,
  ): OwnRecord | NotCreated {
    if (!carriesTag(record, this.tag)) return { refused: created };
    this.#journal.append({ entry: 'created', collection, slug, id });
    this.#session.client.ownership.claim(`${this.route(collection)}/${id}`);
    return { collection, id, slug, created };
  }

  /** Notes in the journal that a record with this slug is about to be created by other means. */
  intend(collection: Collection, slug: string): void {
    this.#journal.append({ entry: 'intend', collection, slug });
  }

  /** Changes an own record. */
  async update(
    record: OwnRecord,
    fields: Readonly<Record<string, unknown>>,
    method: Method = 'POST',
  ): Promise<Observation> {
    return this.#sendChange(record, method, { json: fields });
  }

  /**
   * Changes an own record, or what hangs on it, with a form in place of JSON.
   * @param below what follows the record in the path, such as `/autosaves`
   */
  async updateByForm(
    record: OwnRecord,
    fields: Readonly<Record<string, unknown>>,
    below: '' | '/autosaves' = '',
  ): Promise<Observation> {
    return this.#sendChange(record, 'POST', { form: formOf(fields) }, below);
  }

  /** Reads an own record, fresh, in a context. */
  async read(
    record: OwnRecord,
    context: 'view' | 'edit' | 'embed' = 'edit',
    as: 'user' | 'anonymous' = 'user',
  ): Promise<Observation> {
    return this.#session.client.request({
      method: 'GET',
      route: `${this.route(record.collection)}/${record.id}`,
      query: [['context', context]],
      as,
    });
  }

  /** Deletes an own record: into the trash, or for good. */
  async remove(record: OwnRecord, force: boolean): Promise<Observation> {
    const answer = await this.#session.client.request({
      method: 'DELETE',
      route: `${this.route(record.collection)}/${record.id}`,
      ...(force && { query: [['force', 'true']] as const }),
      as: 'user',
      intent: 'own-record',
    });
    if (force && answer.answer === 'accepted') {
      this.#journal.append({ entry: 'removed', collection: record.collection, id: record.id });
    }
    return answer;
  }

  async #sendChange(record: OwnRecord, method: Method, body: RequestBody, below = ''): Promise<Observation> {
    return this.#session.client.request({
      method,
      route: `${this.route(record.collection)}/${record.id}${below}`,
      body,
      as: 'user',
      intent: 'own-record',
    });
  }

  async #sendCreation(
    collection: Collection,
    slug: string,
    body: RequestBody,
    query: readonly (readonly [string, string])[] = [],
  ): Promise<OwnRecord | NotCreated> {
    const route = this.route(collection);
    if (route === undefined) throw new Error(`the contract has no ${collection}`);
    this.intend(collection, slug);
    const answer = await this.#session.client.request({
      method: 'POST',
      route,
      query,
      body,
      as: 'user',
      intent: 'own-record',
    });
    const id = member(answer.json, 'id');
    if (answer.answer === 'accepted' && typeof id === 'number')
      return this.adopt(collection, slug, id, answer);
    return { refused: answer };
  }
}

/** Fields as the names and values of a form. */
function formOf(fields: Readonly<Record<string, unknown>>): Pair[] {
  return Object.entries(fields).flatMap(([name, value]) => encodeQuery(name, value));
}
