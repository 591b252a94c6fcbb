import { isObject, type Json, type JsonObject, mapped } from '../../reference/json.ts';
import type { Operation } from '../../reference/load-contract.ts';
import { demand, Refusal } from '../../reference/request.ts';
import { showRecord } from '../../reference/show-record.ts';
import type { Alter, Answer, Behaviour, Call, Handler, Site } from '../../reference/site.ts';
import { answer, Text } from '../../reference/site.ts';
import { Store, type StoredRecord } from '../../reference/store.ts';
import { type Alteration, together, variant } from '../alteration.ts';
import { declaring, handling, reading, showing, turningArgs } from '../handling.ts';
import { picky } from '../picky.ts';
import { anywhere, isList, isOwnWrite, on, showsOwn } from '../selecting.ts';
import { shown, VARIANTS_ANSWERS } from './answer-variants.ts';
import { VARIANTS_ARGUMENTS } from './argument-variants.ts';

/** The dates of records in the zone of the site. */
const DATES = ['date', 'modified'];

/** The number of requests between two writes of somebody else. */
const BUSY = 30;

/** An author who is gone. */
const GONE = 4711;

/** Other conforming sites: with other writers, other unspecified behaviour, other spellings. */
const VARIANTS_SITES: readonly Alteration[] = [
  variant(
    'picky-plugins',
    'plugins take only names, addresses and ids of things that the site has, and some arguments together',
    picky,
  ),
  variant('busy', 'other people write, change and delete posts and pages meanwhile', busy),
  variant(
    'gone-software',
    'some records have a status or a format of software that is gone, which no list takes',
    withOthers(leaveBehind),
  ),
  variant(
    'gone-authors',
    'the authors of some records are gone, and an upload that names one is made without its fields',
    together(
      withOthers(({ contract, store }) => {
        const newest = contract.resources.flatMap(({ id }) => store.ofKind(id).slice(-3));
        for (const record of newest) record.author = GONE;
      }),
      handling(on('uploads', 'create'), (call, next) =>
        next(call.args.author === GONE ? { ...call, args: {} } : call),
      ),
    ),
  ),
  variant(
    'shared-slugs',
    'records below different ones have the same slug',
    withOthers(({ contract, store }) => {
      const published = contract.resources
        .filter(({ fields }) => 'parent' in fields)
        .flatMap(({ id }) => store.ofKind(id).filter(({ status }) => status === 'publish'));
      for (const [at, record] of published.entries()) if (at % 3 > 0) record.slug = 'team';
    }),
  ),
  variant(
    'skipped-hour',
    'records keep a time that the clock of the site skipped, and show it as an hour later',
    together(
      declaring((index) => {
        index.timezone_string = 'Europe/London';
      }),
      withOthers(({ contract, store }) => {
        const times = ['01:15', '01:30', '02:00', '02:05'].map((time) =>
          Date.parse(`2025-03-30T${time}:00Z`),
        );
        for (const { id } of contract.resources) {
          for (const [at, record] of store
            .ofKind(id)
            .filter(({ status }) => status !== 'future')
            .entries()) {
            const time = times[at - 1];
            if (time !== undefined) Object.assign(record, { date: time, modified: time });
          }
        }
      }),
      showing(showsOwn, (record) =>
        mapped(record, (value, name) =>
          DATES.includes(name) ? String(value).replace('2025-03-30T01', '2025-03-30T02') : value,
        ),
      ),
    ),
  ),
  variant('lists-behind', 'lists show records as they were a moment before, as an index does', listsBehind),
  handled('without-totals', 'lists do not say how many records there are', isList, async (call, next) => {
    const shown = await next(call);
    const { 'X-WP-Total': _, 'X-WP-TotalPages': __, Link: ___, ...headers } = shown.headers;
    return { ...shown, headers };
  }),
  handled(
    'empty-pages',
    'a page beyond the last one is empty',
    (one) => isList(one) && showsOwn(one),
    emptyBeyond,
  ),
  handled(
    'equal-files',
    'an upload of a file that is there is answered with its record',
    on('uploads', 'create'),
    (call, next) => {
      const sent = call.request.files.file?.bytes ?? call.request.bytes;
      const id = call.operation.resource?.id ?? '';
      const known = call.site.store
        .ofKind(id)
        .find(({ file }) => file && Buffer.compare(file.bytes, sent) === 0);
      const { account } = call.request;
      return known && account
        ? answer(showRecord(call.site, known, { context: 'edit', account }), 201)
        : next(call);
    },
  ),
  variant(
    'short-titles',
    'titles have at most 150 characters, as the index declares',
    together(
      declaring((index) => {
        for (const { args } of Object.values(index.routes).flatMap(({ endpoints }) => endpoints))
          Object.assign(args.title?.properties?.raw ?? {}, { maxLength: 150 });
      }),
      reading(isOwnWrite, (given, read) => {
        const title = isObject(given.title) ? given.title.raw : given.title;
        demand([...String(title)].length <= 150, 'too_long', 'This title is too long.', 400);
        return read(given);
      }),
    ),
  ),
  handled('no-trash', 'deletions without force are refused', onTrash('delete'), (call, next) => {
    demand(call.args.force === true, 'no_trash', 'There is no trash.', 501);
    return next(call);
  }),
  handled(
    'slugs-of-the-trash',
    'a record that comes back from the trash keeps the slug that it had there',
    onTrash('update'),
    async (call, next) => {
      const record = call.site.store.get(Number(call.args.id));
      const slug = record?.status === 'trash' && call.args.slug === undefined ? record.slug : undefined;
      const shown = await next(call);
      if (record === undefined || slug === undefined || !isObject(shown.body)) return shown;
      record.slug = slug;
      return { ...shown, body: { ...shown.body, slug } };
    },
  ),
  handled('no-deletion-of-revisions', 'nobody may delete revisions', on('revisions', 'delete'), () => {
    throw new Refusal('cannot_delete', 'You may not delete revisions.', 403);
  }),
  handled('few-revisions', 'only the two newest revisions are kept', isOwnWrite, async (call, next) => {
    const shown = await next(call);
    const id = isObject(shown.body) ? Number(shown.body.id) : 0;
    const kept = call.site.store.revisionsOf(id).filter(({ autosave }) => !autosave);
    for (const old of kept.slice(2)) call.site.store.remove(old);
    return shown;
  }),
  handled(
    'siblings',
    'a draft with the same title is made beside each new record, as for a translation',
    on('records', 'create'),
    async (call, next) => {
      const { store } = call.site;
      const shown = await next(call);
      const made = store.get(isObject(shown.body) ? Number(shown.body.id) : 0);
      if (made !== undefined) store.add({ ...made, slug: '', status: 'draft', sticky: false });
      return shown;
    },
  ),
  variant(
    'made-excerpts',
    'a record that is made without an excerpt gets one of its content, for good',
    turningArgs((one) => isOwnWrite(one) && one.role === 'create', withExcerpt),
  ),
  handled(
    'slug-conflicts',
    'a second record with a slug is refused',
    on('records', 'create'),
    refusingTakenSlugs,
  ),
  shown('told-to-be-protected', 'titles and contents tell that a password protects them', (record) => {
    const { title, content } = record;
    if (!isObject(title) || !isObject(content) || content.protected !== true) return record;
    const rendered = content.rendered || '<form>This is protected.</form>';
    const told = { ...title, rendered: `Protected: ${String(title.rendered)}` };
    return { ...record, title: told, content: { ...content, rendered } };
  }),
  // The reference deployment uses GMT.
  shown('dates-with-offset', 'dates name their offset', (record) =>
    withTexts(record, [...DATES, 'date_gmt', 'modified_gmt'], (date) => `${date}+00:00`),
  ),
  variant(
    'other-time-zone',
    'the site lives five hours and three quarters ahead of GMT',
    together(
      declaring((index) => {
        index.gmt_offset = '5.75';
      }),
      showing(({ resource }) => resource !== undefined, local),
      reading(anywhere, (given, read) => zoned(read(given))),
    ),
  ),
  variant(
    'cleaned-texts',
    'texts lose their tags, control characters and outer blanks, and a lone & becomes an entity',
    turningArgs(isOwnWrite, (args) => mapStrings(args, cleaned)),
  ),
  shown('other-markup', 'rendered texts are no paragraphs', mapTexts),
  shown('lists-of-ids-reversed', 'the terms of records come in another order', (record) => ({
    ...record,
    ...(Array.isArray(record.categories) && { categories: record.categories.toReversed() }),
    ...(Array.isArray(record.tags) && { tags: record.tags.toReversed() }),
  })),
  handled(
    'empty-deletions',
    'what a deletion for good answers is empty',
    ({ resource, role }) => !resource?.parent && role === 'delete',
    async (call, next) => {
      const shown = await next(call);
      return call.args.force === true ? { ...shown, status: 204, body: new Text('text/plain', '') } : shown;
    },
  ),
];

function handled(id: string, title: string, ...how: Parameters<typeof handling>): Alteration {
  return variant(id, title, handling(...how));
}

/** Benign variants: sites that differ and conform. */
export const VARIANTS: readonly Alteration[] = [
  ...VARIANTS_ANSWERS,
  ...VARIANTS_ARGUMENTS,
  ...VARIANTS_SITES,
];

/** The operations that move records to a trash, or bring them back. */
function onTrash(role: string): (operation: Operation) => boolean {
  return (operation) => operation.resource?.trash === true && operation.role === role;
}

function withExcerpt(args: JsonObject): JsonObject {
  const content = isObject(args.content) ? args.content.raw : args.content;
  if (args.excerpt !== undefined || typeof content !== 'string' || content === '') return args;
  return { ...args, excerpt: { raw: content.slice(0, 20) } };
}

/** Periodically adds a record, changes another, and removes an added one. */
function busy(usual: Behaviour): Partial<Behaviour> {
  let answered = 0;
  const made: number[] = [];
  return handling(anywhere, (call, next) => {
    answered += 1;
    if (answered % BUSY === 0) disturb(call, answered / BUSY, made);
    return next(call);
  })(usual);
}

function disturb({ site }: Call, turn: number, made: number[]): void {
  const kinds = site.contract.resources.filter(({ kind }) => kind === 'records');
  const resource = kinds[turn % kinds.length];
  if (!resource) return;
  const now = site.now();
  if (turn % 3 === 0) {
    const gone = site.store.get(made.shift() ?? 0);
    if (gone) site.store.remove(gone);
    return;
  }
  if (turn % 3 === 1) {
    const one = { kind: resource.id, title: `News ${turn}`, slug: `news-${turn}`, date: now, modified: now };
    made.push(site.store.add({ ...one, categories: 'categories' in resource.fields ? [1] : [] }).id);
    return;
  }
  const changed = site.store.get(made[0] ?? 0);
  if (changed) Object.assign(changed, { title: `Other news ${turn}`, modified: now });
}

/** Changes the content of a site before the first request. */
function withOthers(turn: (site: Site) => void): Alter {
  return (usual) => {
    let isTurned = false;
    return handling(anywhere, (call, next) => {
      if (!isTurned) turn(call.site);
      isTurned = true;
      return next(call);
    })(usual);
  };
}

/** Data of removed plugins stays. */
function leaveBehind({ contract, store }: Site): void {
  for (const { id, fields } of contract.resources.filter(({ kind }) => kind === 'records')) {
    store.add({ kind: id, title: 'Left behind', slug: 'left-behind', status: 'archived' });
    const [first] = 'format' in fields ? store.ofKind(id) : [];
    if (first) first.format = 'album';
  }
}

/** Milliseconds by which lists lag behind. */
const BEHIND = 80;

/** The records of a site at an earlier time. */
class StoreBefore extends Store {
  readonly #records: readonly StoredRecord[];

  constructor(records: readonly StoredRecord[]) {
    super();
    this.#records = records;
  }

  override ofKind(kind: string): StoredRecord[] {
    return this.#records.filter((record) => record.kind === kind);
  }
}

function listsBehind(usual: Behaviour): Partial<Behaviour> {
  // The stored records until each moment.
  const before: { until: number; records: StoredRecord[] }[] = [];
  return handling(anywhere, (call, next) => {
    const now = performance.now();
    const { store } = call.site;
    while ((before[0]?.until ?? now) < now - BEHIND) before.shift();
    if (isList(call.operation) && call.operation.resource?.kind !== 'revisions') {
      const [first] = before;
      return next(first ? { ...call, site: { ...call.site, store: new StoreBefore(first.records) } } : call);
    }
    if (call.request.method !== 'GET') before.push({ until: now, records: structuredClone(store.all()) });
    return next(call);
  })(usual);
}

async function emptyBeyond(call: Call, next: Handler): Promise<Answer> {
  try {
    return await next(call);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rest_post_invalid_page_number') {
      return { status: 200, headers: {}, body: [] };
    }
    throw error;
  }
}

function refusingTakenSlugs(call: Call, next: Handler): ReturnType<Handler> {
  const taken = call.site.store
    .ofKind(call.operation.resource?.id ?? '')
    .some(({ slug }) => slug !== '' && slug === call.args.slug);
  if (taken) throw new Refusal('slug_taken', 'This slug is taken.', 409);
  return next(call);
}

function withTexts(object: JsonObject, names: readonly string[], turn: (text: string) => string): JsonObject {
  return mapped(object, (value, name) =>
    names.includes(name) && typeof value === 'string' ? turn(value) : value,
  );
}

const ZONE = '+05:45';
const AHEAD = 5.75 * 3_600_000;
const BOUNDS = ['date', 'after', 'before', 'modified_after', 'modified_before'];

/** Dates next to those in GMT are local. */
function local(record: JsonObject): JsonObject {
  return withTexts(record, DATES, (date) =>
    new Date(Date.parse(`${date}Z`) + AHEAD).toISOString().slice(0, 19),
  );
}

/** Dates without a zone are read as local. */
function zoned(args: JsonObject): JsonObject {
  return withTexts(args, BOUNDS, (date) =>
    /Z$|[+-]\d\d(?::\d\d)?$/.test(date.slice(10)) ? date : `${date}${ZONE}`,
  );
}

function mapTexts(record: JsonObject): JsonObject {
  return mapped(record, (value) =>
    isObject(value) && typeof value.rendered === 'string'
      ? { ...value, rendered: value.rendered.replace(/^<p>(.*)<\/p>\n$/s, '<div>$1</div>') }
      : value,
  );
}

/** The text that a site stores for editors who may not write all markup. */
function cleaned(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, '')
    .replaceAll(/&(?!#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .trim();
}

function mapStrings(args: JsonObject, turn: (text: string) => string): JsonObject {
  const turned = (value: Json): Json => {
    if (typeof value === 'string') return turn(value);
    return isObject(value) ? mapStrings(value, turn) : value;
  };
  return mapped(args, turned);
}
