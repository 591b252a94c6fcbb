import type { ChangeClass } from '../../compare/law.ts';
import type { Conclusion, Verdict } from '../../engine/result.ts';
import { type Maybe, plural, present } from '../../engine/text.ts';

/** How much a reader takes in: on a screen, in a comment on a change request, or on a page of its own. */
type Room = 'screen' | 'comment' | 'page';

/** A state that has a colour and a sign of its own: a verdict, or what stands for one on pages of several runs. */
export type State = Verdict | 'waived' | 'unstable';

/** States in words, and the signs that tell them apart without colours. */
export const STATES: Readonly<Record<State, { readonly word: string; readonly sign: string }>> = {
  pass: { word: 'passed', sign: '✓' },
  fail: { word: 'failed', sign: '✕' },
  error: { word: 'stopped at a fault of the suite', sign: '‼' },
  warn: { word: 'warning', sign: '!' },
  inconclusive: { word: 'inconclusive', sign: '?' },
  unstable: { word: 'unstable', sign: '~' },
  skip: { word: 'skipped', sign: '–' },
  waived: { word: 'waived', sign: '≈' },
};

/** What has a colour: a state of a check or a run, or the class of a change. */
export type Tone = State | ChangeClass;

/** The tone of each conclusion. */
export const TONE_OF: Readonly<Record<Conclusion, 'pass' | 'fail' | 'inconclusive'>> = {
  conformant: 'pass',
  nonconformant: 'fail',
  inconclusive: 'inconclusive',
};

/** Text, or stretches of it. Any of it may be of a target: renderers escape and bound all of it. */
export type Text = string | readonly Maybe<string | Stretch>[];

export interface Stretch {
  readonly text: string;
  readonly as?: 'code' | 'quoted' | 'strong' | 'quiet' | 'badge';
  readonly tone?: Tone;
  /** A place on the page (`#…`), or a page beside it (`./…`); text elsewhere. */
  readonly to?: string;
  /** What a pointer shows, where there is one. */
  readonly title?: string;
  /** What stands behind it: folded away on a page, left out elsewhere. */
  readonly more?: readonly string[];
  /** A part of a whole, which a page draws before the text. */
  readonly share?: readonly [part: number, whole: number];
}

/** What a block, an entry or a column may say: the least room that it is worth, and the most that it is for. */
interface Placed {
  readonly from?: Room | undefined;
  readonly to?: Room | undefined;
}

/** How many entries are shown in a room. */
type Most = Partial<Readonly<Record<Room, number>>>;

/** A heading and what stands below it. */
export interface Section extends Placed {
  readonly kind: 'section';
  readonly title: Text;
  readonly tone?: Tone | undefined;
  /** The anchor; a section that has one is named in the ways through a page. */
  readonly id?: string;
  readonly way?: readonly [words: string, amount?: string];
  readonly blocks: readonly Maybe<Block>[];
}

/** An entry of a list: what it is, what is said of it, and what is known beside it where there is room. */
export interface Item extends Placed {
  readonly text: Text;
  /** What it is called, where that stands apart from what it is. */
  readonly name?: Text;
  readonly notes?: readonly (Text | undefined | false)[];
  readonly tone?: Tone;
  /** The check or change whose place on the page this is, or which has its place elsewhere on it. */
  readonly id?: string;
  readonly elsewhere?: string;
  /** Entries of one group stand below its name. */
  readonly group?: string;
  /** One letter for each run, and the state that it stands for. */
  readonly strip?: readonly (readonly [letter: string, state: State | undefined])[];
  /** What belongs to it. */
  readonly blocks?: readonly Maybe<Block>[];
}

/** What lists and tables have in common. */
interface Entries extends Placed {
  readonly most?: Most;
  /** What those are that are only counted; `more` if absent. */
  readonly rest?: string;
  /** Whether the search of a page looks here. */
  readonly searched?: true;
}

export interface List extends Entries {
  readonly kind: 'list';
  readonly items: readonly Item[];
  /** How many stand open; those after them are folded away where there is such a thing. */
  readonly open?: Most;
  /** What an entry is called where it is folded away. */
  readonly noun?: string;
  /** Entries that a page shows as cards, or folds away one by one; or that are numbered everywhere. */
  readonly as?: 'cards' | 'folded' | 'numbered';
  /** The kind of what is listed, for the search of a page. */
  readonly of?: string;
}

export interface Column extends Placed {
  readonly title: string;
  /** What a pointer shows, where there is one. */
  readonly hint?: string;
  readonly align?: 'right';
  /** Goes first where the lines are too short. */
  readonly minor?: true;
}

export interface Row {
  readonly cells: readonly Text[];
  readonly note?: Text | undefined;
  readonly tone?: Tone;
}

export interface Table extends Entries {
  readonly kind: 'table';
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Whether a page has a number in each cell, and colours for them. */
  readonly map?: true;
  /** Whether cells hold sentences, which wrap. */
  readonly prose?: true;
}

/** A part of a document. */
export type Block =
  | Section
  | List
  | Table
  | (Placed & { readonly kind: 'text'; readonly text: Text; readonly quiet?: true })
  | (Placed & { readonly kind: 'callout'; readonly tone: Tone; readonly text: Text })
  | (Placed & {
      readonly kind: 'facts';
      readonly rows: readonly (readonly [name: string, value: Text | undefined])[];
    })
  /** A command or a file: each line whole, so that it can be copied, and of any length where it is ours. */
  | (Placed & { readonly kind: 'code'; readonly text: string; readonly label?: string; readonly ours?: true })
  | (Placed & {
      readonly kind: 'details';
      readonly summary: Text;
      readonly blocks: readonly Maybe<Block>[];
      /** Of a part of what a page searches: the area. */
      readonly area?: string;
    });

/** A document as people read it: one for each, whatever renders it. */
export interface View {
  /** The conclusion in a few words, and its colour. */
  readonly heading: string;
  readonly tone: 'pass' | 'fail' | 'inconclusive' | 'plain';
  /** Whether a terminal begins with the heading, which says what is explained, instead of ending with it. */
  readonly opens?: true;
  /** Of the window, where it is not the heading. */
  readonly title?: string;
  /** Why it is that. */
  readonly reason?: Text;
  /** What it is about. */
  readonly lead?: readonly Maybe<Block>[];
  /** What it comes to: a terminal shows it last, where its reader looks first. */
  readonly summary?: readonly Maybe<Block>[];
  readonly blocks?: readonly Maybe<Block>[];
  readonly search?: { readonly noun: string; readonly choices: readonly Choice[]; readonly hint?: string };
  /** The file that has everything, where there is one. */
  readonly source?: string | undefined;
  readonly foot: string;
}

const ROOMS: readonly Room[] = ['screen', 'comment', 'page'];
const MOST: Readonly<Record<Room, number>> = { screen: 20, comment: 50, page: 500 };

/** Whether something is worth the room. */
export function isFor({ from = 'screen', to = 'page' }: Placed, room: Room): boolean {
  return ROOMS.indexOf(from) <= ROOMS.indexOf(room) && ROOMS.indexOf(room) <= ROOMS.indexOf(to);
}

/** Those of some that are there, and worth the room. */
export function forRoom<T extends Placed>(all: readonly Maybe<T>[], room: Room): readonly T[] {
  return present(all).filter((one) => isFor(one, room));
}

/** The entries that a room shows openly, those that it folds away, and how many it only counts. */
export function divide<T>(
  entries: readonly T[],
  room: Room,
  { most = {}, open = most }: { readonly most?: Most | undefined; readonly open?: Most | undefined },
): { shown: readonly T[]; folded: readonly T[]; left: number } {
  const all = entries.slice(0, Math.max(most[room] ?? MOST[room], open[room] ?? 0));
  const first = open[room] ?? all.length;
  return { shown: all.slice(0, first), folded: all.slice(first), left: entries.length - all.length };
}

/** What stands before entries that are folded away: `27 more compatible causes`. */
export function foldedWords(number: number, noun: string | undefined): string {
  return noun === undefined ? `${number} more` : plural(number, `more ${noun}`);
}

/** A text in its stretches. */
export function stretchesOf(text: Text): readonly Stretch[] {
  return typeof text === 'string'
    ? [{ text }]
    : present(text).map((one) => (typeof one === 'string' ? { text: one } : one));
}

/** A text without its stretches. */
export function plainOf(text: Text): string {
  return stretchesOf(text)
    .map((stretch) => stretch.text)
    .join('');
}

/** The colour of a text: that of its first stretch that has one. */
export function toneOf(text: Text): Tone | undefined {
  return stretchesOf(text).find(({ tone }) => tone !== undefined)?.tone;
}

/** The notes of an entry that are there. */
export function notesOf(notes: Item['notes'] = []): Text[] {
  return notes.filter((note) => note !== undefined && note !== false);
}

/** A heading and what stands below it. */
export function section(
  about: Omit<Section, 'kind' | 'blocks'>,
  ...blocks: readonly Maybe<Block>[]
): Section {
  return { kind: 'section', ...about, blocks };
}

/** A paragraph. */
export function text(words: Text, rest: Placed & { readonly quiet?: true } = {}): Block {
  return { kind: 'text', text: words, ...rest };
}

/** A list of entries; an entry with nothing but a text may be given as that text. */
export function list(
  items: readonly Maybe<Item | string>[],
  rest: Partial<Omit<List, 'kind' | 'items'>> = {},
): List {
  const entries = present(items).map((item) => (typeof item === 'string' ? { text: item } : item));
  return { kind: 'list', items: entries, ...rest };
}

/** A table. @param columns their titles, or more; @param rows their cells, or more */
export function table(
  label: string,
  columns: readonly (string | Column)[],
  rows: readonly (readonly Text[] | Row)[],
  rest: Partial<Omit<Table, 'kind' | 'label' | 'columns' | 'rows'>> = {},
): Table {
  return {
    kind: 'table',
    label,
    columns: columns.map((column) => (typeof column === 'string' ? { title: column } : column)),
    rows: rows.map((row) => ('cells' in row ? row : { cells: row })),
    ...rest,
  };
}

/** Columns of numbers. */
export function numbers(...titles: readonly string[]): Column[] {
  return titles.map((title) => ({ title, align: 'right' }));
}

/** Names beside values; those without a value are left out. */
export function facts(
  rows: readonly (readonly [name: string, value: Text | undefined])[],
  place: Placed = {},
): Block {
  return { kind: 'facts', rows, ...place };
}

/** What is folded away where there is such a thing. */
export function details(
  summary: Text,
  blocks: readonly Maybe<Block>[],
  rest: Placed & { readonly area?: string } = {},
): Block {
  return { kind: 'details', summary, blocks, ...rest };
}

/** A stretch of code in a text. */
export function code(words: string): Stretch {
  return { text: words, as: 'code' };
}

/** A stretch that stands out. */
export function strong(words: string): Stretch {
  return { text: words, as: 'strong' };
}

/** What a site said, apart from our own words; undefined where it said nothing. */
export function quoted(words: string | undefined): Text | undefined {
  return words === undefined || words === '' ? undefined : [{ text: words, as: 'quoted' }];
}

/** A section for notes on a document, if there are any. */
export function notesSection(notes: readonly string[]): Maybe<Block> {
  return (
    notes.length > 0 && section({ id: 'notes', title: 'To know first' }, list(notes, { most: { page: 100 } }))
  );
}

/** A list to choose from: the name of what it narrows, and each value with the text that is shown. */
export interface Choice {
  readonly name: 'state' | 'kind' | 'area';
  readonly label: string;
  readonly values: readonly (readonly [value: string, text: string])[];
}
