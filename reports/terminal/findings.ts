import type { Counterexample } from '../../engine/fuzz-options.ts';
import { type CheckResult, isUnstableCheck } from '../../engine/result.ts';
import { plural, shorten, visibleLine, wrapText } from '../../engine/text.ts';
import { groupByArea, placeOf, sectionName, sectionWithBasis } from '../about-check.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

type FindingVerdict = 'fail' | 'error' | 'warn' | 'inconclusive';

const HEADING: Record<FindingVerdict, (count: number) => string> = {
  fail: (count) => plural(count, 'failure'),
  error: (count) => `${plural(count, 'error')} of the suite itself, not of the site`,
  warn: (count) => `${plural(count, 'warning')}, where the specification is doubtful or only advises`,
  inconclusive: (count) => `${plural(count, 'check')} unstable: it failed, but not each time`,
};

/** How many are shown in full; failures get the room, the other two must not bury them. */
const MOST_SHOWN: Record<FindingVerdict, number> = { fail: 50, error: 10, warn: 10, inconclusive: 10 };

const FIELD = { indent: 5, labelWidth: 10, limit: 500 };
const MOST_COMMANDS = 3;
/** Long enough for a real request; what is cut cannot be copied anyway. */
const LONGEST_COMMAND = 2000;

/**
 * The checks with one verdict that no waiver covers, of the inconclusive ones those that are unstable, each with its id, section, title, what was expected, what came, the message and
 * the curl lines; beyond the limit only counted by area. No lines when no check has the verdict.
 */
export function renderFindings(
  verdict: FindingVerdict,
  checks: readonly CheckResult[],
  context: RenderContext,
): string[] {
  const findings = checks.filter((check) =>
    verdict === 'inconclusive'
      ? isUnstableCheck(check)
      : check.verdict === verdict && check.waived === undefined,
  );
  if (findings.length === 0) return [];
  const rest = findings.slice(MOST_SHOWN[verdict]);
  return [
    renderHeading(HEADING[verdict](findings.length), verdict, context),
    ...findings
      .slice(0, MOST_SHOWN[verdict])
      .flatMap((check, index) => ['', ...renderFinding(check, index + 1, verdict, context)]),
    ...(rest.length > 0 ? ['', ...wrapText(restLine(rest), context.width)] : []),
  ];
}

function renderFinding(
  check: CheckResult,
  position: number,
  verdict: FindingVerdict,
  context: RenderContext,
): string[] {
  const fields: [string, string | undefined][] = [
    ['message', check.message],
    ['expected', check.expected],
    ['observed', check.observed],
    ['known', check.upstream && `upstream: ${check.upstream.reason} (--waivers known)`],
  ];
  const { standing: word } = check;
  const standing = word === 'new' || word === 'found' ? context.paint('strong', `  ${word}`) : '';
  const named = check.basis === 'stated' ? sectionName(check.section) : sectionWithBasis(check);
  const place = placeOf(check, context.operations);
  const id = context.paint(place === undefined ? verdict : 'faint', visibleLine(check.id));
  const section = context.paint('faint', visibleLine(named));
  return [
    ...(place === undefined
      ? [`${String(position).padStart(3)}  ${id}  ${section}${standing}`]
      : [
          `${String(position).padStart(3)}  ${context.paint(verdict, place)}  ${section}${standing}`,
          `     ${id}`,
        ]),
    ...renderField('', visibleLine(check.title), { ...FIELD, labelWidth: 0 }, context),
    ...fields.flatMap(([label, text]) => (text ? renderField(label, text, FIELD, context) : [])),
    ...renderCommands('see', check.upstream?.link === undefined ? [] : [check.upstream.link], context),
    ...renderCommands('declare', check.declare === undefined ? [] : [check.declare], context),
    ...renderCommands('repeat', check.reproduce ?? [], context),
    ...renderSets(check.replay?.sets ?? [], context),
  ];
}

/** What a fuzz check found: the command that judges exactly that again, and each further finding with its own. */
function renderSets(sets: readonly Counterexample[], context: RenderContext): string[] {
  return sets.flatMap(({ message, reproduce = [], replay }, index) => [
    ...(index === 0
      ? []
      : [
          ...renderField('also', message, FIELD, context),
          ...renderCommands('repeat', reproduce.slice(0, 1), context),
        ]),
    ...renderCommands('replay', replay === undefined ? [] : [replay], context),
  ]);
}

/** Commands, and addresses, stand whole and unwrapped, each on one line, so that they can be copied into a shell. */
function renderCommands(name: string, commands: readonly string[], { paint }: RenderContext): string[] {
  const left = commands.length - MOST_COMMANDS;
  const lines = commands
    .slice(0, MOST_COMMANDS)
    .map((command) => visibleLine(shorten(command, LONGEST_COMMAND)));
  const all = left > 0 ? [...lines, `… and ${left} more in results.json`] : lines;
  return all.map((line, index) => {
    const label = (index === 0 ? name : '').padEnd(FIELD.labelWidth);
    return ' '.repeat(FIELD.indent) + paint('faint', label) + line;
  });
}

function restLine(rest: readonly CheckResult[]): string {
  const areas = [...groupByArea(rest)].map(([area, members]) => `${visibleLine(area)} ${members.length}`);
  return `… and ${rest.length} more, see results.json: ${shorten(areas.join(', '), 300)}`;
}
