import type { Behaviour } from '../../reference/site.ts';

/** One way to break a healthy site, so that exactly one requirement is not met. */
export interface Mutant {
  /** What it breaks and how: `posts.list/per_page/maximum~wider`. */
  id: string;
  /** The requirement that it breaks: the id of the check that must notice it, or the first parts of that id. */
  breaks: string;
  /** A sentence about the broken site, in the present tense. */
  title: string;
  /** What the broken site does in place of the healthy behaviour. */
  behaviour: Partial<Behaviour>;
}

/** A mutant. @param how one word or a few with hyphens, unique among the mutants that break the same */
export function mutant(breaks: string, how: string, title: string, behaviour: Partial<Behaviour>): Mutant {
  return { id: `${breaks}~${how}`, breaks, title, behaviour };
}
