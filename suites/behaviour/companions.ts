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

const PUBLIC_STATUSES: readonly unknown[] = ['publish', 'inherit'];

/** The companion of an argument; undefined when it stands alone. A list has the companion of its first item. */
export function companionOf(parameter: string, value: unknown): Companion | undefined {
  const plain: unknown = Array.isArray(value) ? value[0] : value;
  if (parameter === 'status' && !PUBLIC_STATUSES.includes(plain))
    return { parameter, value, needsUser: true };
  return COMPANIONS.find((companion) => companion.parameter === parameter && companion.value === plain);
}

/** Members of answers that differ from one request to the next on healthy software, by operation. */
export const VOLATILE: Readonly<Record<string, readonly string[]>> = {
  'oembed.embed': ['html'],
  'oembed.proxy': ['html'],
  'seo.readability-scores': ['queryTime'],
  'seo.seo-scores': ['queryTime'],
};
