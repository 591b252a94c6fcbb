import type { RunResult, Waived } from '../../engine/result.ts';
import { plural, shorten, visibleLine } from '../../engine/text.ts';
import { type RenderContext, renderField, renderHeading } from './layout.ts';

const DAY_MS = 86_400_000;
/** So many days before a waiver expires its owner has time to look again. */
const SOON = 14;
const MOST_NAMED = 10;
const LONGEST_LINK = 500;
const WAIVER = { indent: 2, labelWidth: 6, limit: 600 };
const REMARK = { indent: 2, labelWidth: 2, limit: 1000 };

/** A waiver, and the checks whose failures it covers. */
interface Use {
  readonly waived: Waived;
  readonly checks: readonly string[];
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
    ...uses.flatMap((use) => renderUse(use, context)),
    ...remarks.flatMap((remark) => renderField('-', visibleLine(remark), REMARK, context)),
  ];
}

function usesOf({ checks }: RunResult): Use[] {
  const all = checks.flatMap(({ id, waived }) =>
    waived === undefined ? [] : [waived, ...(waived.also ?? [])].map((one) => ({ id, waived: one })),
  );
  return [...Map.groupBy(all, ({ waived }) => waived.waiver)].flatMap(([, same]) => {
    const [first] = same;
    return first === undefined ? [] : [{ waived: first.waived, checks: same.map(({ id }) => id) }];
  });
}

/** The waiver with its words, what it covers where that is more than its name says, and its link whole, so that it can be copied. */
function renderUse({ waived, checks }: Use, context: RenderContext): string[] {
  const { waiver, reason, owner, expires, link } = waived;
  const words = visibleLine(`${waiver}: ${reason} (${owner}, until ${expires})`);
  const isAlone = checks.every((id) => id === waiver);
  const left = checks.length - MOST_NAMED;
  const named = checks.slice(0, MOST_NAMED).join(', ') + (left > 0 ? ` and ${left} more` : '');
  return [
    ...renderField(String(checks.length), words, WAIVER, context),
    ...(isAlone ? [] : renderField('', visibleLine(named), { ...WAIVER, textStyle: 'faint' }, context)),
    ...(link === undefined
      ? []
      : [' '.repeat(WAIVER.indent + WAIVER.labelWidth) + visibleLine(shorten(link, LONGEST_LINK))]),
  ];
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
          `${plural(unversioned.length, 'waiver')} applied to any version of the software: the version of this one is unknown (--software)`,
        ]),
  ];
}

function remark(names: readonly string[], what: string): string[] {
  if (names.length === 0) return [];
  const left = names.length - MOST_NAMED;
  return [`${what}: ${names.slice(0, MOST_NAMED).join(', ')}${left > 0 ? ` and ${left} more` : ''}`];
}
