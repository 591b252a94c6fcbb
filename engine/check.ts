import type { RunMode } from '../client/mode.ts';
import type { Witnesses } from './fuzz-options.ts';
import type { About, Basis, Effect, FieldPlace } from './result.ts';
import type { Session } from './session.ts';

/**
 * What a check found. `failure` contradicts the contract; `warning` is advisory; `inconclusive` could not tell;
 * `blocked` depends on something that another check reports. No finding at all is a pass.
 */
export interface Finding {
  readonly kind: 'failure' | 'warning' | 'inconclusive' | 'blocked' | 'not-applicable';
  readonly message: string;
  readonly expected?: string;
  readonly observed?: string;
  readonly reproduce?: readonly string[];
  /** The check that reports what a `blocked` finding depends on. */
  readonly blockedBy?: string;
  /** False for a failure that says nothing about what builds on the check, such as a value that is refused when it is sent. */
  readonly blocks?: false;
  /** Of a fuzz check: the smallest set of arguments that shows it, by the names of the target. */
  readonly replay?: Readonly<Record<string, unknown>>;
  /** Beside `replay`: what matters in the set, and how many others show it. */
  readonly witnesses?: Witnesses;
  /** Of an inconclusive finding: what was tried where the site takes no valid call that is known. */
  readonly controls?: ControlSearch;
}

/** A search for a valid call that a site takes, which found none. */
export interface ControlSearch {
  /** How many valid calls were refused. */
  readonly tried: number;
  /** The parameters and path parameters, by neutral name, of which a hints file may name good values. */
  readonly wanted: readonly string[];
}

/** One requirement on one subject. The id is stable across runs, machines and versions. */
export interface Check {
  readonly id: string;
  /** What it asks, whatever it asks it of: a word of `specs/texts/check-kinds.json`; none for a kind that the data do not know. */
  readonly kind?: string;
  /** A sentence in the present tense. */
  readonly title: string;
  readonly section: string;
  readonly basis: Basis;
  readonly effect: Effect;
  readonly about?: About;
  /** Whether the site is held to what it publishes; only beside the basis `published`. */
  readonly binding?: true;
  /** Whether it draws its arguments: `--examples` says how many sets. */
  readonly fuzz?: true;
  readonly operation?: string;
  readonly parameter?: string;
  /** The neutral route that it is about, where it is about no operation. */
  readonly place?: string;
  /** The namespace of that route, in the words of the target. */
  readonly namespace?: string;
  /** Of a check of what the index declares: the JSON that it holds where it conforms. */
  readonly fragment?: () => string;
  /** Of a check of what records show. */
  readonly field?: FieldPlace;
  /** Ids of checks: unless they pass, this one is skipped as blocked. */
  readonly dependsOn?: readonly string[];
  /** Ids of checks whose failure, and nothing less, blocks this one; `{caller}` stands for who the run asks as. */
  readonly buildsOn?: readonly string[];
  /** The mode that the run must have; `read` unless given. */
  readonly mode?: RunMode;
  /** Whether it can tell nothing without the credentials of a user. */
  readonly needsUser?: boolean;
  run(session: Session): Promise<readonly Finding[]> | readonly Finding[];
}
