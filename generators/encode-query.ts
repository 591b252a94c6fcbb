/** A name and a value as a query carries them. */
export type Pair = readonly [name: string, value: string];

/**
 * Writes a value as query parameters, as the interface takes them: members in brackets, lists with commas or with
 * brackets. An empty list is the name with nothing (an empty list in brackets would hold one empty item).
 * @returns nothing for null and undefined, which a query cannot say
 */
export function encodeQuery(name: string, value: unknown, lists: 'commas' | 'brackets' = 'brackets'): Pair[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    if (value.length === 0) return [[name, '']];
    const plain = value.every((item) => typeof item !== 'object' && !String(item).includes(','));
    if (lists === 'commas' && plain) return [[name, value.map(String).join(',')]];
    return value.flatMap((item, at) =>
      encodeQuery(typeof item === 'object' ? `${name}[${at}]` : `${name}[]`, item, lists),
    );
  }
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) => encodeQuery(`${name}[${key}]`, inner, lists));
  }
  return [[name, String(value)]];
}
