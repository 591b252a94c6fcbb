import type { Alter, Behaviour } from '../reference/site.ts';

/** One way in which a site differs from the healthy one. */
export interface Alteration {
  /** Of a mutant what it breaks and how: `posts.list/per_page/maximum~wider`; of any other a word or a few with hyphens. */
  readonly id: string;
  /** A sentence about such a site, in the present tense. */
  readonly title: string;
  /** The check that must notice it, or the first parts of its id. No check may notice one without: such a site conforms. */
  readonly breaks?: string;
  /** What the altered site does instead of the usual one. */
  readonly behaviour: Alter;
}

/** One way to break a healthy site, so that exactly one requirement is not met. */
export interface Mutant extends Alteration {
  readonly breaks: string;
}

/** A mutant. @param id what it breaks, `~`, and how: a word or a few with hyphens, unique among those that break the same */
export function mutant(id: string, title: string, behaviour: Alter): Mutant {
  return { id, breaks: id.slice(0, id.lastIndexOf('~')), title, behaviour };
}

/** What a site with some alterations does: each alters what those before it have made of the usual site. */
export function altered(alterations: readonly Pick<Alteration, 'behaviour'>[]): Alter {
  return together(...alterations.map(({ behaviour }) => behaviour));
}

/** Several ways to alter a site as one, the later ones on top. */
export function together(...ways: readonly Alter[]): Alter {
  return (usual) => {
    const made: Partial<Behaviour> = {};
    for (const way of ways) Object.assign(made, way({ ...usual, ...made }));
    return made;
  };
}
