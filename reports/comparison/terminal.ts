import type { Comparison } from '../../compare/comparison.ts';
import type { Group } from '../../compare/groups.ts';
import type { ChangeClass } from '../../compare/law.ts';
import { type RenderContext, renderField, renderHeading } from '../terminal/layout.ts';
import { createPaint, type Style } from '../terminal/paint.ts';
import { plural, visibleLine } from '../text.ts';
import { countsOf, dependingOn, obstacleOf } from './words.ts';

/** How to render a comparison for a terminal. */
export interface ComparisonOptions {
  readonly colour: boolean;
  readonly width: number;
  /** Where the whole comparison was written, if it was. */
  readonly document?: string;
}

const STYLES: Readonly<Record<ChangeClass, Style>> = {
  breaking: 'fail',
  unknown: 'inconclusive',
  compatible: 'pass',
};
/** Compatible changes are many after an upgrade; the document has them all. */
const MOST_COMPATIBLE = 20;
const LONGEST = 600;

/** The text of a comparison: what keeps it from telling anything, notes, the causes by class and namespace, then how many. */
export function renderComparison(
  comparison: Comparison,
  { colour, width, document }: ComparisonOptions,
): string {
  const context = { paint: createPaint(colour), width };
  const obstacle = obstacleOf(comparison);
  const lines = [
    ...(obstacle === undefined
      ? []
      : [...renderField('', obstacle, { ...LAYOUT, indent: 0, textStyle: 'inconclusive' }, context), '']),
    ...sideLines(comparison, context),
    ...comparison.notes.flatMap((note) => renderField('', `note: ${note}`, LAYOUT, context)),
  ];
  for (const found of ['breaking', 'unknown', 'compatible'] as const) {
    lines.push(...classLines(comparison.groups, found, context, document));
  }
  return [...lines, '', visibleLine(countsOf(comparison)), ''].join('\n');
}

const LAYOUT = { indent: 2, labelWidth: 0, limit: LONGEST };

function sideLines({ before, after }: Comparison, context: RenderContext): string[] {
  return [['before', before] as const, ['after', after] as const].flatMap(([label, side]) =>
    renderField(
      label,
      `${side.url}  ${side.kind} of ${side.taken}`,
      { indent: 0, labelWidth: 8, limit: LONGEST },
      context,
    ),
  );
}

function classLines(
  groups: readonly Group[],
  found: ChangeClass,
  context: RenderContext,
  document: string | undefined,
): string[] {
  const own = groups.filter((group) => group.class === found);
  if (own.length === 0) return [];
  const most = found === 'compatible' ? MOST_COMPATIBLE : own.length;
  const lines = ['', renderHeading(`${found}: ${plural(own.length, 'cause')}`, STYLES[found], context)];
  let owner = '';
  for (const group of own.slice(0, most)) {
    if (group.owner !== owner) lines.push(context.paint('strong', visibleLine(group.owner)));
    owner = group.owner;
    lines.push(...renderField('', group.sentence, LAYOUT, context));
    if (found !== 'compatible') {
      lines.push(...renderField('', group.advice, { ...LAYOUT, indent: 4, textStyle: 'faint' }, context));
    }
    if (group.hanging.length > 0) {
      lines.push(context.paint('faint', `    ${dependingOn(group)}`));
    }
  }
  const where = document === undefined ? '' : `, see ${visibleLine(document)}`;
  if (own.length > most) lines.push(`  … and ${own.length - most} more${where}`);
  return lines;
}
