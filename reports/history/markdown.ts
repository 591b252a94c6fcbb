import type { History, Series } from '../../compare/history/document.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
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
  markOf,
  restOf,
  spanOf,
  sparkline,
  standingOf,
} from './words.ts';

/** A step summary holds a megabyte, a comment on a change request 65,536 characters. */
const MOST_CHARACTERS = 60_000;
const MOST_NIGHTS = 30;
const MOST_CHECKS = 50;

/** The history as Markdown for a summary of a step or a comment: as many series as fit. */
export function renderHistoryMarkdown({ series, notes, runs }: History): string {
  const head = [
    '# Run by run',
    '',
    `${plural(runs.read, 'run')} in ${series.length} series`,
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${escapeMarkdown(note)}`)]),
  ].join('\n');
  let text = head;
  for (const [at, one] of series.entries()) {
    const part = [...headOf(one), ...(series.length > FEW_SERIES && isQuiet(one) ? [] : bodyOf(one))].join(
      '\n',
    );
    if (text.length + part.length > MOST_CHARACTERS) {
      return `${text}\n\n${series.length - at} more series are in \`history.json\`.\n`;
    }
    text += part;
  }
  return `${text}\n`;
}

function headOf(series: Series): string[] {
  const { target, nights } = series;
  const growth = growthOf(series);
  const fails = nights.map(({ counts }) => counts.fail).slice(-60);
  return [
    '',
    '',
    `## ${escapeMarkdown(target.url)}`,
    '',
    `${escapeMarkdown(spanOf(series))}`,
    '',
    `**${escapeMarkdown(standingOf(series))}**`,
    ...(nights.length < 2
      ? []
      : ['', `failed: ${sparkline(fails)} (${Math.min(...fails)} to ${Math.max(...fails)})`]),
    ...(growth === undefined ? [] : ['', growth]),
  ];
}

function bodyOf({ nights, failing, unstable, waived }: Series): string[] {
  const fresh = nights.at(-1)?.new ?? [];
  return [
    ...list(
      'new in the latest run',
      fresh.map((id) => escapeMarkdown(id)),
    ),
    ...list('failing, the longest first', failing.map(lineWith(lengthOf))),
    ...list('unstable', unstable.map(lineWith(restOf))),
    ...list('waived', waived.map(lineWith(lengthOf))),
    '',
    `| began (UTC) | ${COLUMNS.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(COLUMNS.length)}`,
    ...nights
      .slice(-MOST_NIGHTS)
      .map(
        (night) =>
          `| ${[`${dayOf(night.started)} ${markOf(night)}`.trim(), ...cellsOf(night)].join(' | ')} |`,
      ),
    ...legendOf(nights.slice(-MOST_NIGHTS)).flatMap((line) => ['', line]),
  ];
}

function list(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST_CHECKS;
  return [
    '',
    `### ${lines.length} ${heading}`,
    '',
    ...lines.slice(0, MOST_CHECKS).map((line) => `- ${line}`),
    ...(more > 0 ? [`- … and ${more} more`] : []),
  ];
}

/** A check with what is said of it. */
function lineWith<T extends { readonly id: string }>(says: (check: T) => string): (check: T) => string {
  return (check) => `${escapeMarkdown(check.id)}: ${escapeMarkdown(says(check))}`;
}
