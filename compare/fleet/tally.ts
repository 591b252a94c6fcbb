import { byText, defined } from '../../client/json.ts';
import { extentOf } from '../../engine/extent.ts';
import type { Conclusion, RunResult } from '../../engine/result.ts';
import { plural, present } from '../../engine/text.ts';
import type { ExitCode, Fleet, FleetCheck, FleetTarget, Shard } from './document.ts';

/** A target's share of a fleet: its row, and those of its failing checks. */
export interface TargetShare {
  readonly target: FleetTarget;
  readonly checks: readonly FleetCheck[];
}

interface TargetPlace extends Pick<FleetTarget, 'name' | 'folder' | 'exitCode' | 'seconds'> {
  readonly namespaces: readonly string[] | undefined;
}

/** The maximum length of a list of names; `results.json` has all of them. */
const MOST_NAMES = 20;

/** Sums up the result of one target for its fleet. */
export function targetShareOf(result: RunResult, place: TargetPlace): TargetShare {
  const { namespaces, ...known } = place;
  const { target, run, tool, baseline, conclusion, reason, counts } = result;
  const { url, deployment, vocabulary, index } = target;
  const { mode, started, requests } = run;
  const { isLow, ...extent } = extentOf(result.checks, mode);
  const fresh = new Set(baseline?.new);
  const failed = result.checks.filter(({ verdict }) => verdict === 'fail');
  const checks = failed.map((check): FleetCheck => {
    const { id, title, section, waived } = check;
    const counted = waived === undefined ? { fail: 1, waived: 0 } : { fail: 0, waived: 1 };
    const targets = waived === undefined ? [place.name] : [];
    return { id, area: check.area, title, section, ...counted, new: fresh.has(id) ? 1 : 0, targets };
  });
  const about = { url, deployment, vocabulary, mode, conclusion, reason, counts, started, requests, index };
  return {
    target: {
      ...known,
      ...about,
      seconds: run.seconds === 0 ? place.seconds : run.seconds,
      contract: tool.contract,
      failing: checks.flatMap(({ id, fail }) => (fail === 0 ? [] : [id])).slice(0, MOST_NAMES),
      ...defined({
        namespaces,
        partial: result.partial,
        extent: conclusion === 'conformant' && isLow ? extent : undefined,
        baseline: baselineOf(result),
      }),
    },
    checks,
  };
}

function baselineOf({ baseline }: RunResult): FleetTarget['baseline'] {
  return (
    baseline &&
    defined({
      run: baseline.run,
      started: baseline.started,
      new: baseline.new.length,
      found: baseline.found?.length,
      still: baseline.still.length,
      fixed: baseline.fixed.length,
      untold: baseline.untold.length,
      vanished: baseline.vanished.length,
      unstable: baseline.unstable.length,
      answers: baseline.answers?.length,
      worst: baseline.new.slice(0, MOST_NAMES),
    })
  );
}

/** The worst first: a fault of the suite hides everything else, and a configuration error says least about a target. */
const WORST_FIRST: readonly ExitCode[] = [4, 1, 3, 2, 0];

/** The members of a fleet that are not sums over its targets. */
export interface FleetAbout extends Pick<Fleet, 'tool' | 'configuration' | 'selected'> {
  readonly run: Omit<Fleet['run'], 'requests'>;
  readonly shard?: Shard | undefined;
  readonly parts?: number;
  readonly notes?: readonly string[];
}

/** Sums up a fleet one target at a time. It keeps a row of each target, and some names for each failing check. */
export class FleetTally {
  readonly #targets: FleetTarget[] = [];
  readonly #checks = new Map<string, FleetCheck>();

  add(targets: readonly FleetTarget[], checks: readonly FleetCheck[]): void {
    this.#targets.push(...targets);
    for (const row of checks) {
      const known = this.#checks.get(row.id);
      this.#checks.set(row.id, known === undefined ? row : sumOf(known, row));
    }
  }

  fleet(about: FleetAbout): Fleet {
    const targets = this.#targets.toSorted(worseFirst);
    const exitCode = targets[0]?.exitCode ?? 0;
    const counts = countsOf(targets);
    const conclusion = conclusionOf(counts, about);
    const { tool, run, configuration, selected, shard, parts, notes = [] } = about;
    return {
      format: 1,
      kind: 'fleet',
      tool,
      run: { ...run, requests: targets.reduce((sum, { requests }) => sum + requests, 0) },
      configuration,
      selected,
      ...defined({ shard, parts }),
      conclusion,
      reason: reasonOf(targets, counts, about),
      exitCode: exitCode === 0 && conclusion === 'inconclusive' ? 3 : exitCode,
      notes,
      counts,
      targets,
      checks: [...this.#checks.values()].toSorted(
        (one, other) =>
          other.new - one.new ||
          other.fail - one.fail ||
          other.waived - one.waived ||
          byText(one.id, other.id),
      ),
      software: softwareOf(targets),
    };
  }
}

/** A fleet without targets has no conclusion, but a part may be empty. */
function conclusionOf({ nonconformant, inconclusive }: Fleet['counts'], about: FleetAbout): Conclusion {
  if (nonconformant > 0) return 'nonconformant';
  const empty = about.selected === 0 || about.run.ended !== undefined;
  return inconclusive > 0 || empty ? 'inconclusive' : 'conformant';
}

/** Order: worst exit code, then most new failures, most failures, and name. */
function worseFirst(one: FleetTarget, other: FleetTarget): number {
  return (
    WORST_FIRST.indexOf(one.exitCode) - WORST_FIRST.indexOf(other.exitCode) ||
    (other.baseline?.new ?? 0) - (one.baseline?.new ?? 0) ||
    other.counts.fail - one.counts.fail ||
    byText(one.name, other.name)
  );
}

function countsOf(targets: readonly FleetTarget[]): Fleet['counts'] {
  const of = (conclusion: Conclusion): number =>
    targets.filter((target) => target.conclusion === conclusion).length;
  return {
    targets: targets.length,
    conformant: of('conformant'),
    nonconformant: of('nonconformant'),
    inconclusive: of('inconclusive'),
    compared: targets.filter(({ baseline }) => baseline !== undefined).length,
    worse: targets.filter(({ baseline }) => (baseline?.new ?? 0) > 0).length,
  };
}

function reasonOf(
  targets: readonly FleetTarget[],
  counts: Fleet['counts'],
  { run, shard }: FleetAbout,
): string {
  const whole = plural(counts.targets, 'target');
  if (counts.targets === 0) {
    return shard === undefined ? 'no target was checked' : `no target falls into ${shard.index}/${shard.of}`;
  }
  const codes = (code: ExitCode): number => targets.filter(({ exitCode }) => exitCode === code).length;
  return present([
    run.ended !== undefined && `the run ended early (${run.ended})`,
    counts.nonconformant > 0 && `${counts.nonconformant} of ${whole} nonconformant`,
    counts.compared > 0 && `${counts.worse} of ${counts.compared} worse than the baseline`,
    codes(4) > 0 && `${codes(4)} stopped at a fault of the suite itself`,
    codes(3) > 0 && `${codes(3)} could not be evaluated`,
    codes(2) > 0 && `${codes(2)} not configured right`,
    `${counts.conformant} of ${whole} conformant`,
  ]).join('; ');
}

/** Adds two rows of one check. Names of targets where it is new come first in both rows, and in the sum. */
function sumOf(one: FleetCheck, other: FleetCheck): FleetCheck {
  const names = [
    ...one.targets.slice(0, one.new),
    ...other.targets.slice(0, other.new),
    ...one.targets.slice(one.new),
    ...other.targets.slice(other.new),
  ];
  return {
    ...one,
    fail: one.fail + other.fail,
    waived: one.waived + other.waived,
    new: one.new + other.new,
    targets: names.slice(0, MOST_NAMES),
  };
}

function softwareOf(targets: readonly FleetTarget[]): Fleet['software'] {
  const pairs = targets.flatMap(({ name, namespaces }) =>
    [...new Set(namespaces)].map((namespace) => ({ namespace, name })),
  );
  return [...Map.groupBy(pairs, ({ namespace }) => namespace)]
    .map(([namespace, all]) => {
      const names = all.map(({ name }) => name).sort();
      return { namespace, count: names.length, targets: names.slice(0, MOST_NAMES) };
    })
    .toSorted((one, other) => byText(one.namespace, other.namespace));
}
