import type { Contradiction, Difference } from '../probing/published/amendments.ts';
import type { LintFinding } from '../probing/published/lint-rules.ts';
import type { FilePlan } from '../probing/published/plan-files.ts';
import { plural, shorten, visibleLine, visibleText } from '../reports/text.ts';
import type { ReadSite } from './init-site.ts';

const MOST_FINDINGS = 50;
const MOST_DIFF_LINES = 400;
const LONGEST = 300;

/** What a site publishes, and what contradicts itself there, in lines for a terminal. */
export function describeInit(
  { composition, generated, difference, asked, unasked }: ReadSite,
  url: string,
): string {
  const operations = generated.files.reduce((sum, { file }) => sum + file.operations.length, 0);
  const lines = [
    `${url}: vocabulary ${composition.vocabulary.name}`,
    `  known: ${composition.files.join(', ')}`,
    `  published: ${plural(operations, 'operation')} of ${plural(generated.files.length, 'namespace')}`,
    ...generated.files.map(({ wire, file }) => {
      const resources = (file.resources ?? []).filter(({ kind }) => kind === 'records').length;
      return `    ${visibleLine(wire)}: ${plural(file.operations.length, 'operation')}, ${plural(resources, 'resource')}`;
    }),
    `  ${plural(asked, 'route')} asked for the schema of its records${unasked === 0 ? '' : `; ${unasked} more were not (--schemas N)`}`,
  ];
  return `${[...lines, ...describeDifference(difference), ...describeFindings(generated.findings)].join('\n')}\n`;
}

function describeDifference({ amended, kept, held }: Difference): string[] {
  if (amended.length + kept.length === 0) return ['  all of it is published as the built-in files say'];
  const files = held.length === 0 ? '' : ` (--contract ${held.join(' ')})`;
  return [
    ...(amended.length === 0
      ? []
      : [
          `  ${plural(amended.length, 'place')} that the site publishes otherwise than the built-in files say: the words of the site are the measure there (deployment.json, instead); --contract FILE holds it to a built-in file:`,
          ...contradictionLines(amended),
        ]),
    ...(kept.length === 0
      ? []
      : [
          `  ${plural(kept.length, 'place')} where the built-in files stay the measure${files}: a run reports ${kept.length === 1 ? 'it' : 'them'} as failed:`,
          ...contradictionLines(kept),
        ]),
  ];
}

/** Route by route, in the order of the contract. */
function contradictionLines(found: readonly Contradiction[]): string[] {
  const lines = found.map(({ at, message }) =>
    shorten(`    ${visibleLine(at)}: ${visibleLine(message)}`, LONGEST),
  );
  const more = lines.length - MOST_FINDINGS;
  return more > 0 ? [...lines.slice(0, MOST_FINDINGS), `    and ${more} more`] : lines;
}

function describeFindings(findings: readonly LintFinding[]): string[] {
  if (findings.length === 0) return ['  nothing in it contradicts itself'];
  const shown = findings.slice(0, MOST_FINDINGS);
  const more = findings.length - shown.length;
  return [
    `  ${plural(findings.length, 'contradiction')} in the site's own words (docs/published-lint.md); what contradicts itself is left out:`,
    ...shown.map(({ rule, place, message }) =>
      shorten(`    ${rule}: ${visibleLine(place)}: ${visibleLine(message)}`, LONGEST),
    ),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

/** What happens to the files of a working folder, with the differences. */
export function describePlans(plans: readonly FilePlan[], out: string): string {
  const told = plans.filter(({ what, conflicts }) => what !== 'same' || conflicts.length > 0);
  if (told.length === 0) return `${visibleLine(out)}: nothing has changed\n`;
  const lines = told.flatMap(({ path, what, diff, conflicts }) => [
    `${what === 'same' ? 'kept' : what} ${visibleLine(path)}`,
    ...conflicts.map((line) => `  conflict: ${shorten(visibleLine(line), LONGEST)}`),
    ...diffLines(diff),
  ]);
  return `${lines.join('\n')}\n`;
}

function diffLines(diff: string): string[] {
  if (diff === '') return [];
  const lines = visibleText(diff).trimEnd().split('\n').slice(1);
  const more = lines.length - MOST_DIFF_LINES;
  return more > 0 ? [...lines.slice(0, MOST_DIFF_LINES), `… ${plural(more, 'more line')}`] : lines;
}
