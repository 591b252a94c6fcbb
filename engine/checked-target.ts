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
  /** The software of the site with its version, where the caller told it. */
  software?: string;
  /** Whether the run had a user. */
  as?: 'user' | 'anonymous';
  /** Where each operation of the contract is, in the words of the target. */
  operations?: Record<string, OperationPlace>;
}
