export type Kind = 'posts' | 'pages' | 'media';

/** A text with its source. */
export interface Item {
  readonly id: number;
  readonly kind: Kind;
  date: number;
  modified: number;
  slug: string;
  status: string;
  password: string;
  title: string;
  content: string;
  excerpt: string;
  author: number;
  featured_media: number;
  comment_status: string;
  ping_status: string;
  format: string;
  sticky: boolean;
  template: string;
  categories: readonly number[];
  tags: readonly number[];
  parent: number;
  menu_order: number;
  footnotes: string;
  alt_text: string;
  caption: string;
  description: string;
  /** The record that a file belongs to. */
  post: number;
  mime: string;
  file: Uint8Array;
}

/** What a record was, or is to become. */
export interface Child {
  readonly id: number;
  readonly kind: 'revisions' | 'autosaves';
  readonly parent: number;
  readonly author: number;
  date: number;
  title: string;
  content: string;
  excerpt: string;
}

/** Users who may do everything, by name. */
export const USERS: Readonly<Record<string, number>> = { author: 901, editor: 905 };

/** Categories and the one that each is part of. */
export const CATEGORIES: Readonly<Record<number, number>> = { 51: 0, 52: 0, 53: 51, 54: 52 };
export const TAGS: readonly number[] = [71, 72, 73];

/** Everything that the site holds, in memory. */
export class Store {
  readonly items: Map<number, Item> = new Map();
  readonly children: Map<number, Child> = new Map();
  #last = 10_000;

  nextId(): number {
    this.#last += 3;
    return this.#last;
  }

  ofKind(kind: Kind): Item[] {
    return [...this.items.values()].filter((item) => item.kind === kind);
  }

  /** @param kind both where it is not told: an autosave is a revision that is written over */
  childrenOf(parent: number, kind?: Child['kind']): Child[] {
    return [...this.children.values()].filter(
      (child) => child.parent === parent && (kind ?? child.kind) === child.kind,
    );
  }

  remove(id: number): void {
    this.items.delete(id);
    for (const child of [...this.children.values()]) if (child.parent === id) this.children.delete(child.id);
  }
}

/** A record as it is before anything is written to it. */
export function blank(id: number, kind: Kind, author: number): Item {
  const now = Math.floor(Date.now() / 1000) * 1000;
  return {
    id,
    kind,
    date: now,
    modified: now,
    slug: '',
    status: kind === 'media' ? 'inherit' : 'draft',
    password: '',
    title: '',
    content: '',
    excerpt: '',
    author,
    featured_media: 0,
    comment_status: kind === 'posts' ? 'open' : 'closed',
    ping_status: 'closed',
    format: 'standard',
    sticky: false,
    template: '',
    categories: [],
    tags: [],
    parent: 0,
    menu_order: 0,
    footnotes: '',
    alt_text: '',
    caption: '',
    description: '',
    post: 0,
    mime: '',
    file: new Uint8Array(),
  };
}
