import type { StageReport } from '../engine/result.ts';
import { plural, visibleLine } from '../engine/text.ts';

/** What a run made for its checks, in words: `made 12 posts, 9 pages for its checks with 31 requests`. */
export function whatWasMade({ made, requests }: StageReport): string {
  const records = Object.entries(made).map(([resource, count]) => `${count} ${resource}`);
  const what = records.length === 0 ? 'nothing could be made' : `made ${records.join(', ')}`;
  return visibleLine(`${what} for its checks with ${plural(requests, 'request')}`);
}

/** The same with how much of it is missing and what that costs, in one sentence. */
export function sumUpStage(stage: StageReport): string {
  const { missing } = stage;
  const untold = new Set(missing.flatMap(({ checks }) => checks)).size;
  if (missing.length === 0) return whatWasMade(stage);
  const cost =
    untold === 0 ? 'no check is left without an answer' : `${plural(untold, 'check')} inconclusive`;
  return `${whatWasMade(stage)}; ${missing.length} not made: ${cost} for it`;
}
