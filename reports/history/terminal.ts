import type { FailingCheck, History, Night, Series } from '../../compare/history/document.ts';
import { type RenderContext, renderField, renderHeading } from '../terminal/layout.ts';
import { createPaint, type Style } from '../terminal/paint.ts';
import { plural } from '../text.ts';
import {
  COLUMNS,
  cellsOf,
  dayOf,
  FEW_SERIES,
  growthOf,
  isQuiet,
  legendOf,
  lengthOf,
  lettersOf,
  markOf,
  restOf,
  spanOf,
  sparkline,
  standingOf,
} from './words.ts';

/** How to render a history for a terminal. */
export interface HistoryRendering {
  readonly colour: boolean;
  readonly width: number;
}

/** Rows that a screen holds; the document has them all. */
const MOST_NIGHTS = 14;
const MOST_CHECKS = 20;
const WIDTHS = [8, 8, 8, 6, 7, 11, 13];
const LAYOUT = { indent: 2, labelWidth: 0, limit: 600 };

/** A part of a series: what it is called, and for each check its id and what is said of it. */
interface Part {
  readonly heading: string;
  readonly style: Style;
  readonly checks: readonly { readonly id: string; readonly says?: string; readonly verdicts?: string }[];
}

/** The text of a history: for each series how it stands, the worst first, then its nights. */
export function renderHistory(history: History, { colour, width }: HistoryRendering): string {
  const context = { paint: createPaint(colour), width };
  const { read, repeated, earlier } = history.runs;
  const isLong = history.series.length > FEW_SERIES;
  const lines = history.series.flatMap((series) => [
    ...headLines(series, context),
    ...(isLong && isQuiet(series) ? [] : bodyLines(series, context)),
    '',
  ]);
  const total = [
    `${plural(read, 'run')} in ${history.series.length} series`,
    ...(repeated > 0 ? [`${plural(repeated, 'result')} of a run that was there already`] : []),
    ...(earlier > 0 ? [`${plural(earlier, 'earlier run')} not listed`] : []),
  ].join('; ');
  const notes = history.notes.flatMap((note) => renderField('', `note: ${note}`, LAYOUT, context));
  return [...lines, ...notes, total, ''].join('\n');
}

function headLines(series: Series, context: RenderContext): string[] {
  const { target, nights } = series;
  const latest = nights.map(({ counts }) => counts.fail).slice(-(context.width - 30));
  const growth = growthOf(series);
  return [
    ...renderField('', target.url, { ...LAYOUT, indent: 0, textStyle: 'strong' }, context),
    ...renderField('', spanOf(series), LAYOUT, context),
    ...renderField('', standingOf(series), LAYOUT, context),
    ...(nights.length < 2
      ? []
      : [`  failed ${sparkline(latest)} ${Math.min(...latest)} to ${Math.max(...latest)}`]),
    ...(growth === undefined ? [] : [`  ${growth}`]),
  ];
}

function bodyLines(series: Series, context: RenderContext): string[] {
  const { nights, failing, waived, unstable } = series;
  const last = nights.at(-1);
  const titles = new Map(failing.map(({ id, title }) => [id, title]));
  const fresh = (last?.new ?? []).map((id) => ({ id, says: titles.get(id) ?? '' }));
  const legend =
    nights.length < 2 || failing.length + waived.length + unstable.length === 0
      ? []
      : ['', ...renderField('', lettersOf(series), { ...LAYOUT, textStyle: 'faint' }, context)];
  const parts: Part[] = [
    { heading: 'new in the latest run', style: 'fail', checks: fresh },
    { heading: 'failing, the longest first', style: 'fail', checks: failing.map(failingLine) },
    {
      heading: 'unstable',
      style: 'warn',
      checks: unstable.map((check) => ({ id: check.id, says: restOf(check), verdicts: check.verdicts })),
    },
    { heading: 'waived', style: 'skip', checks: waived.map(failingLine) },
  ];
  return [...parts.flatMap((part) => partLines(part, context)), ...legend, ...nightLines(nights, context)];
}

function failingLine(check: FailingCheck): Part['checks'][number] {
  return { id: check.id, says: lengthOf(check), verdicts: check.verdicts };
}

function partLines({ heading, style, checks }: Part, context: RenderContext): string[] {
  if (checks.length === 0) return [];
  const shown = checks
    .slice(0, MOST_CHECKS)
    .flatMap(({ id, says = '', verdicts = '' }) => [
      ...renderField('', id, LAYOUT, context),
      ...renderField('', says, { ...LAYOUT, indent: 4, textStyle: 'faint' }, context),
      ...(verdicts.length < 2 ? [] : [context.paint('faint', `    ${verdicts.slice(-(context.width - 4))}`)]),
    ]);
  const more = checks.length - MOST_CHECKS;
  return [
    '',
    renderHeading(`${checks.length} ${heading}`, style, context),
    ...shown,
    ...(more > 0 ? [`  … and ${more} more, see history.json`] : []),
  ];
}

function nightLines(nights: readonly Night[], context: RenderContext): string[] {
  const shown = nights.slice(-MOST_NIGHTS);
  const row = (mark: string, when: string, cells: readonly string[]): string =>
    `${mark.padEnd(2)}${when.padEnd(16)}${cells.map((cell, at) => cell.padStart(WIDTHS[at] ?? 0)).join('')}`;
  const more = nights.length - shown.length;
  return [
    '',
    renderHeading('runs', 'heading', context),
    context.paint('faint', row('', 'began (UTC)', COLUMNS)),
    ...shown.map((night) => row(markOf(night), dayOf(night.started), cellsOf(night))),
    ...legendOf(shown).map((line) => context.paint('faint', line)),
    ...(more > 0 ? [`  ${more} earlier, see history.json`] : []),
  ];
}
