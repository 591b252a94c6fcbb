import type { Kind, Store, StoredRecord } from './store.ts';

/** `text` as a slug: lower case letters, digits and hyphens, accents and tags dropped. */
export function slugOf(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, '')
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/[\s-]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/**
 * `slug`, with a number behind it when another record of its type has it already (§2): pages are told apart
 * per parent, attachments live among all.
 */
export function uniqueSlug(store: Store, record: StoredRecord, slug: string): string {
  const kinds: Kind[] = record.kind === 'attachment' ? ['post', 'page', 'attachment'] : [record.kind];
  const rivals = kinds
    .flatMap((kind) => store.ofKind(kind))
    .filter((other) => {
      const sameFolder = record.kind !== 'page' || other.parent === record.parent;
      return other.id !== record.id && sameFolder;
    });
  const taken = new Set(rivals.map((other) => other.slug));
  let unique = slug;
  for (let number = 2; taken.has(unique); number += 1) unique = `${slug}-${number}`;
  return unique;
}
