import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Counterexample, KeptSet, Replayed } from '../engine/fuzz-options.ts';
import type { RunResult } from '../engine/result.ts';
import { visibleLine } from '../engine/text.ts';
import { readValidated } from '../specs/validators.ts';
import { UsageError } from './errors.ts';
import type { ResolvedTarget } from './resolve-targets.ts';

/** The folder below the one for reports where a replay writes its own. */
const REPLAY = 'replay';
/** Ids that an error names. */
const MOST_NAMED = 5;

/** What a replay is asked for. */
interface ReplayOptions {
  /** The id of a finding, or of a check: then all that it found. */
  readonly id: string;
  /** The file that holds it; the results of the last run unless given. */
  readonly results?: string | undefined;
}

/** Results as far as a replay reads them; those of an older version may lack what was added later. */
interface FoundBefore extends Pick<RunResult, 'target' | 'run'> {
  readonly checks: readonly {
    readonly id: string;
    readonly replay?: { readonly sets: readonly FoundSet[] };
  }[];
}

type FoundSet = Pick<Counterexample, 'args'> & Partial<Counterexample>;

/** The folder for the reports of a replay: those of the run that it repeats stay. */
export function replayFolder(out: string): string {
  return join(out, REPLAY);
}

/**
 * Narrows a run to what an earlier one found.
 * @throws UsageError where the results hold nothing to replay; SpecError for a file that breaks its schema
 */
export function withReplay(
  targets: readonly ResolvedTarget[],
  { id, results }: ReplayOptions,
): ResolvedTarget[] {
  const files = targets.map((target) => ({ target, file: fileOf(target, targets.length, results) }));
  if (files.every(({ file }) => file === undefined)) {
    throw new UsageError(
      `--replay ${id}: ${results ?? `${targets[0]?.out ?? ''} holds no results.json`}${results === undefined ? ' (--out names the folder, --results the file)' : ' is not there'}`,
    );
  }
  const known: string[] = [];
  const replayed = files.flatMap(({ target, file }) => {
    if (file === undefined) return [];
    const { checks } = readValidated<FoundBefore>(file, 'result.schema.json');
    const all = checks.flatMap((check) =>
      (check.replay?.sets ?? []).map((set) => ({ check: check.id, set })),
    );
    known.push(...all.flatMap(({ set }) => set.id ?? []));
    const wanted = all.filter(({ check, set }) => check === id || set.id === id);
    if (wanted.some(({ set }) => set.masked === true)) {
      throw new UsageError(
        `--replay ${id}: a secret in its arguments was masked, so that they cannot be sent again`,
      );
    }
    const kept = wanted.map(
      ({ check, set: { args, id: finding, shows } }): KeptSet => ({
        check,
        args,
        ...(finding !== undefined && { id: finding }),
        ...(shows !== undefined && { shows }),
      }),
    );
    const only = [...new Set(kept.map(({ check }) => check))];
    return kept.length === 0
      ? []
      : [{ ...target, only, skip: [], fuzz: { examples: 0, kept, replay: true as const } }];
  });
  if (replayed.length > 0) return replayed;
  const named = [...new Set(known)].slice(0, MOST_NAMED).map(visibleLine).join(', ');
  throw new UsageError(
    `--replay ${id}: the results hold nothing to replay under this id (${named === '' ? 'nothing at all: only what fuzz checks found can be replayed, --only repeats any other check' : `there are: ${named}`})`,
  );
}

/** Each of several deployments has a folder of its own below the one for reports. */
function fileOf(
  { out, deployment }: ResolvedTarget,
  targets: number,
  given: string | undefined,
): string | undefined {
  const own = join(out, deployment, 'results.json');
  const candidates = given !== undefined ? [given] : targets > 1 ? [own] : [join(out, 'results.json'), own];
  return candidates.map((path) => resolve(path)).find((path) => existsSync(path));
}

/** What a replay showed, set by set, and the exit code for it. */
interface ReplayEnd {
  readonly lines: readonly string[];
  /** 1 where anything is still there, else 3 where it cannot be told of something, else 0. */
  readonly code: 0 | 1 | 3;
}

/** Tells of each set that was replayed whether it is still there. @param runs what was to be replayed, and what came of it */
export function describeReplay(
  runs: readonly { readonly kept: readonly KeptSet[]; readonly result: RunResult | undefined }[],
): ReplayEnd {
  const ends = runs.flatMap(({ kept, result }) => {
    const seen = new Map<string, number>();
    return kept.map(({ check: id, id: finding = id }): Replayed => {
      const check = result?.checks.find((one) => one.id === id);
      const at = seen.get(id) ?? 0;
      seen.set(id, at + 1);
      const reason = check?.message ?? 'the run ended before';
      return check?.tried?.replayed?.[at] ?? { id: finding, end: 'untold', shown: 0, of: 0, reason };
    });
  });
  const has = (wanted: Replayed['end']): boolean => ends.some(({ end }) => end === wanted);
  return { lines: ends.map(lineOf), code: has('there') ? 1 : has('untold') || ends.length === 0 ? 3 : 0 };
}

const SAYS: Readonly<Record<Replayed['end'], string>> = {
  there: 'reproduced',
  gone: 'fixed',
  untold: 'inconclusive',
};

function lineOf({ id, end, shown, of, reason }: Replayed): string {
  const times = end === 'there' && shown < of ? `, unstable: ${shown} of ${of} times` : '';
  return visibleLine(`${SAYS[end]}: ${id}${times}${reason === undefined ? '' : ` (${reason})`}`);
}
