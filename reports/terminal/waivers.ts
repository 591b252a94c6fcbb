import type { RunResult, Waived } from '../../engine/result.ts';
import { plural, visibleLine } from '../text.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

const DAY_MS = 86_400_000;
/** So many days before a waiver expires its owner has time to look again. */
const SOON = 14;
const MOST_NAMED = 10;
const WAIVER = { indent: 2, labelWidth: 6, limit: 600 };
const REMARK = { indent: 2, labelWidth: 2, limit: 1000 };

/** A waiver, and how many failures it covers. */
interface Use {
  readonly waived: Waived;
  readonly count: number;
}

/**
 * The failures that waivers cover, one line for each waiver, and what is to be done about the list; no lines without waivers. What
 * is about to expire is counted from the start of the run, so that the report can be made again.
 */
export function renderWaivers(result: RunResult, context: RenderContext): string[] {
  const uses = usesOf(result);
  const remarks = [...expiringSoon(uses, result.run.started), ...remarksOn(result)];
  const count = result.counts.waived ?? 0;
  if (count + remarks.length === 0) return [];
  return [
    renderHeading(
      count === 0 ? 'waivers' : `${plural(count, 'failure')} waived, not counted`,
      'heading',
      context,
    ),
    ...uses.flatMap(({ waived, count: times }) =>
      renderField(String(times), describe(waived), WAIVER, context),
    ),
    ...remarks.flatMap((remark) => renderField('-', visibleLine(remark), REMARK, context)),
  ];
}

function usesOf({ checks }: RunResult): Use[] {
  const all = checks.flatMap(({ waived }) => (waived === undefined ? [] : [waived, ...(waived.also ?? [])]));
  return [...Map.groupBy(all, ({ waiver }) => waiver)].flatMap(([, same]) => {
    const [waived] = same;
    return waived === undefined ? [] : [{ waived, count: same.length }];
  });
}

function describe({ waiver, reason, owner, expires, link }: Waived): string {
  const where = link === undefined ? '' : ` ${link}`;
  return visibleLine(`${waiver}: ${reason} (${owner}, until ${expires})${where}`);
}

function expiringSoon(uses: readonly Use[], started: string): string[] {
  return uses.flatMap(({ waived: { waiver, owner, expires } }) => {
    const days = Math.round(
      (Date.parse(expires) - Date.parse(started.slice(0, 'yyyy-mm-dd'.length))) / DAY_MS,
    );
    if (!(days <= SOON)) return [];
    const when = days <= 0 ? 'today' : `in ${plural(days, 'day')}`;
    return [`expires ${when}, on ${expires}: ${waiver} (${owner})`];
  });
}

/** What is to be done about the list itself. */
function remarksOn({ waivers }: RunResult): string[] {
  if (waivers === undefined) return [];
  const { expired, unmatched, passing, elsewhere = [], unversioned = [] } = waivers;
  return [
    ...remark(expired, 'expired, so that what it covered counts again'),
    ...remark(unmatched, 'matches no check of the contract'),
    ...remark(passing, 'no longer needed, because all of its checks pass'),
    ...remark(elsewhere, 'for another version of the software'),
    ...(unversioned.length === 0
      ? []
      : [
          `${plural(unversioned.length, 'waiver')} applied to any version of the software: which one this is was not told (--software)`,
        ]),
  ];
}

function remark(names: readonly string[], what: string): string[] {
  if (names.length === 0) return [];
  const left = names.length - MOST_NAMED;
  return [`${what}: ${names.slice(0, MOST_NAMED).join(', ')}${left > 0 ? ` and ${left} more` : ''}`];
}
