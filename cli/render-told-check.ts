import type { CheckResult } from '../engine/result.ts';
import { plural, visibleLine, visibleText, wrapText } from '../reports/text.ts';
import type { ToldCheck } from './told-check.ts';

const LABEL = 12;
const MOST_LISTED = 8;
const MOST_SENT = 10;

const BASIS: Readonly<Record<ToldCheck['basis'], string>> = {
  stated: 'stated: it is written there',
  implied: 'implied: it follows from what is written',
  published: 'published: the site says it of itself; that it does otherwise than it says is a warning',
  doubtful: 'doubtful: written, but the software is known to differ, so that a difference is a warning',
};

/** What is known of a check as text. @param verdict what a run said of it; @param width columns of the terminal */
export function renderToldCheck(told: ToldCheck, verdict: CheckResult | undefined, width: number): string {
  const { section, kind, operation, needs } = told;
  const title = 'title' in section ? ` ${section.title}` : '';
  const lines = [
    told.id,
    ...field('asks', `${told.asks} (deployment ${told.deployment})`, width),
    ...(operation === undefined
      ? []
      : field('of', `${operation.methods.join(', ')} ${operation.route}${about(told)}`, width)),
    ...(verdict === undefined ? [] : verdictLines(verdict, width)),
    ...field('why', `§${section.section}${title}; ${BASIS[told.basis] ?? told.basis}`, width),
    ...told.requirements.flatMap(({ statement }) => field('', statement, width)),
    ...('clauses' in section && told.requirements.length === 0
      ? section.clauses.flatMap((clause) => field('', clause, width))
      : []),
    ...told.readings.flatMap(({ id, says }) => field('', `Ruling ${id}: ${says}`, width)),
    ...(kind === undefined ? [] : field('decides', kind.decides, width)),
    // Whole and on one line, whatever the width: it is there to be pasted.
    ...(told.declare === undefined ? [] : [`  ${'declare'.padEnd(LABEL)}${visibleLine(told.declare)}`]),
    ...field('needs', `mode ${needs.mode}${needs.user ? ' and a user' : ''}`, width),
    ...(told.sends === undefined ? [] : sentLines(told.sends, width)),
    ...listed('depends on', told.hangsOn, width),
    ...listed('blocks', told.blocks, width),
    ...listed('mutants', told.mutants, width),
    ...(told.mend === undefined ? [] : field('if it fails', told.mend, width)),
  ];
  return `${lines.join('\n')}\n`;
}

function about({ parameter }: ToldCheck): string {
  return parameter === undefined ? '' : `, its ${parameter}`;
}

function verdictLines(
  { verdict, message, expected, observed, reproduce = [], waived }: CheckResult,
  width: number,
): string[] {
  return [
    ...field('verdict', `${verdict}${message === undefined ? '' : `: ${message}`}`, width),
    ...(waived === undefined
      ? []
      : field('', `waived until ${waived.expires} by ${waived.owner}: ${waived.reason}`, width)),
    ...(expected === undefined ? [] : field('expected', expected, width)),
    ...(observed === undefined ? [] : field('observed', observed, width)),
    // A command is one line, whatever the width: it is there to be pasted.
    ...reproduce.map((line) => `  ${'repeat'.padEnd(LABEL)}${visibleLine(line)}`),
  ];
}

function sentLines(sends: NonNullable<ToldCheck['sends']>, width: number): string[] {
  if (sends.length === 0) return field('sends', 'nothing but the request for the index', width);
  const shown = sends.slice(0, MOST_SENT).flatMap(({ method, route, body, as, answer }, at) => {
    const carries = body === undefined ? '' : ` with ${body}`;
    return field(at === 0 ? 'sends' : '', `${method} ${route}${carries} (${as}: ${answer})`, width);
  });
  const more = sends.length - MOST_SENT;
  return more > 0 ? [...shown, ...field('', `… and ${plural(more, 'more request')}`, width)] : shown;
}

function listed(label: string, ids: readonly string[], width: number): string[] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, MOST_LISTED).flatMap((id, at) => field(at === 0 ? label : '', id, width));
  const more = ids.length - MOST_LISTED;
  return more > 0 ? [...shown, ...field('', `… and ${more} more`, width)] : shown;
}

function field(label: string, text: string, width: number): string[] {
  return wrapText(visibleText(text), width - LABEL - 2).map(
    (line, at) => `  ${(at === 0 ? label : '').padEnd(LABEL)}${line}`,
  );
}
