import { isTree, resourceOfKind } from './resources.ts';
import type { Site } from './site.ts';
import type { StoredRecord } from './store.ts';

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
 * `slug`, with a number behind it when another record of its resource has it already (§2): in a tree records are told
 * apart per parent. Where a resource states nothing, its records live among all.
 */
export function uniqueSlug(site: Site, record: StoredRecord, slug: string): string {
  const resource = resourceOfKind(site, record.kind);
  const isInTree = resource !== undefined && isTree(resource);
  const rivals = (resource?.uniqueSlugs ? site.store.ofKind(record.kind) : site.store.all()).filter(
    (other) => other.id !== record.id && (!isInTree || other.parent === record.parent),
  );
  const taken = new Set(rivals.map((other) => other.slug));
  let unique = slug;
  for (let number = 2; taken.has(unique); number += 1) unique = `${slug}-${number}`;
  return unique;
}
