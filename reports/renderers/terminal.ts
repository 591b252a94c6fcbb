import { visibleLine } from '../../engine/text.ts';
import type { ReportFile } from '../files.ts';
import { type RenderContext, renderField, renderHeading } from '../terminal/layout.ts';
import { createPaint, type Style } from '../terminal/paint.ts';
import {
  type Block,
  type Column,
  divide,
  isFor,
  type List,
  plainOf,
  type Row,
  type Section,
  type Table,
  type Text,
  type Tone,
  toneOf,
  type View,
} from '../views/blocks.ts';

/** How to render for a terminal. */
interface TerminalRendering {
  readonly colour: boolean;
  readonly width: number;
  /** Files that were written, named at the end. */
  readonly reports?: readonly ReportFile[];
  /** Whether the conclusion is all that is shown. */
  readonly brief?: boolean;
}

const LONGEST = 600;
const LAYOUT = { indent: 2, labelWidth: 0, limit: LONGEST };
const LONGEST_NOTE = 160;
const LONGEST_CELL = 44;
/** So much is cut of cells before columns stand closer together. */
const MOST_CUT = 12;

const STYLES: Readonly<Record<Tone, Style>> = {
  pass: 'pass',
  fail: 'fail',
  error: 'error',
  warn: 'warn',
  inconclusive: 'inconclusive',
  unstable: 'warn',
  skip: 'skip',
  waived: 'skip',
  breaking: 'fail',
  unknown: 'inconclusive',
  compatible: 'pass',
};

interface Context extends RenderContext {
  readonly source: string | undefined;
}

/** A view as the text of a terminal: what it comes to stands last. */
export function renderTerminal(view: View, rendering: TerminalRendering): string {
  const { colour, width, reports = [], brief = false } = rendering;
  const context = { paint: createPaint(colour), width, source: view.source };
  const { heading, tone } = view;
  const columns = Math.max(0, ...reports.map(({ label }) => label.length)) + 2;
  const end = [
    ...renderField(
      '',
      heading,
      { ...LAYOUT, indent: 0, textStyle: tone === 'plain' ? 'strong' : tone },
      context,
    ),
    ...linesOf(view.summary, context, 0),
    ...reports.map(({ label, path }) => visibleLine(`${label.padEnd(columns)}${path}`)),
  ];
  const all = brief ? end : [...linesOf([...view.lead, ...view.blocks], context, 0), '', ...end];
  return `${all.join('\n').trimStart()}\n`;
}

function linesOf(blocks: readonly Block[], context: Context, depth: number): string[] {
  return blocks
    .filter((block) => isFor(block, 'screen'))
    .flatMap((block) => blockLines(block, context, depth));
}

function blockLines(block: Block, context: Context, depth: number): string[] {
  const layout = { ...LAYOUT, indent: depth === 0 ? 0 : 2 };
  switch (block.kind) {
    case 'section':
      return sectionLines(block, context, depth);
    case 'list':
      return listLines(block, context);
    case 'table':
      return tableLines(block, context);
    case 'facts':
      return factLines(block.rows, context, depth);
    case 'text':
      return renderField(
        '',
        plainOf(block.text),
        block.quiet ? { ...layout, textStyle: 'faint' } : layout,
        context,
      );
    case 'callout':
      return renderField('', plainOf(block.text), { ...layout, textStyle: STYLES[block.tone] }, context);
    case 'code':
      return renderField('', block.text, LAYOUT, context);
    case 'details':
      return [
        ...renderField('', plainOf(block.summary), LAYOUT, context),
        ...linesOf(block.blocks, context, depth),
      ];
  }
}

/** The heading of a section is a rule; within a section it is a line. */
function sectionLines({ title, tone, blocks }: Section, context: Context, depth: number): string[] {
  const style = tone === undefined ? 'heading' : STYLES[tone];
  const text = oneLine(plainOf(title), context.width - (depth === 0 ? 4 : 0));
  const heading = depth === 0 ? renderHeading(text, style, context) : context.paint(style, text);
  return ['', heading, ...linesOf(blocks, context, depth + 1)];
}

function factLines(
  rows: Extract<Block, { kind: 'facts' }>['rows'],
  context: Context,
  depth: number,
): string[] {
  const known = rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const labelWidth = Math.max(0, ...known.map(([name]) => name.length)) + 2;
  const indent = depth === 0 ? 0 : 2;
  return known.flatMap(([name, value]) =>
    renderField(name, plainOf(value), { indent, labelWidth, limit: LONGEST }, context),
  );
}

function listLines({ items, most, rest }: List, context: Context): string[] {
  const { shown, left } = divide(items, 'screen', { most });
  const faint = { ...LAYOUT, indent: 4, textStyle: 'faint' } as const;
  const lines = shown.flatMap(({ text, notes = [], strip = [], group }, at) => [
    ...(group === undefined || group === shown[at - 1]?.group
      ? []
      : renderField('', group, { ...LAYOUT, indent: 0, textStyle: 'strong' }, context)),
    ...renderField('', plainOf(text), LAYOUT, context),
    ...notes.flatMap((note) => renderField('', plainOf(note), faint, context)),
    ...(strip.length < 2
      ? []
      : [context.paint('faint', `    ${stripOf(strip).slice(-(context.width - 4))}`)]),
  ]);
  return [...lines, ...leftLines(left, rest, context)];
}

function stripOf(strip: readonly (readonly [letter: string, state: unknown])[]): string {
  return visibleLine(strip.map(([letter]) => letter).join(''));
}

function leftLines(left: number, rest: string | undefined, { source, paint }: Context): string[] {
  if (left <= 0) return [];
  const where = source === undefined ? '' : `, see ${visibleLine(source)}`;
  return [paint('faint', `  … and ${left} ${rest ?? 'more'}${where}`)];
}

function tableLines({ columns, rows, most, rest }: Table, context: Context): string[] {
  const { shown, left } = divide(rows, 'screen', { most });
  const { own, gap } = widthsOf(columns, shown, context.width - 2);
  const line = (cellOf: (at: number) => Text, head?: Style): string =>
    `  ${own
      .map(({ at, align, size }) => {
        const text = oneLine(plainOf(cellOf(at)), size);
        const padded = align === 'right' ? text.padStart(size) : text.padEnd(size);
        const tone = toneOf(cellOf(at));
        const style = tone === undefined ? head : STYLES[tone];
        return style === undefined ? padded : context.paint(style, padded);
      })
      .join(' '.repeat(gap))}`.trimEnd();
  return [
    line((at) => columns[at]?.title ?? '', 'faint'),
    ...shown.flatMap(({ cells, note }) => [
      line((at) => cells[at] ?? ''),
      ...(note === undefined
        ? []
        : renderField('', plainOf(note), { ...LAYOUT, indent: 6, limit: LONGEST_NOTE }, context)),
    ]),
    ...leftLines(left, rest, context),
  ];
}

/** The columns that fit, as wide as what stands in them; where that is too wide, the widest are cut. */
function widthsOf(
  columns: readonly Column[],
  rows: readonly Row[],
  room: number,
): { own: (Column & { at: number; size: number })[]; gap: number } {
  const known = columns.flatMap((column, at) => {
    const sizes = rows.map(({ cells }) => plainOf(cells[at] ?? '').length);
    const size = Math.min(LONGEST_CELL, Math.max(column.title.length, ...sizes));
    return isFor(column, 'screen') ? [{ ...column, at, size }] : [];
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

/** One line, cut to a width. */
function oneLine(text: string, width: number): string {
  const shown = visibleLine(text);
  return shown.length > width ? `${shown.slice(0, Math.max(0, width - 1))}…` : shown;
}
