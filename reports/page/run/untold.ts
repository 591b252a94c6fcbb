import type { CheckResult, RunResult } from '../../../engine/result.ts';
import { plural } from '../../../engine/text.ts';
import { command, cut, folded, html, type Part, section } from '../markup.ts';
import { named } from './failures.ts';
import { stateOf } from './map.ts';

const MOST_GROUPS = 80;
const MOST_NAMED = 20;
const MOST_WANTED = 12;

/** Checks that could not tell and those that were skipped, by reason, and what would let them tell. */
export function untold(result: RunResult): Part[] {
  const open = result.checks.filter((check) => stateOf(check) === 'inconclusive');
  const skipped = result.checks.filter(({ verdict }) => verdict === 'skip');
  return [
    open.length === 0
      ? undefined
      : section('untold', `${plural(open.length, 'check')} inconclusive`, hints(open), byReason(open)),
    skipped.length === 0
      ? undefined
      : section('skipped', `${plural(skipped.length, 'check')} skipped`, byReason(skipped)),
  ];
}

function byReason(checks: readonly CheckResult[]): Part[] {
  const groups = [...Map.groupBy(checks, reasonOf)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const rest = groups.slice(MOST_GROUPS);
  return [
    ...groups
      .slice(0, MOST_GROUPS)
      .map(([reason, own]) =>
        folded(
          html`<span><b>${own.length}</b> ${cut(reason, 400)} <em>${wayOf(own[0])}</em></span>`,
          named(own, MOST_NAMED),
        ),
      ),
    rest.length === 0
      ? undefined
      : html`<p class="quiet">and ${plural(rest.length, 'further reason')} in results.json</p>`,
  ];
}

function reasonOf({ skip, controls, message = 'no reason given' }: CheckResult): string {
  if ((controls?.wanted.length ?? 0) > 0) return 'the site refused every valid call that was tried';
  return skip?.kind === 'blocked' ? 'blocked by what another check reports' : message;
}

/** What would let a check tell, where the run knows. */
function wayOf(check: CheckResult | undefined): string {
  const { skip, controls } = check ?? {};
  if ((controls?.wanted.length ?? 0) > 0) return 'A hints file would make it conclusive.';
  switch (skip?.kind) {
    case 'credentials':
      return 'Run with --user.';
    case 'mode':
      return `Run with --mode ${skip.needs}.`;
    case 'blocked':
      return 'Fix that first.';
    case 'over-budget':
      return 'Run with a larger --budget.';
    case 'selection':
      return `Run without ${skip.option}.`;
    case 'ended':
      return 'Run again.';
    default:
      return '';
  }
}

/** The file of hints that would let checks tell, ready to be filled in. */
function hints(checks: readonly CheckResult[]): Part {
  const wanted = new Map<string, Set<string>>();
  for (const { operation, controls } of checks) {
    if (operation === undefined || controls === undefined) continue;
    const names = wanted.get(operation) ?? new Set();
    for (const name of controls.wanted) names.add(name);
    if (names.size > 0) wanted.set(operation, names);
  }
  if (wanted.size === 0) return undefined;
  const operations = Object.fromEntries(
    [...wanted]
      .slice(0, MOST_WANTED)
      .map(([operation, names]) => [
        operation,
        Object.fromEntries([...names].map((name): [string, string] => [name, 'a good value'])),
      ]),
  );
  return folded(
    `A file of hints for ${plural(wanted.size, 'operation')} would make more checks conclusive`,
    html`<p>The site refused every valid call that the suite could think of. Somebody who knows it writes good values into a file, and runs with <code>--hints FILE</code>${wanted.size > MOST_WANTED ? `; these are the first ${MOST_WANTED} of ${wanted.size} operations` : ''}:</p>`,
    command(JSON.stringify({ operations }, undefined, 2), 'A file of hints'),
  );
}
