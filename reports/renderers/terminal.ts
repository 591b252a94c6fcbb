import { styleText } from 'node:util';
import { type Maybe, present, shorten, visibleLine, visibleText, wrapText } from '../../engine/text.ts';
import type { ReportFile } from '../files.ts';
import type { Block, BlockOf, Column, Row, Text, Tone, View } from '../views/blocks.ts';
import { divide, forRoom, notesOf, plainOf, tableFor, toneOf } from '../views/blocks.ts';

type Style = Tone | 'heading' | 'faint' | 'strong';

const FORMATS: Record<Style, Parameters<typeof styleText>[0]> = {
  pass: 'green',
  compatible: 'green',
  fail: ['bold', 'red'],
  exposed: ['bold', 'red'],
  breaking: ['bold', 'red'],
  error: ['bold', 'magenta'],
  warn: 'yellow',
  unstable: 'yellow',
  inconclusive: 'cyan',
  unknown: 'cyan',
  skip: 'gray',
  waived: 'gray',
  faint: 'gray',
  heading: 'bold',
  strong: 'bold',
};

interface TerminalRendering {
  /** The stream that may show colours; default: none does. */
  readonly stream?: NodeJS.WritableStream;
  readonly width: number;
  readonly reports?: readonly ReportFile[];
  readonly brief?: boolean;
}

const LONGEST = 600;
const LONGEST_NOTE = 160;
/** Long enough for a real request. A command that was cut cannot be copied anyway. */
const LONGEST_LINE = 2000;
/** Keeps a value with many short lines from filling the screen. */
const MOST_LINES = 12;
const LABEL = 10;
const LONGEST_CELL = 44;
/** How much of cells may be cut before columns move closer together. */
const MOST_CUT = 12;

interface Context {
  /** Styles text, unless it is empty. */
  readonly paint: (style: Style, text: string) => string;
  readonly width: number;
  readonly source: string | undefined;
}

/** Minimum and maximum width: below, nothing lines up; above, lines are hard to read. */
const NARROWEST = 60;
const WIDEST = 120;

/** A view as text for a terminal, with the summary last. Only commands, addresses and paths exceed the width. */
export function renderTerminal(view: View, rendering: TerminalRendering): string {
  const { stream, reports = [], brief = false } = rendering;
  const width = Math.min(Math.max(rendering.width, NARROWEST), WIDEST);
  const paint = (style: Style, text: string): string =>
    stream === undefined || text === '' ? text : styleText(FORMATS[style], text, { stream });
  const context: Context = { width, source: view.source, paint };
  const { heading, tone, reason } = view;
  const style: Style = tone === 'plain' ? 'strong' : tone;
  const columns = Math.max(0, ...reports.map(({ label }) => label.length)) + 2;
  const look: FieldLayout = { labelStyle: style, style };
  const conclusion =
    reason === undefined
      ? fieldLines(context, '', heading, look)
      : fieldLines(context, `${heading}  `, oneLine(plainOf(reason), LONGEST), look);
  const end = [
    ...(view.opens === true && !brief ? [] : conclusion),
    ...linesOf([view.summary], context, 0),
    ...reports.map(({ label, path }) => `${paint('faint', label.padEnd(columns))}${visibleLine(path)}`),
  ];
  const body = linesOf([view.lead, view.blocks], context, 0);
  const all = brief ? end : view.opens === true ? [...conclusion, ...body, ...end] : [...body, '', ...end];
  return `${all.join('\n').trimStart()}\n`;
}

function linesOf(blocks: readonly Maybe<Block>[], context: Context, indent: number): string[] {
  return forRoom(blocks, 'screen').flatMap((block) => blockLines(block, context, indent));
}

function blockLines(block: Block, context: Context, indent: number): string[] {
  switch (block.kind) {
    case 'section':
      return sectionLines(block, context, indent);
    case 'list':
      return listLines(block, context, indent);
    case 'table':
      return tableLines(block, context);
    case 'facts':
      return factLines(block.rows, context, indent);
    case 'text':
      return fieldLines(context, '', block.text, { indent, style: block.tone ?? (block.quiet && 'faint') });
    case 'code':
      return codeLines(block, context, indent);
    case 'details':
      return [
        ...fieldLines(context, '', block.summary, { indent: Math.max(2, indent) }),
        ...linesOf(block.blocks, context, Math.max(2, indent) + 2),
      ];
  }
}

/** The heading of a section is a rule across the width, visible without colours. Inside a section it is a line. */
function sectionLines(
  { title, tone, blocks }: BlockOf<'section'>,
  context: Context,
  indent: number,
): string[] {
  const text = oneLine(plainOf(title), context.width - (indent === 0 ? 4 : 0));
  const heading = context.paint(
    tone ?? 'heading',
    indent === 0 ? `── ${text} `.padEnd(context.width, '─') : text,
  );
  return ['', heading, ...linesOf(blocks, context, Math.max(2, indent))];
}

function factLines(rows: BlockOf<'facts'>['rows'], context: Context, indent: number): string[] {
  const known = rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const labelWidth = Math.max(LABEL - 2, ...known.map(([name]) => name.length)) + 2;
  return known.flatMap(([name, value]) =>
    fieldLines(context, lowered(name).padEnd(labelWidth), value, { indent }),
  );
}

/** Lines to copy are not wrapped. */
function codeLines(
  { text, label = '', ours }: BlockOf<'code'>,
  { paint }: Context,
  indent: number,
): string[] {
  const longest = ours === true ? Number.POSITIVE_INFINITY : LONGEST_LINE;
  const shown = text.split('\n').map((line) => visibleLine(shorten(line, longest)));
  const first = label === '' ? '' : paint('faint', lowered(label).padEnd(LABEL));
  return shown.map((line, at) => ' '.repeat(Math.max(2, indent)) + (at === 0 ? first : '') + line);
}

function listLines({ items, most, rest, as }: BlockOf<'list'>, context: Context, given: number): string[] {
  const { shown, left } = divide(forRoom(items, 'screen'), 'screen', { most });
  const indent = Math.max(2, given);
  const lines = shown.flatMap((item, at) => {
    const { text, name, notes, strip = [], group, blocks = [], tone } = item;
    const number = as === 'numbered' ? `${at + 1}. ` : name === undefined ? '' : String(at + 1).padStart(3);
    const below = indent + (name === undefined ? 2 : 3);
    return present([
      group !== undefined &&
        group !== shown[at - 1]?.group &&
        fieldLines(context, '', group, { style: 'strong' }),
      name === undefined
        ? fieldLines(context, number, text, { indent })
        : [
            '',
            ...fieldLines(context, number.padEnd(below), name, { style: tone }),
            ...fieldLines(context, '', text, { indent: below }),
          ],
      notesOf(notes).flatMap((note) => fieldLines(context, '', note, { indent: below, style: 'faint' })),
      strip.length >= 2 &&
        context.paint(
          'faint',
          `    ${visibleLine(strip.map(([letter]) => letter).join('')).slice(-(context.width - 4))}`,
        ),
      linesOf(blocks, context, below),
    ]);
  });
  return [...lines, ...leftLines(left, rest, context, indent)];
}

function leftLines(
  left: number,
  rest: string | undefined,
  { source, paint }: Context,
  indent: number = 2,
): string[] {
  if (left <= 0) return [];
  const where = source === undefined ? '' : `, see ${visibleLine(source)}`;
  return [paint('faint', `${' '.repeat(indent)}… and ${left} ${rest ?? 'more'}${where}`)];
}

function tableLines(table: BlockOf<'table'>, context: Context): string[] {
  const { columns, rows, left } = tableFor(table, 'screen');
  const { own, gap } = widthsOf(columns, rows, context.width - 2);
  const line = (cellOf: (at: number) => Text, head?: Style): string =>
    `  ${own
      .map(({ at, align, size }) => {
        const text = oneLine(plainOf(cellOf(at)), size);
        const padded = align === 'right' ? text.padStart(size) : text.padEnd(size);
        const style = toneOf(cellOf(at)) ?? head;
        return style === undefined ? padded : context.paint(style, padded);
      })
      .join(' '.repeat(gap))}`.trimEnd();
  return [
    line((at) => columns[at]?.title ?? '', 'faint'),
    ...rows.flatMap(({ cells, note }) => [
      line((at) => cells[at] ?? ''),
      ...(note === undefined ? [] : fieldLines(context, '', note, { indent: 6, limit: LONGEST_NOTE })),
    ]),
    ...leftLines(left, table.rest, context),
  ];
}

/** The widths of the columns that fit. If the content is too wide, the widest columns are cut. */
function widthsOf(
  columns: readonly Column[],
  rows: readonly Row[],
  room: number,
): { own: (Column & { at: number; size: number })[]; gap: number } {
  const known = columns.map((column, at) => {
    const sizes = rows.map(({ cells }) => plainOf(cells[at] ?? '').length);
    const size = Math.min(LONGEST_CELL, Math.max(column.title.length, ...sizes));
    return { ...column, at, size };
  });
  const over = (own: typeof known, gap: number): number =>
    own.reduce((sum, { size }) => sum + size + gap, -gap) - room;
  const own = over(known, 2) <= 0 ? known : known.filter(({ minor }) => minor !== true);
  const gap = over(own, 2) <= MOST_CUT ? 2 : 1;
  while (over(own, gap) > 0) {
    const widest = own.reduce((one, other) => (other.size > one.size ? other : one));
    if (widest.size <= 1) break;
    widest.size -= 1;
  }
  return { own, gap };
}

function oneLine(text: string, width: number): string {
  const shown = visibleLine(text);
  return shown.length > width ? `${shown.slice(0, Math.max(0, width - 1))}…` : shown;
}

function lowered(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}

/** Blanks before the label, the maximum length of the text, and the styles of label (default: faint) and text. */
interface FieldLayout {
  indent?: number;
  limit?: number;
  labelStyle?: Style;
  style?: Style | undefined;
}

function fieldLines({ paint, width }: Context, label: string, text: Text, layout: FieldLayout): string[] {
  const { indent = 0, limit = LONGEST, labelStyle = 'faint', style } = layout;
  const column = indent + label.length;
  const shown = visibleText(shorten(plainOf(text), limit)).replaceAll('\t', '    ');
  const wrapped = wrapText(shown, width - column);
  const lines =
    wrapped.length > MOST_LINES ? [...wrapped.slice(0, MOST_LINES), `… (${wrapped.length} lines)`] : wrapped;
  return lines.map((line, at) => {
    const start = at === 0 ? ' '.repeat(indent) + paint(labelStyle, label) : ' '.repeat(column);
    return start + (style === undefined ? line : paint(style, line));
  });
}
