import type { ChangeClass } from '../../compare/law.ts';
import type { Conclusion, Verdict } from '../../engine/result.ts';
import { type Maybe, present } from '../../engine/text.ts';

/** The space for a view: a screen, a comment on a change request, or a page. */
type Room = 'screen' | 'comment' | 'page';

/** A state with a colour and a sign: a verdict, or its equivalent on pages of several runs. */
export type State = Verdict | 'waived' | 'unstable';

/** States in words and signs, so that colours are not needed. */
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

/** Everything with a colour: a state of a check or a run, or the class of a change. */
export type Tone = State | ChangeClass;

/** The tone of each conclusion. */
export const TONE_OF: Readonly<Record<Conclusion, 'pass' | 'fail' | 'inconclusive'>> = {
  conformant: 'pass',
  nonconformant: 'fail',
  inconclusive: 'inconclusive',
};

/** Text, or parts of text. Any of it may come from a target, so renderers escape and limit all of it. */
export type Text = string | readonly Maybe<string | Span>[];

export interface Span {
  readonly text: string;
  readonly as?: 'code' | 'quoted' | 'strong' | 'quiet' | 'badge';
  readonly tone?: Tone;
  /** A link on the page (`#…`), or to a page beside it (`./…`); plain text elsewhere. */
  readonly to?: string;
  readonly title?: string;
  /** Further text: folded on a page, left out elsewhere. */
  readonly more?: readonly string[];
  /** A share, which a page draws before the text. */
  readonly share?: readonly [part: number, whole: number];
}

/** The least space that shows something, and the largest that it is for. */
interface Placed {
  readonly from?: Room | undefined;
  readonly to?: Room | undefined;
}

type Most = Partial<Readonly<Record<Room, number>>>;

interface Section extends Placed {
  readonly kind: 'section';
  readonly title: Text;
  readonly tone?: Tone | undefined;
  /** The anchor. Sections with one are in the navigation of a page. */
  readonly id?: string;
  readonly way?: readonly [words: string, amount?: string];
  readonly blocks: readonly Maybe<Block>[];
}

/** An entry of a list: its text, its notes, and its content if there is space. */
export interface Item extends Placed {
  readonly text: Text;
  readonly name?: Text;
  readonly notes?: readonly (Text | undefined | false)[];
  readonly tone?: Tone;
  /** The check or change whose place on the page this is, or which it links to. */
  readonly id?: string;
  readonly elsewhere?: string;
  /** Entries of a group are listed below its name. */
  readonly group?: string;
  /** One letter for each run, with its state. */
  readonly strip?: readonly (readonly [letter: string, state: State | undefined])[];
  readonly blocks?: readonly Maybe<Block>[];
}

interface Entries extends Placed {
  readonly most?: Most;
  /** The word for entries that are only counted; default: `more`. */
  readonly rest?: string;
  /** Whether the search of a page includes it. */
  readonly searched?: true;
}

interface List extends Entries {
  readonly kind: 'list';
  readonly items: readonly Item[];
  /** How many are open. The rest is folded if the renderer can fold, with the word for one of them. */
  readonly open?: Most;
  readonly noun?: string;
  /** Whether a page shows entries as cards or folds each one; or whether they are numbered. */
  readonly as?: 'cards' | 'folded' | 'numbered';
  /** The kind of entries, for the search of a page. */
  readonly of?: string;
}

export interface Column extends Placed {
  readonly title: string;
  readonly hint?: string;
  readonly align?: 'right';
  /** Removed first if lines are too long. */
  readonly minor?: true;
}

export interface Row {
  readonly cells: readonly Text[];
  readonly note?: Text | undefined;
  readonly tone?: Tone;
}

interface Table extends Entries {
  readonly kind: 'table';
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Whether each cell of a page has a number and a colour. */
  readonly map?: true;
  /** Whether cells hold sentences, which are wrapped. */
  readonly prose?: true;
}

/** A sentence or several. With a tone it is emphasised. */
interface Paragraph extends Placed {
  readonly kind: 'text';
  readonly text: Text;
  readonly quiet?: true;
  readonly tone?: Tone;
}

export type Block =
  | Section
  | List
  | Table
  | Paragraph
  | (Placed & {
      readonly kind: 'facts';
      readonly rows: readonly (readonly [name: string, value: Text | undefined])[];
    })
  /** A command or a file. Lines are not wrapped, so that they can be copied, and ours may have any length. */
  | (Placed & { readonly kind: 'code'; readonly text: string; readonly label?: string; readonly ours?: true })
  | (Placed & {
      readonly kind: 'details';
      readonly summary: Text;
      readonly blocks: readonly Maybe<Block>[];
      /** The area, for the search of a page. */
      readonly area?: string;
    });

/** A block of one kind. */
export type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

/** A document for people, independent of the renderer. */
export interface View {
  /** The conclusion in a few words. */
  readonly heading: string;
  readonly tone: 'pass' | 'fail' | 'inconclusive' | 'plain';
  readonly opens?: true;
  /** The title of the window, if it is not the heading. */
  readonly title?: string;
  readonly reason?: Text;
  readonly lead?: readonly Maybe<Block>[];
  /** The summary. A terminal shows it last, where people look first. */
  readonly summary?: readonly Maybe<Block>[];
  readonly blocks?: readonly Maybe<Block>[];
  readonly search?: { readonly noun: string; readonly choices: readonly Choice[]; readonly hint?: string };
  /** The file with everything, if there is one. */
  readonly source?: string | undefined;
  readonly foot: string;
}

/** For `most`: all entries. */
export const EVERY: number = Number.MAX_SAFE_INTEGER;

const ROOMS: readonly Room[] = ['screen', 'comment', 'page'];
const MOST: Readonly<Record<Room, number>> = { screen: 20, comment: 50, page: 500 };

function isFor({ from = 'screen', to = 'page' }: Placed, room: Room): boolean {
  return ROOMS.indexOf(from) <= ROOMS.indexOf(room) && ROOMS.indexOf(room) <= ROOMS.indexOf(to);
}

/** The items that exist and are shown in a space. */
export function forRoom<T extends Placed>(all: readonly Maybe<T>[], room: Room): readonly T[] {
  return present(all).filter((one) => isFor(one, room));
}

/** The entries that a space shows, those that it folds, and the number of the rest. */
export function divide<T>(
  entries: readonly T[],
  room: Room,
  { most = {}, open = most }: { readonly most?: Most | undefined; readonly open?: Most | undefined },
): { shown: readonly T[]; folded: readonly T[]; left: number } {
  const all = entries.slice(0, Math.max(most[room] ?? MOST[room], open[room] ?? 0));
  const first = open[room] ?? all.length;
  return { shown: all.slice(0, first), folded: all.slice(first), left: entries.length - all.length };
}

/** What a space shows of a table: its columns, rows with a cell for each of them, and the number of the rest. */
export function tableFor(
  { columns, rows, most }: Table,
  room: Room,
): Pick<Table, 'columns' | 'rows'> & { readonly left: number; readonly hasNotes: boolean } {
  const { shown, left } = divide(rows, room, { most });
  const own = columns.flatMap((column, at) => (isFor(column, room) ? [at] : []));
  return {
    columns: columns.filter((column) => isFor(column, room)),
    rows: shown.map((row) => ({ ...row, cells: own.map((at) => row.cells[at] ?? '') })),
    left,
    hasNotes: shown.some(({ note }) => note !== undefined),
  };
}

/** The parts of a text. */
export function spansOf(text: Text): readonly Span[] {
  return present([text]).map((one) => (typeof one === 'string' ? { text: one } : one));
}

/** A text without its parts. */
export function plainOf(text: Text): string {
  const spans = spansOf(text);
  return spans.map((span) => span.text).join('');
}

/** The tone of a text: that of its first part with one. */
export function toneOf(text: Text): Tone | undefined {
  return spansOf(text).find(({ tone }) => tone !== undefined)?.tone;
}

/** The notes of an entry that exist. */
export function notesOf(notes: Item['notes'] = []): Text[] {
  return notes.filter((note) => note !== undefined && note !== false);
}

/** Makes a section. One that was given blocks is left out if none of them exists. */
export function section(
  about: Omit<Section, 'kind' | 'blocks'>,
  ...blocks: readonly Maybe<Block>[]
): Section | undefined {
  const isEmpty = blocks.length > 0 && present(blocks).length === 0;
  return isEmpty ? undefined : { kind: 'section', ...about, blocks };
}

/** A paragraph. */
export function text(words: Text, rest: Omit<Paragraph, 'kind' | 'text'> = {}): Block {
  return { kind: 'text', text: words, ...rest };
}

/** A command or a file to copy. */
export function command(
  words: string,
  rest: Placed & { readonly label?: string; readonly ours?: true } = {},
): Block {
  return { kind: 'code', text: words, ...rest };
}

/** Makes a list, unless it has no entries. An entry may be given as its text. */
export function list(
  items: readonly Maybe<Item | string>[],
  rest: Partial<Omit<List, 'kind' | 'items'>> = {},
): List | undefined {
  const entries = present(items).map((item) => (typeof item === 'string' ? { text: item } : item));
  return entries.length === 0 ? undefined : { kind: 'list', items: entries, ...rest };
}

/** Makes a table, unless it has no rows. @param columns titles, or with options @param rows cells, or with options */
export function table(
  label: string,
  columns: readonly (string | Column)[],
  rows: readonly (readonly Text[] | Row)[],
  rest: Partial<Omit<Table, 'kind' | 'label' | 'columns' | 'rows'>> = {},
): Table | undefined {
  if (rows.length === 0) return undefined;
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

/** Makes a list of names and values. Those without a value are left out. */
export function facts(
  rows: readonly (readonly [name: string, value: Text | undefined])[],
  place: Placed = {},
): Block {
  return { kind: 'facts', rows, ...place };
}

/** Makes a block that is folded if the renderer can fold, unless it has no content. */
export function details(
  summary: Text,
  blocks: readonly Maybe<Block>[],
  rest: Placed & { readonly area?: string } = {},
): Block | undefined {
  return present(blocks).length === 0 ? undefined : { kind: 'details', summary, blocks, ...rest };
}

/** Code in a text. */
export function code(words: string): Span {
  return { text: words, as: 'code' };
}

/** Emphasised text. */
export function strong(words: string): Span {
  return { text: words, as: 'strong' };
}

/** Text of a site, distinguished from ours; undefined if there is none. */
export function quoted(words: string | undefined): Text | undefined {
  return words === undefined || words === '' ? undefined : [{ text: words, as: 'quoted' }];
}

/** A section for notes, if there are any. */
export function notesSection(notes: readonly string[]): Maybe<Block> {
  return section({ id: 'notes', title: 'To know first' }, list(notes, { most: { page: 100 } }));
}

interface Choice {
  readonly name: 'state' | 'kind' | 'area';
  readonly label: string;
  readonly values: readonly (readonly [value: string, text: string])[];
}
