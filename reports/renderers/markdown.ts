import { type Maybe, plural, present, shorten } from '../../engine/text.ts';
import { codeBlock, codeSpan, escapeMarkdown } from '../escape-markdown.ts';
import type { Block, BlockOf, Item, Span, Text, View } from '../views/blocks.ts';
import { divide, forRoom, notesOf, plainOf, spansOf, tableFor } from '../views/blocks.ts';

/** A comment on a change request holds 65,536 characters, and there are at least as many bytes. */
const MOST_BYTES = 60_000;
const LONGEST = { text: 700, command: 1000, strip: 60 } as const;

interface Piece {
  readonly text: string;
  /** Whether it is an entry of a list or a table, which is counted if it does not fit. */
  readonly entry?: true;
  /** Whether it opens or closes a folded part. */
  readonly fold?: 1 | -1;
}

/** A view as Markdown for a comment or a summary: as much as fits, the worst first. */
export function renderMarkdown({ heading, reason, lead, summary, blocks, source }: View): string {
  const pieces = [
    { text: `# ${escapeMarkdown(shorten(heading, LONGEST.text))}` },
    ...(reason === undefined ? [] : [{ text: `\n${inline(reason)}` }]),
    ...piecesOf([lead, summary, blocks], 2),
  ];
  const kept: string[] = [];
  let [size, depth] = [0, 0];
  for (const [at, { text, fold = 0 }] of pieces.entries()) {
    size += Buffer.byteLength(text) + 1;
    if (size > MOST_BYTES) {
      const left = pieces.slice(at).filter(({ entry }) => entry === true).length;
      const where = source === undefined ? 'not shown here' : `in ${codeSpan(source)}`;
      if (depth > 0) kept.push('', '</details>');
      return `${[...kept, '', `${plural(left, 'more entry', 'more entries')}: ${where}.`].join('\n')}\n`;
    }
    depth += fold;
    kept.push(text);
  }
  return `${kept.join('\n')}\n`;
}

function piecesOf(blocks: readonly Maybe<Block>[], level: number): Piece[] {
  return forRoom(blocks, 'comment').flatMap((block) => blockPieces(block, level));
}

function blockPieces(block: Block, level: number): Piece[] {
  switch (block.kind) {
    case 'section':
      return [
        { text: `\n${'#'.repeat(level)} ${inline(block.title)}` },
        ...piecesOf(block.blocks, level + 1),
      ];
    case 'list':
      return listPieces(block, level);
    case 'table':
      return tablePieces(block);
    case 'facts':
      return block.rows.flatMap(([name, value], at) =>
        value === undefined ? [] : [{ text: `${at === 0 ? '\n' : ''}- ${name}: ${inline(value)}` }],
      );
    case 'text':
      return [{ text: block.tone === undefined ? `\n${inline(block.text)}` : `\n**${inline(block.text)}**` }];
    case 'code': {
      const shown = codeBlock(shorten(block.text, block.ours === true ? MOST_BYTES : LONGEST.command));
      return [{ text: `\n${block.label === undefined ? '' : `${block.label}:\n\n`}${shown}` }];
    }
    case 'details':
      return [{ text: `\n${inline(block.summary)}` }, ...piecesOf(block.blocks, level)];
  }
}

function listPieces(
  { items, most, open, rest, noun = 'entry', as }: BlockOf<'list'>,
  level: number,
): Piece[] {
  const { shown, folded, left } = divide(forRoom(items, 'comment'), 'comment', { most, open });
  const isNumbered = as === 'numbered';
  return present([
    ...itemPieces(shown, level, isNumbered),
    folded.length > 0 && [
      { text: `\n<details><summary>${plural(folded.length, `more ${noun}`)}</summary>`, fold: 1 },
      ...itemPieces(folded, level, isNumbered),
      { text: '\n</details>', fold: -1 },
    ],
    left > 0 && { text: `- … and ${left} ${rest ?? 'more'}` },
  ]);
}

function itemPieces(items: readonly Item[], level: number, isNumbered: boolean): Piece[] {
  return items.map(({ name, text, notes, strip = [], group, blocks = [] }, at) => {
    const isNew = group !== undefined && (at === 0 || group !== items[at - 1]?.group);
    const title = isNew ? `${'#'.repeat(level)} ${escapeMarkdown(shorten(group, LONGEST.text))}\n\n` : '';
    const heading = `${isNew || at === 0 ? '\n' : ''}${title}`;
    const letters = strip.slice(-LONGEST.strip).map(([letter]) => letter);
    const runs = letters.length < 2 ? '' : ` ${codeSpan(letters.join(''))}`;
    const called = name === undefined ? '' : `${inline(name)}: `;
    const own = `${isNumbered ? `${at + 1}.` : '-'} ${called}${inline(text)}${inline(remarkOf(text, notes))}${runs}`;
    // The content of an entry is kept or left out with it.
    const below = piecesOf(blocks, level + 1).map((piece) => piece.text.replaceAll(/^(?=.)/gm, '  '));
    return { text: [heading + own, ...below].join('\n'), entry: true };
  });
}

/** The notes of an entry: after a sentence as further sentences, otherwise after a colon. */
function remarkOf(before: Text, notes: Item['notes']): Text {
  const isSentence = (text: Text = ''): boolean => plainOf(text).endsWith('.');
  return notesOf(notes).map((note, at, all) => {
    if (isSentence(before) || isSentence(all[at - 1])) return [' ', note];
    return [at === 0 ? ': ' : '; ', note];
  });
}

function tablePieces(table: BlockOf<'table'>): Piece[] {
  const { rest = 'more' } = table;
  const { columns, rows, left, hasNotes } = tableFor(table, 'comment');
  if (rows.length === 0) return left > 0 ? [{ text: `\n… and ${left} ${rest}` }] : [];
  const line = (cells: readonly string[], note: string): string =>
    `| ${[...cells, ...(hasNotes ? [note] : [])].join(' | ')} |`;
  const titles = columns.map(({ title }) => title);
  const rule = columns.map(({ align }) => (align === 'right' ? '---:' : '---'));
  return [
    { text: `\n${line(titles, 'why')}` },
    { text: line(rule, '---') },
    ...rows.map(({ cells, note }) => ({
      text: line(cells.map(inline), inline(note ?? '')),
      entry: true as const,
    })),
    ...(left > 0 ? [{ text: `\n… and ${left} ${rest}` }] : []),
  ];
}

function inline(text: Text): string {
  return spansOf(text).map(span).join('');
}

function span({ text, as }: Span): string {
  const short = shorten(text, LONGEST.text);
  if (short === '') return '';
  // A bar ends a table cell, even inside code.
  if (as === 'code' || as === 'quoted')
    return codeSpan(short).includes('|') ? escapeMarkdown(short) : codeSpan(short);
  const shown = escapeMarkdown(short);
  return as === 'strong' ? shown.replace(/^(\s*)(.*?)(\s*)$/s, '$1**$2**$3') : shown;
}
