import type { Behaviour } from '../../reference/site.ts';

/** One way in which a conforming site may differ from another: no check may report it. */
export interface Variant {
  /** A word or a few with hyphens. */
  id: string;
  /** A sentence about such a site, in the present tense. */
  title: string;
  /** Makes a fresh site of this kind: some of them count what they have answered. */
  behaviour: () => Partial<Behaviour>;
}
