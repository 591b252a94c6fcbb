import type { Parameters } from './schema.ts';

/** One operation of the deployment: methods that share a route and their parameters. */
export interface Operation {
  /** Such as `posts.list` or `cms.root`. */
  id: string;
  methods: string[];
  /** Neutral route with captures as `{name}`. */
  route: string;
  /** Empty for the index and for batch (R1). */
  namespace: string;
  batchable: boolean;
  /** `reads`, `writes` or `alters-site`. */
  effect: string;
  /** Name of a capture to the regular expression text of what it accepts. */
  captures: Record<string, string>;
  parameters: Parameters;
}

/** What one deployment serves, in the order of its file. */
export interface Contract {
  name: string;
  title: string;
  features: string[];
  namespaces: string[];
  operations: Operation[];
}
