import type { Parameter } from '../../specs/model.ts';

/** What a value needs beside it to be accepted: facts of the interface that no declaration expresses. */
export interface Companion {
  readonly parameter: string;
  readonly value: unknown;
  /** Further arguments; `{id}` stands for the id of an existing record. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** It is only for callers with credentials. */
  readonly needsUser?: boolean;
}

const COMPANIONS: readonly Companion[] = [
  { parameter: 'orderby', value: 'relevance', with: { search: 'a' } },
  { parameter: 'orderby', value: 'include', with: { include: ['{id}'] } },
  { parameter: 'orderby', value: 'include_slugs', with: { slug: ['sample'] } },
  { parameter: 'context', value: 'edit', needsUser: true },
];

/**
 * The companion of an argument; undefined when it stands alone. A list has the companion of its first item. Every status
 * but the default ones is for callers with credentials.
 */
export function companionOf({ name, schema }: Parameter, value: unknown): Companion | undefined {
  const items = [value].flat();
  const open = [schema.default].flat();
  if (name === 'status' && schema.default !== undefined && items.some((item) => !open.includes(item))) {
    return { parameter: name, value, needsUser: true };
  }
  return COMPANIONS.find((companion) => companion.parameter === name && companion.value === items[0]);
}

/** Members of answers that differ from one request to the next on healthy software, by operation. */
export const VOLATILE: Readonly<Record<string, readonly string[]>> = {
  'oembed.embed': ['html'],
  'oembed.proxy': ['html'],
  'seo.readability-scores': ['queryTime'],
  'seo.seo-scores': ['queryTime'],
};
