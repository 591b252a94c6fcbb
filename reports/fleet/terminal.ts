import type { ExitCode, Fleet, FleetCheck, FleetTarget } from '../../compare/fleet.ts';
import type { ReportFile } from '../files.ts';
import { type RenderContext, renderField, renderHeading } from '../terminal/layout.ts';
import { createPaint, type Style } from '../terminal/paint.ts';
import { formatDuration, plural, visibleLine } from '../text.ts';
import { partialFleet } from './partial.ts';

/** How to render a fleet for a terminal. */
export interface FleetOptions {
  readonly colour: boolean;
  readonly width: number;
  readonly reports: readonly ReportFile[];
  /** Whether the conclusion is all that is shown. */
  readonly brief?: boolean;
}

/** A screen or two; `fleet.json` has all. */
const MOST_TARGETS = 40;
/** Those that are well are counted. */
const MOST_WELL = 10;
const MOST_CHECKS = 15;
const MOST_WORSE = 15;
const MOST_NAMESPACES = 15;
const SHOWN_NAMES = 5;
const LONGEST_NAME = 28;
/** From here on there is room for what is worth less. */
const WIDE = 100;
const LONGEST_REASON = 160;
const LONGEST = 600;

const WORDS: Readonly<Record<ExitCode, { word: string; style: Style }>> = {
  0: { word: 'ok', style: 'pass' },
  1: { word: 'FAIL', style: 'fail' },
  2: { word: 'CONFIG', style: 'warn' },
  3: { word: 'UNKNOWN', style: 'inconclusive' },
  4: { word: 'FAULT', style: 'error' },
};

/** A target that only fails as its baseline does is no failure of the fleet, and is not conformant either. */
const NOTHING_NEW = { word: 'nothing new', style: 'warn' } as const;

const CONCLUSIONS = { conformant: 'pass', nonconformant: 'fail', inconclusive: 'inconclusive' } as const;

/** The text of a fleet: its targets with the worst first, what fails on how many, what is worse, and the conclusion. */
export function renderFleet(fleet: Fleet, { colour, width, reports, brief }: FleetOptions): string {
  const context = { paint: createPaint(colour), width };
  if (brief === true) return `${conclusionLines(fleet, reports, context).join('\n').trimStart()}\n`;
  const lines = [
    ...targetLines(fleet, context),
    ...checkLines(fleet, context),
    ...worseLines(fleet, context),
    ...softwareLines(fleet, context),
    ...fleet.notes.flatMap((note) => ['', ...renderField('', `note: ${note}`, PLAIN, context)]),
    ...conclusionLines(fleet, reports, context),
  ];
  return `${lines.join('\n')}\n`;
}

const PLAIN = { indent: 0, labelWidth: 0, limit: LONGEST };

function targetLines({ targets }: Fleet, context: RenderContext): string[] {
  if (targets.length === 0) return [];
  const { paint, width } = context;
  const ill = targets.filter(({ exitCode }) => exitCode !== 0);
  const well = targets.filter(({ exitCode }) => exitCode === 0);
  const shown = [...ill, ...well.slice(0, MOST_WELL)].slice(0, MOST_TARGETS);
  const columns = columnsOf(shown, width);
  const stateWidth = Math.max('UNKNOWN'.length, ...shown.map((target) => stateOf(target).word.length));
  const others = columns.reduce((sum, { size }) => sum + size + 2, stateWidth + 2);
  const longest = Math.max('target'.length, ...shown.map(({ name }) => name.length));
  const nameWidth = Math.min(LONGEST_NAME, longest, width - others);
  const head = [
    'target'.padEnd(nameWidth),
    'state'.padEnd(stateWidth),
    ...columns.map(({ title, size }) => title.padStart(size)),
  ].join('  ');
  const lines = [
    renderHeading(plural(targets.length, 'target'), 'heading', context),
    paint('faint', head.slice(0, width)),
  ];
  for (const target of shown) {
    const { word, style } = stateOf(target);
    const cells = columns.map(({ value, size }) => value(target).padStart(size));
    lines.push(
      `${cut(target.name, nameWidth)}  ${paint(style, word.padEnd(stateWidth))}  ${cells.join('  ')}`,
    );
    if (target.exitCode > 1) {
      lines.push(...renderField('', target.reason, { ...PLAIN, indent: 4, limit: LONGEST_REASON }, context));
    }
  }
  const left = targets.length - shown.length;
  if (left > 0) {
    const wrong = ill.length - shown.filter(({ exitCode }) => exitCode !== 0).length;
    lines.push(
      paint(
        'faint',
        `… and ${left} more${wrong > 0 ? `, ${wrong} of them not ok` : ', none of them worse'}: see fleet.json`,
      ),
    );
  }
  return lines;
}

function stateOf({ exitCode, conclusion }: FleetTarget): { word: string; style: Style } {
  return exitCode === 0 && conclusion !== 'conformant' ? NOTHING_NEW : WORDS[exitCode];
}

interface Column {
  readonly title: string;
  readonly size: number;
  value(target: FleetTarget): string;
}

/** A column of which nothing can be told is left out. */
function columnsOf(targets: readonly FleetTarget[], width: number): Column[] {
  const compared = targets.some(({ baseline }) => baseline !== undefined);
  const waived = targets.some(({ counts }) => counts.waived !== undefined);
  const column = (title: string, value: Column['value']): Column => ({
    title,
    size: Math.max(title.length, ...targets.map((target) => value(target).length)),
    value,
  });
  return [
    column('fail', ({ counts }) => String(counts.fail)),
    ...(waived ? [column('waived', ({ counts }) => String(counts.waived ?? 0))] : []),
    ...(compared
      ? [
          column('new', ({ baseline }) => (baseline === undefined ? '-' : String(baseline.new))),
          column('fixed', ({ baseline }) => (baseline === undefined ? '-' : String(baseline.fixed))),
        ]
      : []),
    column('warn', ({ counts }) => String(counts.warn)),
    column('unknown', ({ counts }) => String(counts.inconclusive)),
    column('pass', ({ counts }) => String(counts.pass)),
    ...(width >= WIDE ? [column('requests', ({ requests }) => String(requests))] : []),
    column('time', ({ seconds }) => formatDuration(seconds)),
  ];
}

function checkLines({ checks, counts }: Fleet, context: RenderContext): string[] {
  const failing = checks.filter(({ fail }) => fail > 0);
  if (failing.length === 0) return [];
  return [
    '',
    renderHeading(`${plural(failing.length, 'check')} failing`, 'fail', context),
    ...failing.slice(0, MOST_CHECKS).flatMap((check) => checkLine(check, counts.targets, context)),
    ...more(failing.length - MOST_CHECKS, context),
  ];
}

function checkLine(
  { id, title, fail, new: fresh, targets }: FleetCheck,
  of: number,
  context: RenderContext,
): string[] {
  const label = `${fail} of ${of}`;
  const where = namesOf(targets, fail);
  return [
    ...renderField(
      label,
      `${id}${fresh > 0 ? ` (new on ${fresh})` : ''}: ${title}`,
      { ...PLAIN, labelWidth: Math.max(10, label.length + 2), labelStyle: 'strong' },
      context,
    ),
    ...renderField('', where, { ...PLAIN, indent: 10, textStyle: 'faint' }, context),
  ];
}

function worseLines({ targets }: Fleet, context: RenderContext): string[] {
  const worse = targets.filter(({ baseline }) => (baseline?.new ?? 0) > 0);
  if (worse.length === 0) return [];
  return [
    '',
    renderHeading(`${plural(worse.length, 'target')} worse than the baseline`, 'fail', context),
    ...worse
      .slice(0, MOST_WORSE)
      .flatMap(({ name, baseline }) =>
        renderField(
          cut(name, LONGEST_NAME).trimEnd(),
          `${baseline?.new} new: ${namesOf(baseline?.worst ?? [], baseline?.new ?? 0)}`,
          { ...PLAIN, labelWidth: LONGEST_NAME + 2, labelStyle: 'strong' },
          context,
        ),
      ),
    ...more(worse.length - MOST_WORSE, context),
  ];
}

/** What every target serves tells no two apart. */
function softwareLines({ software, targets }: Fleet, context: RenderContext): string[] {
  const known = targets.filter(({ namespaces }) => namespaces !== undefined).length;
  const uneven = software.filter(({ count }) => count < known);
  if (uneven.length === 0) return [];
  return [
    '',
    renderHeading('served by some', 'heading', context),
    ...uneven
      .slice(0, MOST_NAMESPACES)
      .flatMap(({ namespace, count, targets: names }) =>
        renderField(
          `${count} of ${known}`,
          `${namespace}: ${namesOf(names, count)}`,
          { ...PLAIN, labelWidth: 14 },
          context,
        ),
      ),
    ...more(uneven.length - MOST_NAMESPACES, context),
  ];
}

function conclusionLines(fleet: Fleet, reports: readonly ReportFile[], context: RenderContext): string[] {
  const { paint } = context;
  const { shard, run } = fleet;
  const part = shard === undefined ? '' : ` (PART ${shard.index}/${shard.of} of ${fleet.selected} targets)`;
  const partial = partialFleet(fleet);
  const word = `${fleet.conclusion.toUpperCase()}${partial === undefined ? '' : ' (PARTIAL)'}${part}`;
  const width = Math.max(0, ...reports.map(({ label }) => label.length)) + 2;
  return [
    '',
    renderHeading('conclusion of the fleet', 'heading', context),
    paint(CONCLUSIONS[fleet.conclusion], word),
    ...renderField('', fleet.reason, { ...PLAIN, indent: 2 }, context),
    ...(partial === undefined ? [] : renderField('', partial, { ...PLAIN, indent: 2 }, context)),
    `  ${plural(run.requests, 'request')} in ${formatDuration(run.seconds)}, ${run.parallel} at once, exit code ${fleet.exitCode}`,
    ...reports.map(({ label, path }) => visibleLine(`${label.padEnd(width)}${path}`)),
  ];
}

function namesOf(names: readonly string[], count: number): string {
  const shown = names.slice(0, SHOWN_NAMES);
  const left = count - shown.length;
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function more(left: number, { paint }: RenderContext): string[] {
  return left > 0 ? [paint('faint', `… and ${left} more: see fleet.json`)] : [];
}

function cut(name: string, width: number): string {
  const shown = visibleLine(name);
  return shown.length > width ? `${shown.slice(0, width - 1)}…` : shown.padEnd(width);
}
