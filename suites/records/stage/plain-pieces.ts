import type { Operation, Resource } from '../../../specs/model.ts';
import type { Fields, Piece, StageGround } from './pieces.ts';

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
export function dateOf(at: number): string {
  return `2021-03-${String(DAYS[at % DAYS.length] ?? 1).padStart(2, '0')}T05:${String(10 + at)}:07`;
}

/** The status in which everybody sees a record; a file has it by itself. */
export function open({ kind, statuses }: Resource): Fields {
  return statuses === undefined || kind === 'uploads' ? {} : { status: statuses.open };
}

/** Title and text of a record: the tag stands in the text of each, and in the title of all but the single word. */
export function titled({ kind }: Resource, tag: string, title: string, at: number): Fields {
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
