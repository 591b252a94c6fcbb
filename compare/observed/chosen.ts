import type { AnswerNotes } from '../../client/observed/document.ts';
import { listed } from '../../engine/text.ts';
import { loadObservedNames } from '../../specs/texts.ts';
import { type Difference, evidence, FEW, type Pair, share } from './difference.ts';

/** Maximum number of names in one line. */
const MOST_NAMES = 5;
const NOT_MODIFIED = '304';

/** Whether lists still honour their arguments: filters match, and conditional requests are answered as such. */
export function compareAsked(pair: Pair<AnswerNotes>): Difference[] {
  const [asked, ...others] = pair.is.with ?? [];
  const found =
    others.length > 0 ? undefined : /^(?<name>[\w-]+)(?:=|: )(?<value>.*)$/.exec(asked ?? '')?.groups;
  const { name, value } = found ?? {};
  if (name === undefined || value === undefined) return [];
  return [wholeDifference(pair, name), filterDifference(pair, name, value)].flatMap((one) => one ?? []);
}

/** An unchanged answer was not sent again, and is now. */
function wholeDifference({ was, is }: Pair<AnswerNotes>, subject: string): Difference | undefined {
  const isWhole = is.accepted > 0 && is.statuses[NOT_MODIFIED] === undefined;
  if (was.statuses[NOT_MODIFIED] === undefined || was.accepted > 0 || !isWhole) return undefined;
  return {
    kind: 'answer-whole',
    effect: 'unknown',
    subject,
    before: NOT_MODIFIED,
    after: Object.keys(is.statuses).join(),
  };
}

/** A value that no record has matched nothing, and matches something now. */
function filterDifference(
  { was, is }: Pair<AnswerNotes>,
  subject: string,
  value: string,
): Difference | undefined {
  if (
    !Object.values(loadObservedNames().tour.unmatched).includes(value) ||
    was.forms.list === undefined ||
    is.forms.list === undefined ||
    was.records > 0 ||
    is.records === 0
  )
    return undefined;
  return {
    kind: 'answer-filter',
    effect: is.records < FEW ? 'unknown' : 'widens',
    together: 'widens',
    subject,
    evidence: evidence('no record', share(is.records, is.records, 'record').replace(/^\d+ of /, '')),
    isRoot: true,
  };
}

/**
 * Whether answers hold exactly the requested members.
 * @param name the parameter that chooses them
 * @param explained members with a known change
 */
export function compareChosen(
  { was, is }: Pair<AnswerNotes>,
  name: string,
  explained: ReadonlySet<string>,
): Difference[] {
  if (was.records === 0 || is.records === 0) return [];
  const [then, now] = [was, is].map(
    ({ members = {} }) => new Set(Object.keys(members).filter((path) => !/[.[]/.test(path))),
  );
  if (then === undefined || now === undefined) return [];
  const gone = [...then].filter((one) => !now.has(one) && !explained.has(one));
  const came = [...now].filter((one) => !then.has(one) && !explained.has(one));
  const about = { kind: 'answer-chosen', subject: name } as const;
  if (gone.length > 0) {
    return [{ ...about, effect: 'widens', after: 'missing', evidence: listed(gone, MOST_NAMES) }];
  }
  if (came.length === 0) return [];
  const evidence = `${share(came.length, now.size, 'member')} not asked for`;
  return [{ ...about, effect: 'unknown', after: 'not all that comes', evidence }];
}
