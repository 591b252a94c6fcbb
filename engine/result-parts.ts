import type { RunMode } from '../client/mode.ts';

/**
 * Why a check was skipped: left out by the caller, not required by what the run certifies, needs more than the run has, depends on what another check reports, has
 * nothing to be applied to, or the run ended before.
 */
export type SkipReason =
  | { readonly kind: 'selection'; readonly option: '--only' | '--skip' | '--rerun' | '--as-client' | '-t' }
  | { readonly kind: 'mode'; readonly needs: RunMode }
  | { readonly kind: 'credentials' }
  | { readonly kind: 'not-required'; readonly by: string }
  | { readonly kind: 'blocked'; readonly by: string }
  | { readonly kind: 'not-applicable'; readonly why: string }
  | { readonly kind: 'ended'; readonly why: string }
  | { readonly kind: 'over-budget' };

/** A reason in the words of a reader. */
export function describeSkip(reason: SkipReason): string {
  switch (reason.kind) {
    case 'selection':
      return reason.option === '--skip' ? 'left out by --skip' : `not selected by ${reason.option}`;
    case 'mode':
      return `needs mode ${reason.needs}`;
    case 'credentials':
      return 'needs credentials (--user)';
    case 'not-required':
      return `not required by ${reason.by}`;
    case 'blocked':
      return `blocked by ${reason.by}`;
    case 'over-budget':
      return 'over budget';
    default:
      return reason.why;
  }
}

/** Whether a check was never to be asked: the caller left it out, or the run has not what it needs. */
export function isUnasked({ kind }: SkipReason): boolean {
  return kind === 'selection' || kind === 'mode' || kind === 'credentials' || kind === 'not-required';
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
export interface CheckedTarget {
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
