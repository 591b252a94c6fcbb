/** What a run made because its checks need it and the site did not have it. */
export interface StageReport {
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
    /** Ids of the checks of that resource that could not tell anything all the same. */
    checks: string[];
  }[];
}
