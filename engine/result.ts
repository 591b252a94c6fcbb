import type { RunMode } from '../client/mode.ts';
import type { ObservedAnswers } from '../client/observed/document.ts';
import type { Basis } from '../specs/operation-file.ts';
import type { Counterexample, Extent, FuzzCoverage, SearchesOfRun, SearchPhase } from './fuzz-options.ts';
import type { SkipReason } from './skip.ts';

/** How a check ended. Only `pass` is green; a skip never counts as passed. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'skip' | 'error';

/** Every verdict, in the order in which reports show them. */
export const VERDICTS: readonly Verdict[] = ['fail', 'error', 'warn', 'inconclusive', 'skip', 'pass'];

/** What a check is about, if not behaviour: a declaration, or that a plain call is answered, even by a denial. */
export type About = 'declaration' | 'answer';

/** One row of `checks` in `results.json`: the outcome of one check. `seconds` is wall time. */
export interface CheckResult {
  id: string;
  title: string;
  area: string;
  /** The kind of requirement; absent for unknown kinds. */
  kind?: string;
  section: string;
  basis: Basis;
  operation?: string;
  parameter?: string;
  /** For a check of a route or a namespace: the namespace in the words of the target. */
  namespace?: string;
  /** For a check of fields of records: the field, or a member of one. */
  field?: FieldPlace;
  about?: About;
  skip?: SkipReason;
  /** The budget ended during the check, so it is inconclusive. */
  cut?: true;
  verdict: Verdict;
  /** For a failure that a waiver covers. It stays a failure, but is not counted as one. */
  waived?: Waived;
  /** For a known failure of the software that is not waived: why it fails. `--waivers known` accepts it. */
  upstream?: { reason: string; link?: string };
  /** The clients that it affects, of those given to the run. */
  clients?: readonly string[];
  /** The standing against the baseline; absent if nothing changed and nothing failed. */
  standing?: Standing;
  /** The check failed, but not on every retry; it is inconclusive. */
  unstable?: { failed: number; asked: number };
  message?: string;
  /** For a failed declaration: the JSON of an index that conforms, from its top level. */
  declare?: string;
  expected?: string;
  observed?: string;
  reproduce?: string[];
  /** For a declared enum with more words than the contract and none missing: those words. */
  adds?: string[];
  /** For an inconclusive check: refused valid calls, and parameters that a hints file could help with. */
  controls?: { tried: number; wanted: string[] };
  /** Whether it is a fuzz check, which draws its arguments. */
  fuzz?: true;
  /** For a fuzz or sequence check: each violation once, with what `run --replay` needs to evaluate it again. */
  replay?: { sets: Counterexample[] };
  tried?: FuzzCoverage;
  seconds: number;
}

/** Why a failure is accepted, in the words of its owner. */
export interface Waived {
  /** The id or glob of the waiver. */
  waiver: string;
  reason: string;
  owner: string;
  /** The last day on which it applies, as an ISO date. */
  expires: string;
  /** A link to more information, such as an issue or the source of the software. */
  link?: string;
  /** For a check with several findings: the waivers that cover the others. */
  also?: Waived[];
}

/** How a check compares with a baseline: new, found by new sets, persisting, fixed, or now inconclusive. */
export type Standing = 'new' | 'found' | 'still' | 'fixed' | 'untold';

/** Whether a violation shows only on some retries. It is inconclusive, and listed like a finding. */
export function isUnstableCheck({ verdict, unstable, replay }: CheckResult): boolean {
  return verdict === 'inconclusive' && (unstable !== undefined || replay !== undefined);
}

/** The comparison with an earlier run: check ids in the order of the plan. */
export interface BaselineReport {
  /** The id of the earlier run, and its start. */
  run: string;
  started: string;
  /** Limits of the comparison, in sentences. */
  notes: string[];
  new: string[];
  /** Searches that fail now on sets that the baseline did not send, so that since when is unknown. */
  found?: string[];
  still: string[];
  /** Failures of both runs whose waiver has expired or is gone. They count like new ones. */
  unwaived?: string[];
  fixed: string[];
  /** Reported then, and inconclusive now: neither fixed nor new. */
  untold: string[];
  /** Failed then, and now not run or not in the contract. */
  vanished: string[];
  /** Failed, but not on every retry. */
  unstable: string[];
  /** Changes in answers by cause, the worst first; absent if there are none or a run did not note answers. */
  answers?: AnswerChange[];
}

/** A cause of changes in answers that clients may notice. */
export interface AnswerChange {
  /** Its id in a comparison of the two runs. */
  id: string;
  class: 'exposed' | 'breaking' | 'unknown';
  /** One line of at most 120 characters. */
  headline: string;
  /** Who is affected, and what to do. */
  advice: string;
  /** The clients that it affects, of those given to the run. */
  clients?: readonly string[];
}

/** What else makes a run with a baseline fail. */
export type FailOn = 'found' | 'changes';

/** Whether anything is new against a baseline; `untold` is inconclusive. */
export type News = 'new' | 'none' | 'untold';

export interface WaiversReport {
  waived: number;
  /** Expired waivers. Their failures count again. */
  expired: string[];
  /** Waivers that match no check of the contract. */
  unmatched: string[];
  /** Waivers whose checks all pass. They can be removed. */
  passing: string[];
  /** In strict mode: how many are no longer needed, which fails the run. Absent if there are none. */
  refused?: number;
  /** Waivers for other versions of the software, which do not apply. */
  elsewhere?: string[];
  /** Waivers for some versions that applied because nobody named the version of the software. */
  unversioned?: string[];
}

/** What the target has beyond the contract, or a remark without a verdict. */
export interface Notice {
  id: string;
  message: string;
}

/** The sum of what the fuzz checks of a run tried. `tried` of each check has the details. */
export interface FuzzingReport extends Extent {
  searches: number;
  violations: number;
  unstable: number;
  /** Keywords of parameters and kinds of values, with and without a tried value. */
  keywords: { tried: number; untried: number };
  pairs: { tried: number; possible: number };
  /** Fuzz checks that the end of the run cut off or prevented, with the reason. */
  untried: {
    check: string;
    operation?: string;
    /** The unfinished phases; absent if the search did not begin. */
    phases?: Partial<Record<SearchPhase, Extent>>;
    reason: string;
  }[];
}

/** The share of the plan that ran, if the caller left something out or the run ended early. */
export interface PartialRun {
  /** Checks of the contract. */
  planned: number;
  /** Those that ran. Skipped checks did not. */
  asked: number;
  /** `asked` of `planned`, from 0 to 1. */
  share: number;
}

/** How many checks ended with each verdict. Waived failures are counted separately. */
export type Counts = Record<Verdict, number> & { waived?: number };

/** The conclusion of a run, from which the exit code follows. */
export type Conclusion = 'conformant' | 'nonconformant' | 'inconclusive';

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
    /** How many requests a gate or firewall before the site denied, by method; undefined for none. */
    blocked?: Partial<Record<string, number>>;
    /** What the run is for, if not only for checking: a certificate, or watching an implementation. */
    purpose?: 'certify' | 'watch';
    /** The command that runs the failed checks again from any folder, without secrets. */
    again?: string;
    /** What searches drew, and which earlier findings they knew. */
    searches?: SearchesOfRun;
    /** Why the run ended early, such as a target that stopped answering. */
    ended?: string;
  };
  conclusion: Conclusion;
  reason: string;
  /** Their sum is the number of checks. Waived failures are counted separately. */
  counts: Counts;
  baseline?: BaselineReport;
  /** Only with a baseline. The exit code follows from it. */
  news?: News;
  waivers?: WaiversReport;
  /** Only if the run was narrowed or ended early. */
  partial?: PartialRun;
  fuzzing?: FuzzingReport;
  notices: Notice[];
  /** Observations besides the verdicts, to compare them later. */
  observed?: { fields: ShownFields[] } & Partial<ObservedAnswers>;
  writing?: WritingReport;
  /** How much of the contract the target meets, and what to do next. */
  progress?: ProgressReport;
  stage?: FixtureReport;
  checks: CheckResult[];
}

/** A namespace of the target beyond the contract: its size, and the built-in operation file that describes it. */
export interface BeyondNamespace {
  namespace: string;
  routes: number;
  methods: number;
  file?: string;
}

/** Where an operation is. Its route has `{name}` for path parameters. */
export interface OperationPlace {
  namespace: string;
  route: string;
  methods: readonly string[];
  /** The target's names of parameters that differ, by the neutral names. */
  words?: Record<string, string>;
}

interface CheckedTarget {
  url: string;
  deployment: string;
  vocabulary: string;
  /** The path of the deployment file from the folder of the results; absent for a built-in one. */
  deploymentFile?: string;
  /** Namespaces of the site that the deployment does not have; absent in a run that did not reach the site. */
  beyond?: BeyondNamespace[];
  /** Whether any TLS certificate was accepted; absent if only trusted ones were. */
  insecure?: true;
  /** The operation files and features that `--deployment auto` chose. */
  composed?: { operations: string[]; features: string[] };
  index: string;
  /** The software of the site with its version, if the caller named it. */
  software?: string;
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

/** Names that every object has, and names that only some have; sorted. */
export interface FieldNames {
  always: string[];
  sometimes: string[];
}

/** The fields of the records of a resource in one context, by name. */
export interface ShownFields extends FieldNames {
  resource: string;
  operation: string;
  context: string;
  records: number;
  /** The members of object fields; `always` if every record has them. */
  inside?: Record<string, FieldNames>;
  /** Set if there were more names than are noted. */
  cut?: true;
}

/** The fixtures of a run: records that its checks need and the site lacked. */
export interface FixtureReport {
  made: Record<string, number>;
  requests: number;
  /** Fixtures that the site did not create, and what that costs. */
  missing: {
    resource: string;
    /** A description, such as `a protected one`. */
    name: string;
    why: string;
    /** The parameters whose checks need it; absent for all. */
    serves?: string[];
    /** Ids of the checks of that resource that stayed inconclusive. */
    checks: string[];
  }[];
}

/** What a run wrote, and whether anything is left; separate from the verdicts. */
export interface WritingReport {
  /** The tag of the run: every record carried it in its slug, and in title or text. */
  tag: string;
  created: number;
  removed: number;
  /** Own records that could not be removed. */
  left: { collection: string; id: number; why: string }[];
  /** What made the last look incomplete. */
  doubts: string[];
  /** Other changes on the site meanwhile: ids that appeared and disappeared, by collection. */
  census: {
    collection: string;
    appeared: readonly number[];
    disappeared: readonly number[];
    /** Creations whose answer named no record. Ids that appeared may come from them. */
    unanswered?: number;
  }[];
  /** Collections that could not be listed before or after, with the reason. */
  uncounted?: { collection: string; when: 'before' | 'after'; reason: string }[];
  /** Uploads whose answer named no record. The site may have kept their files, which no route shows. */
  files?: number;
}

export interface NextStep {
  /** The id of the check that must pass first. */
  check: string;
  /** Its title, a sentence in the present tense. */
  title: string;
  /** If the target does not serve an operation: that operation, in the words of the target. */
  serve?: { method: string; namespace: string; route: string };
  /** The check of what the index must list first, such as the namespace. */
  under?: string;
  /** How many other required checks it blocks. */
  waiting: number;
  /** Failures that are mostly fixed together with it: their ids, and how many required checks they block. */
  alike?: { checks: string[]; waiting: number };
}

/** How much of its contract a target meets. Doubtful requirements and checks that were not selected do not count. */
export interface ProgressReport {
  required: number;
  passed: number;
  /** Selected checks whose failure only warns; absent if there are none. */
  advisory?: number;
  /** How many required checks of each area ran, and how many pass, in the order of the plan. */
  areas: { area: string; required: number; passed: number }[];
  /** What to do next; the step that unblocks most comes first. */
  next: NextStep[];
}
