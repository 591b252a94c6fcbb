import type { FuzzCoverage, PairCoverage, Tally, Untried } from '../engine/fuzz-options.ts';
import type { CheckResult } from '../engine/result.ts';

/** What the fuzz checks of a run tried for one operation. */
export interface TriedOperation {
  readonly operation: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly keywords: readonly (Tally & { readonly keyword: string })[];
    /** What none of the checks tried, with the reason. */
    readonly untried: readonly Omit<Untried, 'parameter'>[];
  }[];
  /** For each check, because it draws pairs of its own. */
  readonly pairs: readonly (PairCoverage & { readonly check: string })[];
  /** Checks that tried nothing, with the reason. */
  readonly skipped: readonly { readonly check: string; readonly reason: string }[];
}

/** What the fuzz checks of a run tried for each operation: accepted, refused, other answers, or never tried. */
export function triedValues(checks: readonly CheckResult[]): TriedOperation[] {
  const own = checks.filter(({ fuzz, operation }) => fuzz === true && operation !== undefined);
  return [...Map.groupBy(own, ({ operation }) => operation ?? '')].map(([operation, members]) => {
    const tried = members.flatMap((check) => check.tried ?? []);
    const names = new Set(
      tried.flatMap(({ parameters, untried }) => [
        ...untried.map(({ parameter }) => parameter),
        ...Object.keys(parameters),
      ]),
    );
    return {
      operation,
      parameters: [...names].sort().map((name) => triedParameter(name, tried)),
      pairs: members.flatMap(({ id, tried: one }) =>
        one === undefined ? [] : [{ check: id, ...one.pairs }],
      ),
      skipped: members
        .filter((check) => check.tried === undefined)
        .map(({ id, message = 'no reason given' }) => ({ check: id, reason: message })),
    };
  });
}

function triedParameter(name: string, tried: readonly FuzzCoverage[]): TriedOperation['parameters'][number] {
  const all = tried.flatMap(({ parameters }) => Object.entries(parameters[name] ?? {}));
  const tallies = Map.groupBy(all, ([keyword]) => keyword);
  const untried = new Map<string | undefined, string>();
  for (const { parameter, keyword, reason } of tried.flatMap((one) => one.untried)) {
    const elsewhere = keyword === undefined ? tallies.size > 0 : tallies.has(keyword);
    if (parameter === name && !elsewhere) untried.set(keyword, reason);
  }
  return {
    name,
    keywords: [...tallies].map(([keyword, own]) => {
      const sum = (end: keyof Tally): number => own.reduce((total, [, tally]) => total + tally[end], 0);
      return { keyword, accepted: sum('accepted'), refused: sum('refused'), other: sum('other') };
    }),
    untried: [...untried].map(([keyword, reason]) => ({ ...(keyword !== undefined && { keyword }), reason })),
  };
}
