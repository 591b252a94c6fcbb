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
  /** Failures that are mostly mended together with it: their ids, and how many required checks wait for those. */
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
