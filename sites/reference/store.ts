import type { JsonObject } from './json.ts';

/** The kind of all revisions and autosaves. It is not the id of a resource. */
export const REVISION = ':revision';

/** A stored record, empty at first. Dates are milliseconds since 1970; the time zone of the site is UTC. */
export class StoredRecord {
  id = 0;
  /** The id of its resource, or `REVISION`. */
  kind = '';
  status = 'publish';
  date = 0;
  modified = 0;
  slug = '';
  title = '';
  /** For an upload, its description. */
  content = '';
  /** For an upload, its caption. */
  excerpt = '';
  password = '';
  author = 1;
  /** 0 for none; for an upload, the record that it belongs to. */
  parent = 0;
  menuOrder = 0;
  commentStatus = 'open';
  pingStatus = 'open';
  template = '';
  format = 'standard';
  sticky = false;
  featuredMedia = 0;
  categories: number[] = [];
  tags: number[] = [];
  meta: JsonObject = {};
  altText = '';
  /** Fields of a resource without a member here. */
  further: JsonObject = {};
  file: MediaFile | undefined = undefined;
  /** Whether a revision is an autosave. */
  autosave = false;
  /** Slug and status to restore, for a record in the trash. */
  beforeTrash: { slug: string; status: string } | undefined = undefined;
}

/** The file of an upload. */
export interface MediaFile {
  /** Path below the uploads folder, such as `2024/05/lamp.png`. */
  path: string;
  type: string;
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** A category or a tag. */
interface Term {
  id: number;
  taxonomy: 'category' | 'tag';
  slug: string;
  parent: number;
}

/** Records and terms of a site, in memory. */
export class Store {
  readonly #records = new Map<number, StoredRecord>();
  readonly terms: Term[] = [];
  #lastId = 0;

  /** Stores a record under a new id, not its own, and returns it. Missing fields are empty. */
  add(fields: Partial<StoredRecord> & { kind: string }): StoredRecord {
    this.#lastId += 1;
    const record: StoredRecord = { ...new StoredRecord(), ...fields, id: this.#lastId };
    this.#records.set(record.id, record);
    return record;
  }

  /** The record with this id, and this kind if given. */
  get(id: number, kind?: string): StoredRecord | undefined {
    const record = this.#records.get(id);
    return kind === undefined || record?.kind === kind ? record : undefined;
  }

  /** All records of a kind, by ascending id. */
  ofKind(kind: string): StoredRecord[] {
    return this.#records
      .values()
      .filter((record) => record.kind === kind)
      .toArray();
  }

  /** All records but revisions, by ascending id. */
  all(): StoredRecord[] {
    return this.#records
      .values()
      .filter((record) => record.kind !== REVISION)
      .toArray();
  }

  /** Revisions of a record with autosaves, the latest first. */
  revisionsOf(id: number): StoredRecord[] {
    const revisions = this.ofKind(REVISION).filter((record) => record.parent === id);
    return revisions.toSorted((one, other) => other.date - one.date || other.id - one.id);
  }

  /** Removes a record and its revisions for good. Its children move up to its parent. */
  remove(record: StoredRecord): void {
    this.#records.delete(record.id);
    for (const child of [...this.#records.values()].filter(({ parent }) => parent === record.id)) {
      if (child.kind === REVISION) this.#records.delete(child.id);
      else child.parent = child.file ? 0 : record.parent;
    }
  }
}

/** Stores a revision of `record`, with `fields` replaced. */
export function addRevision(store: Store, record: StoredRecord, fields: Partial<StoredRecord>): StoredRecord {
  const revision = store.add({
    kind: REVISION,
    status: 'inherit',
    parent: record.id,
    author: record.author,
    title: record.title,
    content: record.content,
    excerpt: record.excerpt,
    date: record.modified,
    meta: { ...record.meta },
    ...fields,
  });
  revision.modified = revision.date;
  revision.slug = `${record.id}-${revision.autosave ? 'autosave' : 'revision'}-v1`;
  return revision;
}
