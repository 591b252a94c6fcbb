import type { Difference } from '../../../engine/difference.ts';
import type { Caller } from '../../../engine/session.ts';
import type { Operation } from '../../../specs/model.ts';
import type { Args } from './list-request.ts';
import type { SiteRecord } from './record.ts';
import type { Snapshot } from './snapshot.ts';

/** The records of one answer, in its order. */
export type Records = readonly SiteRecord[];

/** Whether a record belongs into an answer; undefined when its members do not tell. */
export type Keeps = (record: SiteRecord) => boolean | undefined;

/** Requests whose answers the records of a list predict. */
export interface Trial {
  /** Arguments of each request, beside those that every request has. */
  readonly requests: readonly Args[];
  /** Whether a request that is refused is left out: something else reports it. Otherwise it differs. */
  readonly skipsRefused?: boolean;
  /** Which records its one answer must hold, where it is a filter. */
  readonly keeps?: Keeps;
  /** What is wrong with the answers, one for each request; undefined when nothing is. */
  judge(answers: readonly Records[], snapshot: Snapshot): Difference | undefined;
  /** Why answers that are not wrong prove nothing; undefined when they do prove something. */
  silent?(answers: readonly Records[], snapshot: Snapshot): string | undefined;
}

/** What a rule may ask besides looking at the snapshot. */
export interface Site {
  /** The list that is asked for. */
  readonly operation: Operation;
  /** Who asks. */
  readonly as: Caller;
  /** The name that the target uses for a parameter of the list. */
  wire(parameter: string): string;
  /** Reads a list beside the one that is checked, such as the terms; undefined where the index does not list it. */
  readBeside(collection: string): Promise<Records | undefined>;
}

/** Chooses from the records what to try, so that the answer shows something; a text says why they cannot tell. */
export type Rule = (
  snapshot: Snapshot,
  site: Site,
) => readonly Trial[] | string | Promise<readonly Trial[] | string>;

/** A trial that shows something only together with others of its rule, and is not asked for more alone. */
export function jointly({ silent: _, ...trial }: Trial): Trial {
  return trial;
}
