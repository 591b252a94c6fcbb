import type { CheckResult, RunResult, StageReport } from '../../../engine/result.ts';
import { plural } from '../../text.ts';
import { whatWasMade } from '../../what-was-made.ts';
import { cut, html, type Markup } from '../markup.ts';
import { folded, section } from '../parts.ts';
import { named } from './failures.ts';

const MOST_ROWS = 50;
const MOST_NAMED = 8;

/** The records that the run made for its checks, what is missing of them, and which checks that costs; undefined where it made none. */
export function stage({ stage: report, checks }: RunResult): Markup | undefined {
  if (report === undefined) return undefined;
  const { missing } = report;
  const known = new Map(checks.map((check) => [check.id, check]));
  const rest = missing.length - MOST_ROWS;
  return section(
    'stage',
    'Fixtures: records that the run made for its checks',
    html`<p>The run ${cut(whatWasMade(report), 2000)}${missing.length === 0 ? ', and all that they need is there' : ''}.</p>`,
    missing.length === 0 ? undefined : html`<h3>What could not be made, and what that costs</h3>`,
    missing.slice(0, MOST_ROWS).map((one) => lack(one, known)),
    rest > 0 ? html`<p class="quiet">and ${rest} more in results.json</p>` : undefined,
  );
}

function lack(
  { resource, name, why, checks }: StageReport['missing'][number],
  known: ReadonlyMap<string, CheckResult>,
): Markup {
  const words = html`<span><b>${cut(resource, 100)}</b>: ${cut(name, 300)}. <em>${cut(why, 300)}</em></span>`;
  const untold = checks.flatMap((id) => known.get(id) ?? []);
  if (untold.length === 0) {
    return html`<p class="lack">${words} <span class="quiet">No check is left without an answer for it.</span></p>`;
  }
  return folded(
    html`<span>${words} ${plural(checks.length, 'check')} inconclusive.</span>`,
    named(untold, MOST_NAMED),
  );
}
