import type { AnswerNotes } from '../../client/observed/document.ts';
import { listed, present } from '../../engine/text.ts';
import { loadObservedNames } from '../../specs/texts.ts';
import { type Difference, differing, evidence, FEW, type Pair, share } from './difference.ts';

/** Maximum number of names in one line. */
const MOST_NAMES = 5;
const NOT_MODIFIED = '304';

/** Whether lists still honour their arguments: filters match, and conditional requests are answered as such. */
export function compareAsked(pair: Pair<AnswerNotes>): Difference[] {
  const [asked = '', ...others] = pair.is.with ?? [];
  const [, name, value] = /^([\w-]+)(?:=|: )(.*)$/.exec(asked) ?? [];
  if (others.length > 0 || name === undefined || value === undefined) return [];
  return present([wholeDifference(pair, name), filterDifference(pair, name, value)]);
}

/** An unchanged answer was not sent again, and is now. */
function wholeDifference({ was, is }: Pair<AnswerNotes>, subject: string): Difference | undefined {
  const isWhole = is.accepted > 0 && is.statuses[NOT_MODIFIED] === undefined;
  if (was.statuses[NOT_MODIFIED] === undefined || was.accepted > 0 || !isWhole) return undefined;
  const statuses = { before: NOT_MODIFIED, after: Object.keys(is.statuses).join() };
  return differing('answer-whole', subject, false, statuses);
}

/** A value that no record has matched nothing, and matches something now. */
function filterDifference(
  { was, is }: Pair<AnswerNotes>,
  subject: string,
  value: string,
): Difference | undefined {
  const isUnmatched = Object.values(loadObservedNames().tour.unmatched).includes(value);
  const areLists = was.forms.list !== undefined && is.forms.list !== undefined;
  if (!isUnmatched || !areLists || was.records > 0 || is.records === 0) return undefined;
  return differing('answer-filter', subject, is.records >= FEW, {
    together: 'widens',
    evidence: evidence('no record', share(is.records, is.records, 'record').replace(/^\d+ of /, '')),
    isRoot: true,
  });
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
  const outer = ({ members = {} }: AnswerNotes): Set<string> =>
    new Set(Object.keys(members).filter((path) => !/[.[]/.test(path)));
  const [then, now] = [outer(was), outer(is)];
  const gone = [...then.difference(now).difference(explained)];
  const came = now.difference(then).difference(explained).size;
  if (gone.length > 0) {
    const evidence = listed(gone, MOST_NAMES);
    return [differing('answer-chosen', name, true, { after: 'missing', evidence })];
  }
  if (came === 0) return [];
  const evidence = `${share(came, now.size, 'member')} not asked for`;
  return [differing('answer-chosen', name, false, { after: 'not all that comes', evidence })];
}
