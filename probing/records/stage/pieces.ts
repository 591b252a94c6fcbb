import type { Collection } from '../../../client/journal.ts';
import { takes } from '../../../specs/find-resource.ts';
import type { Operation, Resource } from '../../../specs/model.ts';
import { type FileKind, typeOfFile } from '../own/file-bytes.ts';
import { FAR_AHEAD } from '../own/writable-fields.ts';
import { isProtected, parentOf, type SiteRecord, valuesOf } from '../reading/record.ts';

/** Values of fields by their neutral names. */
export type Fields = Readonly<Record<string, unknown>>;

/** One record of the stage: what checks need to see, and what makes it. */
export interface Piece {
  readonly collection: Collection;
  /** What it is for, for a reader: `a protected one`. Of several with one name, one is enough. */
  readonly name: string;
  /** What makes it what it is. */
  readonly must: Fields;
  /** What it has beside that where the site takes it. */
  readonly beside: Fields;
  /** The file of an upload. */
  readonly file?: FileKind;
  /** Whether it goes into the trash once it is made. */
  readonly trashed?: true;
  /** Whether some records show what it is for; without it the piece is one of the plain ones. */
  readonly isShownBy?: (records: readonly SiteRecord[]) => boolean;
  /** The parameters whose checks need it; those of every one where it has none. */
  readonly serves?: readonly string[];
}

/** What is known of a site when its stage is set. */
export interface StageGround {
  readonly tag: string;
  /** Records of the collection that the site shows, in every status. */
  readonly shown: readonly SiteRecord[];
  /** Ids of terms by the neutral name of the field that takes them; ids to try where none are known. */
  readonly terms: Readonly<Record<string, readonly number[]>>;
  /** Ids of users who may be authors. */
  readonly authors: readonly number[];
  /** Names of templates to try. */
  readonly templates: readonly string[];
}

/** Titles whose alphabetical order is neither that of the dates nor that of the ids; one is a single word. */
const TITLES = [
  'Lantern',
  'Harbour at noon',
  'Marble stairs',
  'Amber kettle',
  'Thistle road',
  'Copper bells',
];

/** Days of one month: neither rising nor falling, so that an order by date is no order by id. */
const DAYS = [11, 4, 19, 7, 15, 2];
const PLACES = [4, 1, 6, 2, 5, 3];

/** How many plain records a site must show for orders, pages and filters to be told apart. */
export const PLAIN: number = TITLES.length;

/** What a sentence of each text says; letters alone, so that a search finds the words. */
const CONTENTS = ['granite', 'velvet', 'cinnamon', 'tunnel', 'orchard', 'pewter'];
const EXCERPTS: readonly (string | undefined)[] = [
  'saffron',
  undefined,
  undefined,
  'juniper',
  undefined,
  undefined,
];

/** The plain records of a collection: open to everybody, each with another date, title, place, terms and settings. */
export function plainPieces(resource: Resource, create: Operation, ground: StageGround): Piece[] {
  return TITLES.map((title, at) => ({
    collection: resource.id,
    name: 'several that everybody may see',
    must: { ...titled(resource, ground.tag, title, at), ...open(resource) },
    beside: {
      date: dateOf(at),
      menu_order: PLACES[at],
      ...(EXCERPTS[at] !== undefined && { excerpt: `In short: ${EXCERPTS[at]}.` }),
      ...settingsOf(create, at),
      ...termsOf(ground, at),
    },
  }));
}

/** A date in the past that no other piece has. */
function dateOf(at: number): string {
  return `2021-03-${String(DAYS[at % DAYS.length] ?? 1).padStart(2, '0')}T05:${String(10 + at)}:07`;
}

/** The status in which everybody sees a record; a file has it by itself. */
function open({ kind, statuses }: Resource): Fields {
  return statuses === undefined || kind === 'uploads' ? {} : { status: statuses.open };
}

/** Title and text of a record: the tag stands in the text of each, and in the title of all but the single word. */
function titled({ kind }: Resource, tag: string, title: string, at: number): Fields {
  const isWord = !title.includes(' ');
  const text = `<p>${tag}: about the ${CONTENTS[at % CONTENTS.length]}.</p>`;
  return {
    title: isWord ? title : `${title} ${tag}`,
    ...(kind === 'uploads' ? { description: text } : { content: text }),
  };
}

/** A member of each enumerated field, by turns. */
function settingsOf({ parameters }: Operation, at: number): Fields {
  const enumerated = parameters.filter(({ name, schema }) => name !== 'status' && schema.enum !== undefined);
  return Object.fromEntries(
    enumerated.map(({ name, schema }) => [name, schema.enum?.[at % (schema.enum.length || 1)]]),
  );
}

/** Terms by turns, two of them on one record, so that what is together and what is apart both show. */
function termsOf({ terms }: StageGround, at: number): Fields {
  return Object.fromEntries(
    Object.entries(terms)
      .filter(([, ids]) => ids.length > 0)
      .map(([name, ids], turn) => {
        const nth = (shift: number): number | undefined => ids[(at + shift) % ids.length];
        // The second taxonomy pairs other records than the first.
        const some = at === 2 + turn ? [nth(0), nth(1)] : [nth(0)];
        return [name, [...new Set(some)]];
      }),
  );
}

const TRASH = 'trash';

/** The records of a collection that one kind of check alone needs: of another status, author, or with a password. */
export function specialPieces(resource: Resource, create: Operation, ground: StageGround): Piece[] {
  return [
    ...(takes(create, 'sticky') ? [stickyPiece(resource, ground)] : []),
    ...(resource.protects === true && takes(create, 'password') ? [protectedPiece(resource, ground)] : []),
    ...statusPieces(resource, ground),
    ...(takes(create, 'author') ? authorPieces(resource, ground) : []),
    ...(takes(create, 'template') ? templatePieces(resource, ground) : []),
  ];
}

function stickyPiece(resource: Resource, ground: StageGround): Piece {
  return {
    ...piece(resource, ground, 0, { title: 'Always in front', ...open(resource), sticky: true }),
    name: 'a sticky one',
    isShownBy: (records) => records.some((record) => valuesOf(record, 'sticky')?.[0] === true),
    serves: ['sticky', 'ignore_sticky'],
  };
}

function protectedPiece(resource: Resource, ground: StageGround): Piece {
  const fields = { ...open(resource), password: 'open sesame', excerpt: 'A guarded excerpt.' };
  return {
    ...piece(resource, ground, 1, { title: 'Behind the door', ...fields }),
    name: 'a protected one',
    isShownBy: (records) => records.some(isProtected),
    serves: ['password', 'content', 'excerpt'],
  };
}

/** One record of each status that is kept, beside the open one; and one in the trash. */
function statusPieces(resource: Resource, ground: StageGround): Piece[] {
  const { statuses, trash } = resource;
  if (statuses === undefined) return [];
  const others = statuses.kept.filter((status) => status !== statuses.open);
  const hasStatus = (status: string) => (records: readonly SiteRecord[]) =>
    records.some((record) => valuesOf(record, 'status')?.[0] === status);
  const kept = others.map((status, at): Piece => {
    const ahead = status === 'future' ? { date: FAR_AHEAD } : {};
    return {
      ...piece(resource, ground, 2 + at, { title: `Kept as ${status}`, status, ...ahead }),
      ...(status === 'future' && { beside: {} }),
      name: `one with the status ${status}`,
      isShownBy: hasStatus(status),
      serves: ['status'],
    };
  });
  if (trash !== true || !statuses.listed.includes(TRASH)) return kept;
  const thrown = piece(resource, ground, 7, { title: 'Thrown away', status: 'draft' });
  const name = 'one in the trash';
  return [...kept, { ...thrown, name, trashed: true, isShownBy: hasStatus(TRASH), serves: ['status'] }];
}

function authorPieces(resource: Resource, ground: StageGround): Piece[] {
  return ground.authors.map((author, at) => ({
    ...piece(resource, ground, 8 + at, { title: 'By somebody else', ...open(resource), author }),
    name: 'one of another author',
    isShownBy: (records) => new Set(records.flatMap((record) => valuesOf(record, 'author') ?? [])).size > 1,
    serves: ['author', 'author_exclude'],
  }));
}

function templatePieces(resource: Resource, ground: StageGround): Piece[] {
  return ground.templates.map((template) => ({
    ...piece(resource, ground, 5, { title: 'Under a roof', ...open(resource), template }),
    beside: {},
    name: 'one with a template',
    isShownBy: (records) => records.some((record) => (valuesOf(record, 'template')?.[0] ?? '') !== ''),
    serves: ['template'],
  }));
}

/** @param at another number for each, so that their dates differ */
function piece(
  resource: Resource,
  { tag }: StageGround,
  at: number,
  { title, ...must }: Fields & { readonly title: string },
): Pick<Piece, 'collection' | 'must' | 'beside'> {
  return {
    collection: resource.id,
    must: { ...titled(resource, tag, title, at), ...must },
    beside: { date: dateOf(at + 6) },
  };
}

const TITLES_BELOW = ['Below the first', 'Below the second', 'Another below the first'];

/**
 * Records that belong to others: pages below pages, files of posts.
 * @param parents ids of records that they may name
 */
export function belowPieces(resource: Resource, ground: StageGround, parents: readonly number[]): Piece[] {
  const { belongsTo } = resource;
  if (belongsTo === undefined || parents.length === 0) return [];
  return TITLES_BELOW.map((title, at) => ({
    collection: resource.id,
    name: 'ones that belong to others',
    must: {
      ...titled(resource, ground.tag, title, at + 3),
      ...open(resource),
      [belongsTo]: parents[at % Math.min(parents.length, 2)],
    },
    beside: { date: dateOf(at + 20), menu_order: 9 - at },
    ...(resource.kind === 'uploads' && { file: 'picture' as const }),
    isShownBy: (records) => records.some((record) => (parentOf(record)?.[0] ?? 0) > 0),
    serves: [belongsTo, 'parent', 'parent_exclude', 'orderby'],
  }));
}

/** How many pictures there are: as many as it takes to tell orders apart. */
const PICTURES = 3;
const KINDS: readonly FileKind[] = ['sound', 'text'];

/** The files of a collection of uploads: some pictures, and one file of each other kind. */
export function uploadPieces(resource: Resource, create: Operation, ground: StageGround): Piece[] {
  return plainPieces(resource, create, ground)
    .slice(0, PICTURES + KINDS.length)
    .map((piece, at) => {
      const described = {
        ...piece,
        beside: { ...piece.beside, alt_text: `Number ${at}`, caption: `Seen from ${at} sides` },
      };
      const file = KINDS[at - PICTURES];
      if (file === undefined) return { ...described, file: 'picture' as const };
      const type = typeOfFile(file);
      return {
        ...described,
        name: `a ${file}`,
        file,
        isShownBy: (records) => records.some((record) => valuesOf(record, 'mime_type')?.[0] === type),
        serves: ['media_type', 'mime_type'],
      };
    });
}
