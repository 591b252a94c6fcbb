import type { RunMode } from '../client/mode.ts';
import type { ObservedAnswers } from '../client/observed/document.ts';
import type { Basis } from '../specs/operation-file.ts';
import type { Counterexample, Extent, FuzzCoverage, Phase, SearchesOfRun } from './fuzz-options.ts';
import type { SkipReason } from './skip.ts';

/** How a check ended. Only `pass` is green; a skip is never counted as passed. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'skip' | 'error';

/** Every verdict, in the order in which reports show them. */
export const VERDICTS: readonly Verdict[] = ['fail', 'error', 'warn', 'inconclusive', 'skip', 'pass'];

/**
 * What a check is about where that is not what the site does with a request: what its index declares, or that a plain
 * call is answered at all, which a denial does too.
 */
export type About = 'declaration' | 'answer';

/** One row of `checks` in `results.json`: the outcome of one check. `seconds` is wall time. */
export interface CheckResult {
  id: string;
  title: string;
  /** What reports group it under; absent in results of earlier versions. */
  area?: string;
  /** What it asks, whatever it asks it of; absent for a kind that the suite does not know, and from earlier versions. */
  kind?: string;
  section: string;
  basis: Basis;
  operation?: string;
  parameter?: string;
  /** Of a check of a route or a namespace: the namespace in the words of the target. */
  namespace?: string;
  /** Of a check of what records show: the field, or the member of one. */
  field?: FieldPlace;
  about?: About;
  /** Only of a skipped check. */
  skip?: SkipReason;
  /** The budget ended while the check was under way: it is inconclusive. */
  cut?: true;
  verdict: Verdict;
  /** Of a failure that a waiver covers: it stays a failure, and is not counted as one. */
  waived?: Waived;
  /** Of a failure that is known of the software and not waived: why it fails. `--waivers known` accepts it. */
  upstream?: { reason: string; link?: string };
  /** The clients that it concerns, of those that the run was made for. */
  clients?: readonly string[];
  /** Of a run beside a baseline: how this check stands against it; absent where nothing changed and nothing failed. */
  standing?: Standing;
  /** It failed, and did not each time that it was asked again: an inconclusive check. */
  unstable?: { failed: number; asked: number };
  message?: string;
  /** Of a failure of a declaration: what the index holds where it conforms, as JSON from its top level on. */
  declare?: string;
  expected?: string;
  observed?: string;
  reproduce?: string[];
  /** Of a declared enum that has more words than the contract, and lacks none: those words. */
  adds?: string[];
  /** Of an inconclusive check: how many valid calls were refused, and what a hints file may name good values of. */
  controls?: { tried: number; wanted: string[] };
  /** Whether it is a fuzz check, which draws its arguments. */
  fuzz?: true;
  /** Of a fuzz check, or one of sequences, that found something: each violation once, and what `run --replay` needs to evaluate exactly it again. */
  replay?: { sets: Counterexample[] };
  /** Of a fuzz check: what it tried. */
  tried?: FuzzCoverage;
  seconds: number;
}

/** Why a failure is accepted, in the words of who accepted it. */
export interface Waived {
  /** The id or glob of the waiver. */
  waiver: string;
  reason: string;
  owner: string;
  /** The last day on which it counts, as an ISO date. */
  expires: string;
  /** Where more is said, such as an issue or the place in the software. */
  link?: string;
  /** Of a check with several findings: the waivers that cover the others. */
  also?: Waived[];
}

/**
 * How a check stands against a baseline: fails now only, fails of what the baseline did not ask, persists, no longer fails,
 * or was reported then only.
 */
export type Standing = 'new' | 'found' | 'still' | 'fixed' | 'untold';

/** Whether what a check found shows only sometimes: it is inconclusive, and listed as findings are. */
export function isUnstableCheck({ verdict, unstable, replay }: CheckResult): boolean {
  return verdict === 'inconclusive' && (unstable !== undefined || replay !== undefined);
}

/** What is new against an earlier run, by check ids in the order of the plan. */
export interface BaselineReport {
  /** The earlier run: its id, and when it began. */
  run: string;
  started: string;
  /** What could not be compared, or not as usual, in sentences. */
  notes: string[];
  new: string[];
  /** Searches that fail now only, of sets that the baseline did not ask: nobody knows since when. Absent where there are none. */
  found?: string[];
  still: string[];
  /** Of those, the ones that a waiver covered which has expired or is gone: they count as what is new does. */
  unwaived?: string[];
  fixed: string[];
  /** Reported then, and inconclusive now: never fixed, never new. */
  untold: string[];
  /** Failed then, and are no longer asked, or no longer there. */
  vanished: string[];
  /** Failed, and not each time that they were asked again. */
  unstable: string[];
  /** What answers look like otherwise, by cause, the worst first; absent where nothing does, or a run did not note it. */
  answers?: AnswerChange[];
}

/** A cause of changes in answers that clients may notice. */
export interface AnswerChange {
  /** What a comparison of the two runs names it by. */
  id: string;
  class: 'exposed' | 'breaking' | 'unknown';
  /** One line of at most 120 characters. */
  headline: string;
  /** Who is hit, and what to do. */
  advice: string;
  /** The clients that it concerns, of those that the run was made for. */
  clients?: readonly string[];
}

/** What makes a run beside a baseline red, beside what is new. */
export type FailOn = 'found' | 'changes';

/** Whether anything is new against a baseline: something is, nothing is, or the run is inconclusive. */
export type News = 'new' | 'none' | 'untold';

/** What came of the waivers of a run. */
export interface WaiversReport {
  /** Failures that are covered. */
  waived: number;
  /** Waivers whose day is past: what they covered counts again. */
  expired: string[];
  /** Waivers that match no check of the contract. */
  unmatched: string[];
  /** Waivers all of whose checks pass: they can go. */
  passing: string[];
  /** In strict mode: how many are no longer needed, so that the run fails; absent without any. */
  refused?: number;
  /** Waivers that do not apply: they are for other versions of the software. */
  elsewhere?: string[];
  /** Waivers that applied although nobody named the version of the software for which they are. */
  unversioned?: string[];
}

/** What the target has beyond the contract, or a remark that is not worth a verdict. */
export interface Notice {
  id: string;
  message: string;
}

/** A fuzz check that the end of the run cut off, or kept from starting, and why. */
export interface UnfinishedSearch {
  check: string;
  operation?: string;
  /** The phases that were not finished; absent where the search never began. */
  phases?: Partial<Record<Phase, Extent>>;
  reason: string;
}

/** What the fuzz checks of a run tried together; `tried` of each check says it in full. */
export interface FuzzingReport extends Extent {
  /** Checks that began. */
  searches: number;
  violations: number;
  /** Violations that did not show each time. */
  unstable: number;
  /** Keywords of parameters and kinds of values: those with a tried value, and those without. */
  keywords: { tried: number; untried: number };
  pairs: { tried: number; possible: number };
  untried: UnfinishedSearch[];
}

/** How much of its plan a run has asked, where its caller left something out, or it ended before. */
export interface PartialRun {
  /** Checks that the contract gives rise to. */
  planned: number;
  /** Those that have a verdict but a skip: what waits for another finding, or needs more than the run had, was not asked. */
  asked: number;
  /** `asked` of `planned`, from 0 to 1. */
  share: number;
}

/** How many checks ended with each verdict; with waivers, failures that they cover apart. */
export type Counts = Record<Verdict, number> & { waived?: number };

/** The conclusion of a run, from which the exit code follows. */
export type Conclusion = 'conformant' | 'nonconformant' | 'inconclusive';

/** What a run was made for, beside checking a site. */
export type RunPurpose = 'certify' | 'watch';

/** The result document `results.json`, format 1; its schema is `specs/schemas/result.schema.json`. */
export interface RunResult {
  format: 1;
  tool: { name: string; version: string; contract: string };
  target: CheckedTarget;
  run: {
    id: string;
    started: string;
    seconds: number;
    mode: RunMode;
    seed: number;
    requests: number;
    retries: number;
    /** What the run was made for, where its author said so: a certificate, or watching what is being built. */
    purpose?: RunPurpose;
    /** The command that runs again what failed, from any folder; no secret is in it. */
    again?: string;
    /** What its searches drew and knew. */
    searches?: SearchesOfRun;
    /** Why the run ended before its plan did, such as a target that stopped answering. */
    ended?: string;
  };
  conclusion: Conclusion;
  /** Why the conclusion is what it is, in one sentence. */
  reason: string;
  /** Failures that a waiver covers are counted apart; together the number of checks. */
  counts: Counts;
  /** Only beside a baseline. */
  baseline?: BaselineReport;
  /** Only beside a baseline: the exit code follows from it. */
  news?: News;
  /** Only with waivers. */
  waivers?: WaiversReport;
  /** Only of a run that was narrowed or ended early. */
  partial?: PartialRun;
  /** Only where fuzz checks were asked. */
  fuzzing?: FuzzingReport;
  notices: Notice[];
  /** What was seen beside the verdicts, to compare it later. */
  observed?: { fields: ShownFields[] } & Partial<ObservedAnswers>;
  /** Only of a run that may write. */
  writing?: WritingReport;
  /** How far the target is on the way to its contract, and what to do next. */
  progress?: ProgressReport;
  /** Only where the run made records for its checks. */
  stage?: FixtureReport;
  checks: CheckResult[];
}

/** A namespace of the target beyond the contract: how much is there, and the built-in operation file that describes it. */
export interface BeyondNamespace {
  namespace: string;
  routes: number;
  methods: number;
  file?: string;
}

/** Where an operation is: its route has `{name}` for path parameters. */
export interface OperationPlace {
  namespace: string;
  route: string;
  methods: readonly string[];
  /** Parameters that the target calls otherwise: its names by the neutral ones. */
  words?: Record<string, string>;
}

/** What was checked: `target` of `results.json`. */
interface CheckedTarget {
  url: string;
  deployment: string;
  vocabulary: string;
  /** The deployment file, where it is none of the built-in ones: its path from the folder of the results. */
  deploymentFile?: string;
  /** Namespaces of the site that the deployment does not have; absent from results of older versions. */
  beyond?: BeyondNamespace[];
  /** Whether any TLS certificate was taken; absent where only trusted ones were. */
  insecure?: true;
  /** The operation files and features that `--deployment auto` chose. */
  composed?: { operations: string[]; features: string[] };
  index: string;
  /** The software of the site with its version, where the caller named it. */
  software?: string;
  /** Whether the run had a user. */
  as?: 'user' | 'anonymous';
  /** Where each operation of the contract is, in the words of the target. */
  operations?: Record<string, OperationPlace>;
}

/** A field of the records of a resource, or a member inside it, by the names of the target. */
export interface FieldPlace {
  resource: string;
  field: string;
  member?: string;
}

/** Names that every object shows, and those that only some show; sorted. */
export interface FieldNames {
  always: string[];
  sometimes: string[];
}

/** Which fields the records of a resource showed in one context, by name. */
export interface ShownFields extends FieldNames {
  resource: string;
  /** The operation that lists them. */
  operation: string;
  context: string;
  /** How many records were looked at. */
  records: number;
  /** The members of fields that are objects; `always` where every record has them. */
  inside?: Record<string, FieldNames>;
  /** There were more names than are noted. */
  cut?: true;
}

/** What a run made because its checks need it and the site did not have it. */
export interface FixtureReport {
  /** How many records, by resource. */
  made: Record<string, number>;
  requests: number;
  /** What the site did not create, and what that costs. */
  missing: {
    resource: string;
    /** What was wanted, such as `a protected one`. */
    name: string;
    why: string;
    /** The parameters whose checks need it; all where it is left out. */
    serves?: string[];
    /** Ids of the checks of that resource that were inconclusive all the same. */
    checks: string[];
  }[];
}

/** What a run wrote and whether anything was left; apart from the verdicts. */
export interface WritingReport {
  /** The word that every record of the run carried in its slug, and in title or text. */
  tag: string;
  created: number;
  removed: number;
  /** Own records that could not be removed. */
  left: { collection: string; id: number; why: string }[];
  /** What kept the last look from being complete. */
  doubts: string[];
  /** What else changed on the site meanwhile: ids that appeared and disappeared, by collection. */
  census: {
    collection: string;
    appeared: readonly number[];
    disappeared: readonly number[];
    /** Creations of the run whose answer named no record: what appeared may come from them. */
    unanswered?: number;
  }[];
  /** What was not counted one by one, before or after, and why. */
  uncounted?: { collection: string; when: 'before' | 'after'; reason: string }[];
  /** Uploads whose answer named no record: the site may have kept a file of each, which no route shows. */
  files?: number;
}

/** How many checks a contract requires of an area, of those that the run was asked for, and how many pass. */
export interface AreaProgress {
  area: string;
  required: number;
  passed: number;
}

/** What keeps the most required checks from passing. */
export interface NextStep {
  /** The id of the check that must pass first. */
  check: string;
  /** What it asks for, a sentence in the present tense. */
  title: string;
  /** Where it is about an operation that the target does not serve: that operation, in the words of the target. */
  serve?: { method: string; namespace: string; route: string };
  /** The id of the check of what the index has to list before, such as the namespace; `serve` says of what. */
  under?: string;
  /** Required checks that wait for it; itself is not counted. */
  waiting: number;
  /** Failures that are mostly fixed together with it: their ids, and how many required checks wait for those. */
  alike?: { checks: string[]; waiting: number };
}

/** How far a target is on the way to its contract: checks of doubtful requirements, and those not asked for, do not count. */
export interface ProgressReport {
  required: number;
  passed: number;
  /** Checks that were wanted as well, and whose failure only warns; absent where there are none. */
  advisory?: number;
  /** In the order of the plan. */
  areas: AreaProgress[];
  /** What to do next, the most wanted first. */
  next: NextStep[];
}
