import { type Maybe, plural, present, shorten, visibleLine, visibleText } from '../../engine/text.ts';
import { fenceOf } from '../escape-markdown.ts';
import type { Block, BlockOf, Text, View } from '../views/blocks.ts';
import { divide, forRoom, notesOf, spansOf, tableFor } from '../views/blocks.ts';

const LONGEST = 700;
const LONGEST_COMMAND = 2000;

/** A view as AsciiDoc for a documentation site, as long as a comment. */
export function renderAsciidoc({ heading, reason, lead, summary, blocks, foot }: View): string {
  const lines = [
    `= ${inline(heading)}`,
    ...(reason === undefined ? [] : ['', paragraph(reason)]),
    ...linesOf([lead, summary, blocks], 1),
    '',
    paragraph(foot),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf(blocks: readonly Maybe<Block>[], level: number): string[] {
  return forRoom(blocks, 'comment').flatMap((block) => blockLines(block, level));
}

function blockLines(block: Block, level: number): string[] {
  switch (block.kind) {
    case 'section':
      return ['', `${'='.repeat(level + 1)} ${inline(block.title)}`, ...linesOf(block.blocks, level + 1)];
    case 'list':
      return listLines(block, level);
    case 'table':
      return tableLines(block);
    case 'facts':
      return [
        '',
        ...block.rows.flatMap(([name, value]) => (value ? [`${inline(name)}:: ${paragraph(value)}`] : [])),
      ];
    case 'text':
      return ['', block.tone === undefined ? paragraph(block.text) : `IMPORTANT: ${inline(block.text)}`];
    case 'code':
      return present(['', block.label !== undefined && `.${inline(block.label)}`, listing(block)]);
    case 'details':
      return ['', paragraph(block.summary), ...linesOf(block.blocks, level)];
  }
}

/** The content of an entry needs an open block, or it would swallow the next entry. */
function listLines({ items, most, rest, as }: BlockOf<'list'>, level: number): string[] {
  const { shown, left } = divide(forRoom(items, 'comment'), 'comment', { most });
  const lines = shown.flatMap(({ name, text, notes, blocks = [] }) => {
    const words = notesOf([name, text, ...notesOf(notes)]).map(inline);
    const below = linesOf(blocks, level + 1);
    return present([
      `${as === 'numbered' ? '.' : '*'} {empty}${words.join(': ')}`,
      below.length > 0 && ['+', '====', ...below, '===='],
    ]);
  });
  return present(['', lines, left > 0 && `* … and ${left} ${rest ?? 'more'}`]);
}

function tableLines(table: BlockOf<'table'>): string[] {
  const { columns, rows, left, hasNotes } = tableFor(table, 'comment');
  const row = (cells: readonly Text[]): string => cells.map((cell) => `|${paragraph(cell)}`).join(' ');
  return [
    '',
    '[%header]',
    '|===',
    row([...columns.map(({ title }) => title), ...(hasNotes ? ['why'] : [])]),
    ...rows.map(({ cells, note }) => row([...cells, ...(hasNotes ? [note ?? ''] : [])])),
    '|===',
    ...(left > 0 ? ['', paragraph(`and ${plural(left, table.rest ?? 'more row')}`)] : []),
  ];
}

/** A paragraph that text of a target cannot turn into another block. */
function paragraph(text: Text): string {
  return `{empty}${inline(text)}`;
}

function inline(text: Text): string {
  return spansOf(text)
    .map(({ text: own, as }) => {
      const shown = plain(own);
      if (shown.trim() === '') return shown;
      if (as === 'code' || as === 'quoted') return `\`\`${shown}\`\``;
      return as === 'strong' ? `**${shown}**` : shown;
    })
    .join('');
}

/** Replaces every character with a meaning in AsciiDoc by a character reference. */
function plain(text: string): string {
  return visibleLine(shorten(text, LONGEST)).replaceAll(/[!-'*+:;<-@[-`{-~]|--|\.\./g, (signs) =>
    [...signs].map((sign) => `&#${sign.charCodeAt(0)};`).join(''),
  );
}

/** A block with a fence that is longer than anything inside. */
function listing({ text, ours }: BlockOf<'code'>): string[] {
  const shown = visibleText(shorten(text, ours === true ? Number.POSITIVE_INFINITY : LONGEST_COMMAND));
  const fence = fenceOf('-', shown, 4);
  return ['[source]', fence, shown, fence];
}
