import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../../compare/change.ts';
import type { Comparison } from '../../compare/comparison.ts';
import type { Group } from '../../compare/groups.ts';
import { EXCEPTIONS } from '../../compare/kinds.ts';
import { visibleText, wrapText } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import { readValidated } from '../../specs/validators.ts';
import { UsageError } from './errors.ts';

const LABEL = 12;
const MOST_PLACES = 20;

/** Whether an id is one of a change or of a cause, as `diff` says it. */
export function isChangeId(id: string): boolean {
  return /^(?:chg|cause)-[0-9a-f]{12}$/.test(id);
}

/**
 * Explains a change, or a cause with its places: before, after, its class and why, and what to do.
 * @param path the comparison.json of `diff --out`, or the folder that holds it
 * @returns the exit code
 * @throws UsageError without a comparison, and where it has no such change; SpecError for a file that is none
 */
export function explainChange(
  id: string,
  path: string | undefined,
  { json, width }: { readonly json: boolean; readonly width: number },
): number {
  if (path === undefined) {
    throw new UsageError(`explain ${id}: add --comparison FILE, the comparison.json that "diff --out" wrote`);
  }
  const comparison = readComparison(path);
  const group = comparison.groups.find((one) => one.digest === id) ?? groupWith(comparison, id);
  const own = comparison.changes.filter(
    (one) => one.digest === id || (group?.digest === id && group.changes.includes(one.id)),
  );
  const [first] = own;
  if (first === undefined) throw new UsageError(`explain ${id}: ${path} has no such change`);
  const text = json
    ? JSON.stringify({ ...(group !== undefined && { cause: group }), changes: own }, undefined, 2)
    : linesOf(first, own, group, width).join('\n');
  print(process.stdout, `${text}\n`, Number.POSITIVE_INFINITY);
  return 0;
}

function readComparison(path: string): Comparison {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return readValidated<Comparison>(isFolder ? join(path, 'comparison.json') : path, 'comparison.schema.json');
}

/** The cause that a change is part of, or depends on. */
function groupWith({ groups, changes }: Comparison, digest: string): Group | undefined {
  const ids = new Set(changes.filter((one) => one.digest === digest).map(({ id }) => id));
  return groups.find((group) => [...group.changes, ...group.hanging].some((id) => ids.has(id)));
}

function linesOf(first: Change, own: readonly Change[], group: Group | undefined, width: number): string[] {
  const places = [...new Set(own.map(({ place }) => place))];
  const more = places.length > MOST_PLACES ? [`and ${places.length - MOST_PLACES} more`] : [];
  const { accepted } = first;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['class', `${first.class}: ${whyOf(first)}`],
    ['before', first.before ?? 'nothing'],
    ['after', first.after ?? 'nothing'],
    ['lost', first.lost?.join(', ')],
    ['gained', first.gained?.join(', ')],
    ['for example', first.example],
    ['seen', first.evidence],
    ['for', first.with?.join('; ')],
    ...[...places.slice(0, MOST_PLACES), ...more].map((place, at): [string, string] => [
      at === 0 ? 'in' : '',
      place,
    ]),
    [
      'depend on it',
      group === undefined || group.hanging.length === 0 ? undefined : group.hanging.join(', '),
    ],
    [
      'accepted',
      accepted && `until ${accepted.until} by ${accepted.owner}: ${accepted.reason} (${accepted.id})`,
    ],
    ['what to do', group?.advice],
  ];
  return [
    visibleText(group?.headline ?? `${first.place}: ${first.subject}`),
    ...rows.flatMap(([label, text]) => (text === undefined || text === '' ? [] : row(label, text, width))),
    ...(first.exchange === undefined
      ? []
      : [`  ${visibleText(first.exchange.before)}`, `  ${visibleText(first.exchange.after)}`]),
  ];
}

/** Why a change has its class, by the one law. */
function whyOf({ kind, effect, side }: Change): string {
  const exception = EXCEPTIONS.find((one) => one.kind === kind);
  if (exception !== undefined) return exception.reason;
  const what = side === 'sent' ? 'callers send' : 'callers receive';
  const words = {
    narrows: `less of what ${what} is possible than before`,
    widens: `more of what ${what} is possible than before`,
    incomparable: `some of what ${what} is no longer possible, and other things are`,
    unknown: `what it means for what ${what} is unknown`,
    none: `what ${what} is as it was`,
  } as const;
  return words[effect];
}

function row(label: string, text: string, width: number): string[] {
  return wrapText(visibleText(text), width - LABEL - 3).map(
    (line, at) => `  ${(at === 0 ? label : '').padEnd(LABEL)} ${line}`,
  );
}
