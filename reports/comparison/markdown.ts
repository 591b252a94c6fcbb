import type { Comparison } from '../../compare/comparison.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { countsOf, hangingOn } from './words.ts';

const TITLES = { breaking: 'Breaking', unknown: 'Unknown', compatible: 'Compatible' } as const;
/** A comment on a change request holds 65,536 characters. */
const MOST_CHARACTERS = 60_000;

/** The comparison as Markdown for a comment or a summary: the worst first, as much as fits. */
export function renderMarkdown(comparison: Comparison): string {
  const { before, after, notes, groups } = comparison;
  const lines = [
    '# What changed',
    '',
    `Before: ${escapeMarkdown(before.url)} (${before.kind} of ${escapeMarkdown(before.taken)})  `,
    `After: ${escapeMarkdown(after.url)} (${after.kind} of ${escapeMarkdown(after.taken)})`,
    '',
    `**${escapeMarkdown(countsOf(comparison))}**`,
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${escapeMarkdown(note)}`)]),
  ];
  let size = lines.join('\n').length;
  let told = 0;
  for (const found of ['breaking', 'unknown', 'compatible'] as const) {
    const own = groups.filter((group) => group.class === found);
    let owner: string | undefined;
    for (const [at, group] of own.entries()) {
      const hanging = group.hanging.length === 0 ? '' : ` ${hangingOn(group)}.`;
      const entry = [
        ...(at === 0 ? ['', `## ${TITLES[found]}`] : []),
        ...(group.owner === owner ? [] : ['', `### ${escapeMarkdown(group.owner)}`, '']),
        `- ${escapeMarkdown(group.sentence)}${found === 'compatible' ? '' : ` ${escapeMarkdown(group.advice)}`}${hanging}`,
      ].join('\n');
      if (size + entry.length > MOST_CHARACTERS) {
        return `${lines.join('\n')}\n\n${groups.length - told} more causes are in \`comparison.json\`.\n`;
      }
      owner = group.owner;
      lines.push(entry);
      size += entry.length + 1;
      told += 1;
    }
  }
  return `${lines.join('\n')}\n`;
}
