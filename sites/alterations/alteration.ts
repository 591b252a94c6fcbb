import type { Alter, Behaviour } from '../reference/site.ts';

/** One way in which a site differs from the healthy one. */
export interface Alteration {
  /** For a mutant, what it breaks and how: `posts.list/per_page/maximum~wider`; for others, a few words with hyphens. */
  readonly id: string;
  /** A sentence about the altered site, in the present tense. */
  readonly title: string;
  /** The check that must detect it, or a prefix of its id. Without it the site conforms, and no check may report it. */
  readonly breaks?: string;
  readonly behaviour: Alter;
}

/** One way to break a healthy site, so that exactly one requirement is not met. */
export interface Mutant extends Alteration {
  readonly breaks: string;
}

/** Mutants in lists of any depth, with nothing where a condition leaves one out. */
export type Mutants = Mutant | false | '' | undefined | readonly Mutants[];

/** Makes a mutant. @param id what it breaks, `~`, and how: a word or a few with hyphens, unique for what it breaks */
export function mutant(id: string, title: string, behaviour: Alter): Mutant {
  return { id, breaks: id.slice(0, id.lastIndexOf('~')), title, behaviour };
}

/** Makes a site that differs and conforms. */
export function variant(id: string, title: string, behaviour: Alter): Alteration {
  return { id, title, behaviour };
}

/** Combines several alterations: each alters the result of those before it. */
export function together(...ways: readonly Alter[]): Alter {
  return (usual) => {
    const made: Partial<Behaviour> = {};
    for (const way of ways) Object.assign(made, way({ ...usual, ...made }));
    return made;
  };
}
