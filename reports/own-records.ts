import type { FixtureReport, WritingReport } from '../engine/result.ts';
import { listed, plural, visibleLine } from '../engine/text.ts';

/** Records of one reason that a line names. */
const MOST_IDS = 10;

/** What a clean-up could not remove, or not verify. */
interface Leftovers {
  readonly left: readonly { readonly collection: string; readonly id: number; readonly why: string }[];
  readonly doubts: readonly string[];
}

/** How the removal ended, in a few words: what is there apart from what could not be verified. */
export function howItEnded({ left, doubts }: WritingReport): string {
  if (left.length > 0) return 'NOT ALL REMOVED';
  return doubts.length > 0 ? 'REMOVAL NOT VERIFIED' : 'all removed';
}

/** A line for the records that are still there for one reason, and for each thing that could not be verified. */
export function leftoverLines({ left, doubts }: Leftovers): string[] {
  const byReason = Map.groupBy(left, ({ collection, why }) => JSON.stringify([collection, why]));
  const stayed = [...byReason.values()].map((some) => {
    const [{ collection, why } = { collection: '', why: '' }] = some;
    const ids = some.map(({ id }) => id);
    return `${collection} ${listed(ids, MOST_IDS)} ${some.length === 1 ? 'is' : 'are'} still there: ${why}`;
  });
  return [...stayed, ...doubts];
}

/** How many records a run has made: a creation that was not answered truly is known by its removal alone. */
export function createdBy({ created, removed }: WritingReport): number {
  return Math.max(created, removed);
}

/** A line for each collection that changed otherwise meanwhile, or could not be counted. */
export function otherChanges({ census, uncounted = [] }: WritingReport): string[] {
  return [
    ...census.map(describeDifference),
    ...uncounted.map(
      ({ collection, when, reason }) =>
        `${collection} could not be counted one by one ${when} the run: ${reason}`,
    ),
  ];
}

function describeDifference({
  collection,
  appeared,
  disappeared,
  unanswered,
}: WritingReport['census'][number]): string {
  const ids = [...appeared.map((id) => `+${id}`), ...disappeared.map((id) => `-${id}`)].join(' ');
  const hands =
    unanswered === undefined
      ? 'by other hands'
      : `by other hands, or by ${plural(unanswered, 'creation')} of this run whose answer named no record`;
  return `${collection}: ${appeared.length} appeared and ${disappeared.length} disappeared meanwhile, ${hands} (${ids})`;
}

/** What a run made for its checks, in words: `made 12 posts, 9 pages for its checks with 31 requests`. */
export function fixturesMade({ made, requests }: FixtureReport): string {
  const records = Object.entries(made).map(([resource, count]) => `${count} ${resource}`);
  const what = records.length === 0 ? 'nothing could be made' : `made ${records.join(', ')}`;
  return visibleLine(`${what} for its checks with ${plural(requests, 'request')}`);
}

/** The same with how much of it is missing and what that costs, in one sentence. */
export function sumUpFixtures(stage: FixtureReport): string {
  const { missing } = stage;
  const inconclusive = new Set(missing.flatMap(({ checks }) => checks)).size;
  if (missing.length === 0) return fixturesMade(stage);
  const cost =
    inconclusive === 0
      ? 'no check is left without an answer'
      : `${plural(inconclusive, 'check')} inconclusive`;
  return `${fixturesMade(stage)}; ${missing.length} not made: ${cost} for it`;
}

/** Whether a run wrote nothing, and left and noticed nothing. */
export function isSilent(writing: WritingReport): boolean {
  const { left, doubts, census, uncounted = [] } = writing;
  return createdBy(writing) + left.length + doubts.length + census.length + uncounted.length === 0;
}
