import { isDeepStrictEqual } from 'node:util';
import { TargetError } from '../../client/target-error.ts';
import { type Finding, findingId } from '../../engine/check.ts';
import { inconclusive } from '../../engine/findings.ts';
import type { KeptSet } from '../../engine/fuzz-options.ts';
import type { Session } from '../../engine/session.ts';
import { plural } from '../../engine/text.ts';
import type { Args } from '../../generators/wire-forms.ts';
import {
  type Evaluation,
  type Free,
  type FuzzSet,
  isViolation,
  keptSet,
  knownSets,
  type Property,
  type Search,
  seedOf,
} from './fuzz-sets.ts';
import { evaluateAgain } from './replay.ts';
import { TriedSets } from './tried-sets.ts';
import { shrunkBefore, type Violation, violationOf } from './violation.ts';

/** The most findings of one check, unless its property has another limit. */
const MOST_FINDINGS = 4;

/**
 * Evaluates sets of arguments by a property; a replay only kept ones. @returns a shrunk and confirmed finding for
 * each kind and set of arguments that matter, or one of what is undecided @throws TargetError if nothing was found
 */
export async function search(
  about: Search,
  sets: readonly FuzzSet[],
  property: Property,
): Promise<Finding[]> {
  const { session, check } = about;
  if (session.fuzz.replay === true) {
    const kept = session.fuzz.kept.filter((one) => one.check === check);
    const run = new SearchRun(about, property, kept.map(keptSet));
    await run.evaluateKept(kept);
    run.tried.close();
    return [...run.findings(), ...run.undecided];
  }
  const known = knownSets(session, check);
  const run = new SearchRun(about, property, [...known.map(keptSet), ...sets]);
  try {
    await run.evaluateKept(known);
    await run.evaluateAll(sets);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    run.tried.close(error.message);
    // Findings stay, however the search ended.
    if (run.findings().length === 0) throw error;
  }
  if (known.length + sets.length === 0) return [inconclusive('no set of arguments was to be tried')];
  const findings = run.findings();
  if (findings.length > 0) return findings;
  if (run.undecided.length > 0) return run.undecided.slice(0, 1);
  // If some sets pass, violations that another check reports do not block this one.
  return run.somePassed ? [] : run.violations.map(({ finding }) => finding);
}

/** Searches by a property that compares answers. If no set is accepted, nothing was compared. */
export async function searchComparing(
  about: Search,
  sets: readonly FuzzSet[],
  property: Property,
): Promise<Finding[]> {
  let compared = 0;
  const findings = await search(about, sets, {
    ...property,
    async evaluate(args, fresh) {
      const evaluated = await property.evaluate(args, fresh);
      if (evaluated.end === 'accepted') compared += 1;
      return evaluated;
    },
  });
  if (findings.length > 0 || compared > 0) return findings;
  return [inconclusive('no set of arguments was accepted, so that there was nothing to compare')];
}

/** A search and what it found so far. */
class SearchRun {
  readonly tried: TriedSets;
  readonly violations: Violation[] = [];
  /** Why sets are inconclusive. */
  readonly undecided: Finding[] = [];
  somePassed = false;
  readonly #about: Search;
  readonly #property: Property;

  constructor(about: Search, property: Property, sets: readonly FuzzSet[]) {
    this.#about = about;
    this.#property = property;
    this.tried = new TriedSets(about, sets, property.edges);
  }

  /** The findings of violations that no other check reports. */
  findings(): Finding[] {
    return this.violations.filter(isOwn).map((one) => withWitnesses(this.#about, one, this.tried));
  }

  async evaluateKept(kept: readonly KeptSet[]): Promise<void> {
    const { check, free } = this.#about;
    for (const one of kept) {
      const { first, replayed, kind, finding } = await evaluateAgain(one, () =>
        this.#property.evaluate(one.args, true),
      );
      const path = first === undefined ? '' : this.tried.note(keptSet(one), first);
      const names = Object.keys(one.args);
      this.tried.replayed({ id: one.id ?? findingId(check, neutralNames(names, free), kind), ...replayed });
      if (finding === undefined) this.somePassed = true;
      else if (replayed.end === 'there') {
        this.tried.found();
        const shows = replayed.shown < replayed.of ? 'sometimes' : 'always';
        const violation = { kind, names, shows, path, witnesses: 1 } as const;
        this.violations.push({ ...violation, finding: { ...finding, replay: one.args } });
      } else this.undecided.push(finding);
    }
  }

  /** Evaluates sets, and the rest of those with a violation, until there are enough findings. */
  async evaluateAll(sets: readonly FuzzSet[]): Promise<void> {
    const { mostFindings = MOST_FINDINGS } = this.#property;
    const isFull = (): boolean => this.violations.filter(isOwn).length >= mostFindings;
    const full = `the search ends at ${mostFindings} findings`;
    if (isFull() && sets.length > 0) return this.tried.close(full);
    const property = spared(this.#about.session, this.#property);
    const queue = [...sets];
    for (const set of queue) {
      const violation = await this.#evaluateOne(set, property);
      if (violation === undefined) continue;
      const isNew = !this.#takesOver(violation);
      this.violations.push(violation);
      const rest = restOf(set, violation);
      if (rest !== undefined && !isFull()) {
        queue.push(rest);
        this.tried.plan(rest);
      }
      if (!isOwn(violation)) continue;
      if (isNew) this.tried.found();
      if (isFull()) return this.tried.close(full);
    }
    this.tried.close();
  }

  /** Lets a violation take the place of those that need more arguments. @returns whether there were some */
  #takesOver(violation: Violation): boolean {
    const isCertain = (one: Violation): boolean => isOwn(one) && one.shows === 'always';
    const isMore = ({ kind, names }: Violation): boolean =>
      kind === violation.kind && violation.names.every((name) => names.includes(name));
    const larger = isCertain(violation) ? this.violations.filter((one) => isCertain(one) && isMore(one)) : [];
    for (const one of larger) {
      violation.witnesses += one.witnesses;
      this.violations.splice(this.violations.indexOf(one), 1);
    }
    return larger.length > 0;
  }

  /** Evaluates a set, and shrinks it if it shows something new. @returns the new violation */
  async #evaluateOne(set: FuzzSet, property: SparedProperty): Promise<Violation | undefined> {
    const evaluated = await property.evaluateSet(set.args);
    const path = this.tried.note(set, evaluated);
    const { finding } = evaluated;
    if (finding === undefined) {
      this.somePassed = true;
      return undefined;
    }
    if (!isViolation(finding)) {
      this.undecided.push(finding);
      return undefined;
    }
    const known = this.violations.find((one) => isShownBy(one, set, evaluated));
    if (known !== undefined) {
      known.witnesses += 1;
      return undefined;
    }
    const violation = await violationOf(this.#about.session, set, { ...evaluated, finding }, property, path);
    const likely = this.violations.find(
      (one) => one.kind === violation.kind && one.shows !== 'always' && violation.shows !== 'always',
    );
    if (likely === undefined) return violation;
    likely.witnesses += 1;
    return undefined;
  }
}

/** Whether a set shows a known violation: it has all arguments that matter, and its subject is one of them. */
function isShownBy({ kind, names }: Violation, { args, about }: FuzzSet, evaluated: Evaluation): boolean {
  return (
    evaluated.kind === kind &&
    names.every((name) => Object.hasOwn(args, name)) &&
    about.some(({ name }) => names.includes(name))
  );
}

/** A packed set without the arguments that matter, which would hide other violations; undefined if nothing is left. */
function restOf(set: FuzzSet, { names, shows }: Violation): FuzzSet | undefined {
  if (set.phase !== 'boundary' && set.phase !== 'pairs') return undefined;
  const isLeft = (name: string): boolean => !names.includes(name);
  const about = set.about.filter(({ name }) => isLeft(name));
  if (shows !== 'always' || names.length === 0 || about.length === 0) return undefined;
  return {
    ...set,
    args: Object.fromEntries(Object.entries(set.args).filter(([name]) => isLeft(name))),
    about,
  };
}

function isOwn({ finding }: Violation): boolean {
  return finding.kind !== 'blocked';
}

/** A property that sends no request with a known answer. */
interface SparedProperty extends Property {
  evaluateSet(args: Args): Promise<Evaluation>;
}

/** An evaluation of a search, by what it may be used for again. */
interface Seen {
  readonly evaluation: Evaluation;
  /** Whether it still counts as fresh: a violation that was just seen confirms itself once. */
  isUnspent: boolean;
  /** Whether it is of the counterexample of another search, which is evaluated once. */
  readonly isKnown: boolean;
}

/** Saves requests for a property of any value: subsets of an accepted set pass, and known counterexamples come first. */
function spared(session: Session, property: Property): SparedProperty {
  const { ofAnyValue: alike } = property;
  if (alike === undefined) return { ...property, evaluateSet: (args) => property.evaluate(args, false) };
  const accepted: { readonly args: Args; readonly evaluation: Evaluation }[] = [];
  const acceptedWith = (args: Args): Evaluation | undefined =>
    accepted.find((one) => holds(one.args, args))?.evaluation;
  const seen = new Map<string, Seen>();
  const ask = async (args: Args, fresh: boolean): Promise<Evaluation> => {
    const evaluation = await property.evaluate(args, fresh);
    if (evaluation.end === 'accepted' && evaluation.finding === undefined)
      accepted.push({ args, evaluation });
    return evaluation;
  };
  const evaluate = async (args: Args, fresh: boolean): Promise<Evaluation> => {
    const key = JSON.stringify(args);
    const before = seen.get(key);
    if (before !== undefined && (before.isUnspent || (before.isKnown && !fresh))) {
      if (fresh) before.isUnspent = false;
      return before.evaluation;
    }
    const passed = fresh ? undefined : acceptedWith(args);
    if (passed !== undefined) return passed;
    const evaluation = await ask(args, true);
    const isNew = !fresh && isViolation(evaluation.finding);
    if (isNew) seen.set(key, { evaluation, isUnspent: true, isKnown: false });
    return evaluation;
  };
  const evaluateKnown = async (args: Args): Promise<Evaluation> => {
    const key = JSON.stringify(args);
    const before = seen.get(key);
    if (before?.isKnown === true) return before.evaluation;
    const evaluation = await ask(args, true);
    seen.set(key, { evaluation, isUnspent: isViolation(evaluation.finding), isKnown: true });
    return evaluation;
  };
  return {
    ...property,
    evaluate,
    async evaluateSet(args) {
      for await (const shrunk of shrunkBefore(session, property, args)) {
        const isWhole = isDeepStrictEqual(args, shrunk.smallest);
        const isPart = holds(args, shrunk.smallest) || isDeepStrictEqual(args, shrunk.args);
        if (!isPart || !(isWhole || shrunk.alike === alike)) continue;
        const evaluation = await evaluateKnown(shrunk.smallest);
        if (isWhole || isViolation(evaluation.finding)) return evaluation;
      }
      return acceptedWith(args) ?? ask(args, false);
    },
  };
}

function holds(set: Args, part: Args): boolean {
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(set, name) && isDeepStrictEqual(set[name], value),
  );
}

/** The finding of a violation, with the arguments that matter and the number of sets that show it. */
function withWitnesses(
  { session, free }: Search,
  { finding, names, kind, shows, path, witnesses }: Violation,
  { judged }: TriedSets,
): Finding {
  const seed = seedOf(session, path);
  // An unstable violation cannot be shrunk reliably.
  const role = shows === 'always' ? 'what matters' : 'its arguments';
  const matter = names.length === 0 ? 'no argument matters' : `${role}: ${names.join(', ')}`;
  const parameters = neutralNames(names, free);
  return {
    ...finding,
    message: `${finding.message} (${matter}; shown by ${witnesses} of ${plural(judged, 'set')}, seed ${seed}, path ${path})`,
    witnesses: { parameters, kind, shows, seed, path, witnesses, judged },
  };
}

/** The neutral names of arguments; names without a parameter are unchanged. */
function neutralNames(names: readonly string[], free: readonly Free[]): string[] {
  const known = new Map(free.map(({ parameter: { wire, name } }) => [wire, name]));
  return names.map((name) => known.get(name) ?? name);
}
