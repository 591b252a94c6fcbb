import { type CheckResult, isUnstableCheck, type RunResult, type Waived } from '../../engine/result.ts';
import { isUnasked } from '../../engine/skip-reason.ts';
import { type Searched, searchedOf } from '../searched.ts';
import type { Night } from './document.ts';

/** What became of a check on one night: a letter of `NIGHT_LETTERS`, or a blank where the plan does not hold it. */
export type Letter = 'p' | 'f' | 'a' | 'w' | 'u' | 'i' | 'e' | '.' | ' ';

const LETTERS: readonly Letter[] = [' ', 'p', 'f', 'a', 'w', 'u', 'i', 'e', '.'];

/** What is kept of a run. */
export interface KeptNight {
  readonly head: Omit<Night, 'new' | 'found' | 'unwaived' | 'fixed' | 'vanished' | 'untold'>;
  readonly url: string;
  readonly deployment: string;
  readonly mode: RunResult['run']['mode'];
  /** Why failures are accepted, by the number of the check. */
  readonly waived: ReadonlyMap<number, Waived>;
  /** What became of the check with this number. */
  letter(check: number): Letter;
  /** What it searched; undefined for one that draws no arguments. */
  searched(check: number): Searched | undefined;
}

/** What is known of a check in every run. */
export type KeptCheck = Pick<CheckResult, 'id' | 'title' | 'section' | 'operation'>;

/** Runs as far as a history needs them: a byte for each check and night, so that a year of them fits into memory. */
export class Roll {
  readonly #numbers = new Map<string, number>();
  readonly checks: KeptCheck[] = [];
  readonly nights: KeptNight[] = [];

  /** Keeps what a history needs of a run; the run itself can be forgotten. */
  add({ checks, run, target, tool, ...result }: RunResult): void {
    const codes = new Uint8Array(this.checks.length + checks.length);
    const waived = new Map<number, Waived>();
    const searched = new Map<number, Searched>();
    for (const check of checks) {
      const number = this.#numberOf(check);
      codes[number] = LETTERS.indexOf(letterOf(check));
      if (check.waived !== undefined) waived.set(number, check.waived);
      const search = searchedOf(check, run.seed);
      if (search !== undefined) searched.set(number, search);
    }
    const { conclusion, counts, partial } = result;
    const { id, started, requests, seconds, ended, mode } = run;
    this.nights.push({
      head: {
        run: id,
        started,
        conclusion,
        counts,
        requests,
        seconds,
        version: tool.version,
        contract: tool.contract,
        index: target.index,
        ...(ended !== undefined && { ended }),
        ...(partial !== undefined && { partial }),
        complete: ended === undefined && partial === undefined,
      },
      url: target.url,
      deployment: target.deployment,
      mode,
      waived,
      letter: (number) => LETTERS[codes[number] ?? 0] ?? ' ',
      searched: (number) => searched.get(number),
    });
  }

  #numberOf({ id, title, section, operation }: CheckResult): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.checks.length;
    this.#numbers.set(id, number);
    this.checks.push({ id, title, section, ...(operation !== undefined && { operation }) });
    return number;
  }
}

/** What waits for another finding could not be told; what the run did not come to was not asked. */
function letterOf(check: CheckResult): Letter {
  if (isUnstableCheck(check)) return 'u';
  const { verdict, skip, waived } = check;
  switch (verdict) {
    case 'pass':
      return 'p';
    case 'warn':
      return 'w';
    case 'fail':
      return waived === undefined ? 'f' : 'a';
    case 'inconclusive':
      return 'i';
    case 'error':
      return 'e';
    default:
      return skip === undefined || isUnasked(skip) || skip.kind === 'ended' || skip.kind === 'over-budget'
        ? '.'
        : 'i';
  }
}
