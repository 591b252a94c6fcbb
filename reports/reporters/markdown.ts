import { isRemoved } from '../../engine/conclusion.ts';
import type { BaselineReport, CheckResult, RunResult } from '../../engine/result.ts';
import { plural, shorten } from '../../engine/text.ts';
import { placeOf, sectionName } from '../about-check.ts';
import { codeBlock, escapeMarkdown } from '../escape-markdown.ts';
import { digestNotices } from '../notices.ts';
import { howFar, isForAuthor, rootsOf, sentenceOf } from '../way-there.ts';
import { howItEnded } from '../what-stayed.ts';
import { sumUpStage } from '../what-was-made.ts';
import { CONCLUSIONS, describeUpstream, describeWaiver } from './describe.ts';
import { type RankedFindings, rankFindings } from './rank.ts';
import type { TextReporter } from './reporter.ts';

/** A comment on a change request holds 65,536 characters; bytes are never fewer. */
const MOST_BYTES = 60_000;
const LONGEST = 500;
const MOST_COMMANDS = 2;
const MOST_STEPS = 3;

/** Markdown for a comment on a change request or the summary of a job. */
export const markdownReporter: TextReporter = {
  name: 'markdown',
  label: 'Markdown',
  file: 'report.md',
  render: renderRunMarkdown,
};

type Operations = RunResult['target']['operations'];

interface Section {
  readonly title: string;
  readonly entries: readonly string[];
  /** Whether the heading counts them. */
  readonly numbered?: boolean;
}

/** A run as Markdown: the conclusion, what is new where there is a baseline, then the worst first, as much as fits. */
export function renderRunMarkdown(result: RunResult): string {
  const head = headOf(result);
  const parts = [head];
  let size = Buffer.byteLength(head);
  for (const { title, entries, numbered = true } of sectionsOf(result)) {
    let told = 0;
    for (const entry of entries) {
      const heading = numbered ? `${title} (${entries.length})` : title;
      const text = told === 0 ? `\n### ${heading}\n\n${entry}\n` : `${entry}\n`;
      if (size + Buffer.byteLength(text) > MOST_BYTES) break;
      parts.push(text);
      size += Buffer.byteLength(text);
      told += 1;
    }
    if (told < entries.length) {
      parts.push(`\n${plural(entries.length - told, 'more finding')} of “${title}”: see \`results.json\`.\n`);
    }
  }
  return parts.join('');
}

function headOf(result: RunResult): string {
  const { conclusion, reason, partial, target, run, counts, baseline, writing, stage } = result;
  const rows = Object.entries(counts);
  return [
    `## ${CONCLUSIONS[conclusion]}${partial === undefined ? '' : ' (PARTIAL)'}`,
    '',
    `${escapeMarkdown(target.url)} against deployment ${escapeMarkdown(target.deployment)}, mode ${run.mode}, run ${escapeMarkdown(run.id)}, seed ${run.seed}`,
    '',
    `${escapeMarkdown(reason)}.`,
    '',
    `| ${rows.map(([verdict]) => verdict).join(' | ')} |`,
    `| ${rows.map(() => '---:').join(' | ')} |`,
    `| ${rows.map(([, count]) => count).join(' | ')} |`,
    ...(baseline === undefined ? [] : ['', ...againstBaseline(baseline)]),
    ...farOf(result),
    ...(stage === undefined || stage.missing.length === 0
      ? []
      : ['', `The run ${short(sumUpStage(stage))}.`]),
    ...(writing === undefined || isRemoved(writing)
      ? []
      : ['', `**${howItEnded(writing)}**: see \`results.json\`.`]),
    '',
  ].join('\n');
}

/** How much of what is required passes. */
function farOf({ progress }: RunResult): string[] {
  const far = howFar(progress);
  return far === undefined ? [] : ['', `**${escapeMarkdown(far)}**`];
}

/** What to do next: what the most of the rest waits for. */
function nextOf(result: RunResult): Section {
  const steps = rootsOf(result).slice(0, MOST_STEPS);
  return {
    title: 'Next',
    entries: steps.map((step, at) => `${at + 1}. ${short(sentenceOf(step))}`),
    numbered: false,
  };
}

function short(text: string): string {
  return escapeMarkdown(shorten(text, LONGEST));
}

/** Words for members of a baseline that are not plain words themselves. */
const STANDINGS_COUNTED: Readonly<Record<string, string>> = {
  still: 'persisting',
  untold: 'inconclusive now',
};

function againstBaseline(baseline: BaselineReport): string[] {
  const counts = (['new', 'found', 'still', 'fixed', 'untold', 'vanished', 'unstable'] as const)
    .filter((kind) => kind !== 'found' || baseline.found !== undefined)
    .map((kind) => `${baseline[kind]?.length ?? 0} ${STANDINGS_COUNTED[kind] ?? kind}`)
    .join(', ');
  return [
    `Against run ${escapeMarkdown(baseline.run)} of ${escapeMarkdown(baseline.started)}: **${counts}**`,
    ...baseline.notes.map((note) => `- ${escapeMarkdown(shorten(note, LONGEST))}`),
  ];
}

function sectionsOf(result: RunResult): Section[] {
  const { checks, baseline, target } = result;
  const { operations } = target;
  const { lines, advice } = digestNotices(result);
  const ranked = rankFindings({ checks, ...(baseline !== undefined && { baseline }) });
  const { failures, errors, unstable, warnings, waived, isNew } = ranked;
  const full = (check: CheckResult): string => entryOf(check, ranked, operations);
  const failing: Section[] =
    baseline === undefined
      ? [{ title: 'Failures', entries: failures.map(full) }]
      : [
          { title: 'New failures', entries: failures.filter(isNew).map(full) },
          {
            title: 'Found by sets of arguments that were not asked before: nobody knows since when',
            entries: failures.filter(isFound).map(full),
          },
          {
            title: 'Failures that were there before',
            entries: failures.filter((one) => !isNew(one) && !isFound(one)).map(full),
          },
        ];
  const next = nextOf(result);
  return [
    ...(isForAuthor(result) ? [next, ...failing] : [...failing, next]),
    { title: 'Faults of the suite itself', entries: errors.map(full) },
    { title: 'Unstable: failed, but not each time', entries: unstable.map(full) },
    { title: 'Fixed', entries: (baseline?.fixed ?? []).map((id) => `- ${idOf(id)}`) },
    { title: 'Accepted deviations', entries: waived.map((one) => waivedEntry(one, operations)) },
    { title: 'Warnings', entries: warnings.map((one) => shortEntry(one, operations)) },
    {
      title: 'Notices',
      entries: [...lines, ...advice].map((line) => `- ${escapeMarkdown(shorten(line, LONGEST))}`),
    },
  ];
}

function isFound({ standing }: CheckResult): boolean {
  return standing === 'found';
}

function entryOf(check: CheckResult, { hangingOn }: RankedFindings, operations: Operations): string {
  const hanging = hangingOn(check.id);
  const commands = (check.reproduce ?? []).slice(0, MOST_COMMANDS).map((line) => shorten(line, LONGEST * 2));
  return [
    shortEntry(check, operations),
    ...field('expected', check.expected),
    ...field('observed', check.observed),
    ...(check.upstream === undefined
      ? []
      : [`  - ${escapeMarkdown(shorten(describeUpstream(check.upstream), LONGEST))}`]),
    ...(hanging === 0 ? [] : [`  - ${plural(hanging, 'check')} depend${hanging === 1 ? 's' : ''} on it`]),
    ...(check.declare === undefined
      ? []
      : ['  - declare in the index:', '', indented(codeBlock(shorten(check.declare, LONGEST * 2))), '']),
    ...(commands.length === 0 ? [] : ['', indented(codeBlock(commands.join('\n'))), '']),
  ].join('\n');
}

/** What the target has comes first, then our id of it. */
function shortEntry(check: CheckResult, operations: Operations): string {
  const { id, section, basis, title, message = title } = check;
  const place = placeOf(check, operations);
  const name = place === undefined ? '' : `${escapeMarkdown(shorten(place, LONGEST))} `;
  return `- ${name}${idOf(id)} (${escapeMarkdown(sectionName(section))}${basis === 'stated' || basis === section ? '' : `, ${basis}`}) ${escapeMarkdown(shorten(message, LONGEST))}`;
}

function waivedEntry(check: CheckResult, operations: Operations): string {
  const why = check.waived === undefined ? '' : describeWaiver(check.waived);
  return `${shortEntry(check, operations)}\n  - ${escapeMarkdown(shorten(why, LONGEST))}`;
}

function field(name: string, value: string | undefined): string[] {
  return value === undefined || value === ''
    ? []
    : [`  - ${name}: ${escapeMarkdown(shorten(value, LONGEST))}`];
}

function idOf(id: string): string {
  return `**${escapeMarkdown(shorten(id, LONGEST))}**`;
}

/** A block below an entry of a list. */
function indented(block: string): string {
  return block.replaceAll(/^/gm, '  ');
}
