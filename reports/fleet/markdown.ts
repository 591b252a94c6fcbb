import type { ExitCode, Fleet, FleetTarget } from '../../compare/fleet.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { shorten } from '../text.ts';
import { partialFleet } from './partial.ts';

/** A comment on a change request holds 65,536 characters. */
const MOST_CHARACTERS = 60_000;
const MOST_CHECKS = 50;
const SHOWN_NAMES = 5;
const LONGEST_REASON = 300;

const STATES: Readonly<Record<ExitCode, string>> = {
  0: 'ok',
  1: '**fails**',
  2: '**not configured right**',
  3: '**could not be evaluated**',
  4: '**fault of the suite**',
};

/** A fleet as Markdown for a comment or a summary: the worst first, as much as fits; targets that are well are counted. */
export function renderFleetMarkdown(fleet: Fleet): string {
  const { conclusion, reason, counts, notes, shard } = fleet;
  const partial = partialFleet(fleet);
  const ill = fleet.targets.filter(({ exitCode }) => exitCode !== 0);
  const failing = fleet.checks.filter(({ fail }) => fail > 0);
  const sections = [
    `# Fleet: ${conclusion}${partial === undefined ? '' : ' (PARTIAL)'}${shard === undefined ? '' : ` (part ${shard.index} of ${shard.of})`}`,
    `**${escapeMarkdown(reason)}**`,
    ...(partial === undefined ? [] : [`**${partial}**`]),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${escapeMarkdown(note)}`).join('\n')]),
    ...table(
      'Targets',
      ['target', 'state', 'fail', 'new', 'fixed', 'why'],
      ill.map((target) => rowOf(target)),
    ),
    ...table(
      'Checks that fail',
      ['check', 'targets', 'new on', 'where'],
      failing
        .slice(0, MOST_CHECKS)
        .map(({ id, title, fail, new: fresh, targets }) => [
          `${escapeMarkdown(shorten(title, LONGEST_REASON))} \`${id}\``,
          `${fail} of ${counts.targets}`,
          String(fresh),
          namesOf(targets, fail),
        ]),
    ),
  ];
  return `${fitting(sections).join('\n\n')}\n`;
}

function rowOf({ name, exitCode, counts, baseline, reason, failing }: FleetTarget): string[] {
  const why =
    exitCode === 1
      ? namesOf((baseline?.new ?? 0) > 0 ? (baseline?.worst ?? []) : failing, counts.fail)
      : escapeMarkdown(shorten(reason, LONGEST_REASON));
  const against = baseline === undefined ? ['', ''] : [String(baseline.new), String(baseline.fixed)];
  return [escapeMarkdown(name), STATES[exitCode], String(counts.fail), ...against, why];
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [`## ${title}`, [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')];
}

function namesOf(names: readonly string[], count: number): string {
  const shown = names.slice(0, SHOWN_NAMES).map(escapeMarkdown);
  const left = count - shown.length;
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** As many lines as fit: a table that is cut is still one. */
function fitting(sections: readonly string[]): string[] {
  const kept: string[] = [];
  let size = 0;
  for (const section of sections) {
    const lines: string[] = [];
    for (const line of section.split('\n')) {
      size += line.length + 2;
      if (size > MOST_CHARACTERS) return [...kept, lines.join('\n'), 'More is in `fleet.json`.'];
      lines.push(line);
    }
    kept.push(lines.join('\n'));
  }
  return kept;
}
