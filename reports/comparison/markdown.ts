import type { Change } from '../../compare/change.ts';
import type { ComparedSide, Comparison } from '../../compare/comparison.ts';
import type { Group } from '../../compare/groups.ts';
import type { ChangeClass } from '../../compare/law.ts';
import { codeSpan, escapeMarkdown } from '../escape-markdown.ts';
import { plural } from '../text.ts';
import { countsOf, dependingOn, obstacleOf, stretchesOf } from './words.ts';

const TITLES = { breaking: 'Breaking', unknown: 'Unknown', compatible: 'Compatible' } as const;
/** So many causes of a class stand open; the others are folded away. */
const MOST_OPEN: Readonly<Record<ChangeClass, number>> = { breaking: 30, unknown: 10, compatible: 3 };
/** A comment on a change request holds 65,536 characters. */
const MOST_CHARACTERS = 60_000;

/**
 * The comparison as Markdown for a comment or a summary: the worst first, as much as fits.
 * @param document where the whole comparison was written, if it was
 */
export function renderMarkdown(comparison: Comparison, document?: string): string {
  const { before, after, notes, groups } = comparison;
  const obstacle = obstacleOf(comparison);
  const lines = [
    '# What changed',
    '',
    ...(obstacle === undefined ? [] : [`**${escapeMarkdown(obstacle)}**`, '']),
    `${sideLine('Before', before)}  `,
    sideLine('After', after),
    '',
    `**${escapeMarkdown(countsOf(comparison))}**`,
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${escapeMarkdown(note)}`)]),
  ];
  const known = new Map(comparison.changes.map((change) => [change.id, change]));
  let size = lines.join('\n').length;
  let told = 0;
  for (const found of ['breaking', 'unknown', 'compatible'] as const) {
    const own = groups.filter((group) => group.class === found);
    for (const [at, entry] of entriesOf(own, found, known).entries()) {
      if (size + entry.length > MOST_CHARACTERS) {
        const close = at > MOST_OPEN[found] ? '\n\n</details>' : '';
        const where = document === undefined ? 'not shown here' : `in ${codeSpan(document)}`;
        return `${lines.join('\n')}${close}\n\n${plural(groups.length - told, 'more cause')}: ${where}.\n`;
      }
      lines.push(entry);
      size += entry.length + 1;
      told += 1;
    }
    if (own.length > MOST_OPEN[found]) lines.push('', '</details>');
  }
  return `${lines.join('\n')}\n`;
}

function sideLine(label: string, { url, kind, taken }: ComparedSide): string {
  return `${label}: ${url === '' ? '' : `${codeSpan(url)} `}(${kind} of ${escapeMarkdown(taken)})`;
}

/** The causes of a class, each with the heading that comes before it. */
function entriesOf(
  groups: readonly Group[],
  found: ChangeClass,
  known: ReadonlyMap<string, Change>,
): string[] {
  return groups.map((group, at) => {
    const isFold = at === MOST_OPEN[found];
    const fold = `<details><summary>${plural(groups.length - at, `more ${found} cause`)}</summary>`;
    const isNewOwner = isFold || group.owner !== groups[at - 1]?.owner;
    const advice = found === 'compatible' ? '' : ` ${escapeMarkdown(group.advice)}`;
    const depending = group.hanging.length === 0 ? '' : ` ${dependingOn(group)}.`;
    const sentence = stretchesOf(group, known)
      .map(({ text, isCode }) => (isCode ? codeSpan(text) : escapeMarkdown(text)))
      .join('');
    return [
      ...(at === 0 ? ['', `## ${TITLES[found]}: ${plural(groups.length, 'cause')}`] : []),
      ...(isFold ? ['', fold] : []),
      ...(isNewOwner ? ['', `### ${escapeMarkdown(group.owner)}`, ''] : []),
      `- ${sentence}${advice}${depending}`,
    ].join('\n');
  });
}
