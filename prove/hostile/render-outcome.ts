import { JUDGEMENTS } from './miss.ts';
import type { ServerOutcome } from './run-server.ts';

/** One line for a run, and one more for each miss. */
export function renderOutcome({ server, misses, ran, requests }: ServerOutcome): string {
  const head = [
    misses.length === 0 ? 'held  ' : 'MISSED',
    server.name.padEnd(44),
    `exit ${ran.code ?? '-'}`,
    `${ran.seconds.toFixed(1)} s`.padStart(7),
    `${Math.round(ran.bytes / 1_000_000)} MB`.padStart(8),
    `${requests} requests`.padStart(14),
  ].join('  ');
  return [head, ...misses.map(({ judgement, why }) => `        ${judgement}: ${printable(why)}`)].join('\n');
}

/** The table at the end: how many runs missed each judgement, and which. */
export function renderTable(outcomes: readonly ServerOutcome[]): string {
  const rows = JUDGEMENTS.map((judgement) => {
    const missed = outcomes.filter(({ misses }) => misses.some((miss) => miss.judgement === judgement));
    return [
      judgement.padEnd(16),
      String(missed.length).padStart(4),
      missed.map(({ server }) => server.name).join(' '),
    ];
  });
  const missed = outcomes.filter(({ misses }) => misses.length > 0).length;
  const bytes = Math.max(0, ...outcomes.map(({ ran }) => ran.bytes));
  return [
    ...rows.map((row) => row.join('  ').trimEnd()),
    `${outcomes.length} servers, ${missed} missed, ${Math.round(bytes / 1_000_000)} MB at most`,
  ].join('\n');
}

/** Texts of a hostile server end up in reasons. */
function printable(text: string): string {
  return text
    .replaceAll(/[^ -~]/g, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
    .replaceAll('##', '# #');
}
