import type { JsonObject } from './json.ts';
import { invalidParameters } from './read-arguments.ts';
import { Refusal } from './refusal.ts';
import { isTree, isUpload, resourceOfKind } from './resources.ts';
import type { Site } from './site.ts';
import { type Kind, REVISION, type StoredRecord } from './store.ts';

/** Theme files that may display a record, by kind; the empty one, the usual file, always may. */
const TEMPLATES = ['', 'no-title', 'wide'];

/**
 * Refuses a write whose result would make no sense.
 * @param record as it would be stored
 * @param before as it is stored, undefined for a new one
 * @throws Refusal 400 for an unknown author, parent or template, a sticky record with a password, and a record
 * outside a tree without title, content and excerpt.
 */
export function checkRecord(
  site: Site,
  record: StoredRecord,
  before: StoredRecord | undefined,
  args: JsonObject,
): void {
  if (args.author !== undefined && !site.accounts.some(({ id }) => id === record.author)) {
    throw new Refusal('rest_invalid_author', 'Invalid author ID.', 400);
  }
  if (record.sticky && record.password !== '') {
    throw new Refusal('rest_invalid_field', 'A post can not be sticky and have a password.', 400);
  }
  if (record.parent !== (before?.parent ?? 0)) checkParent(site, record);
  if (record.template !== before?.template && !TEMPLATES.includes(record.template)) {
    throw invalidParameters({ template: `template is not one of ${TEMPLATES.join(', ')}.` });
  }
  if (mayBeEmpty(site, record.kind)) return;
  if (record.title + record.content + record.excerpt === '') {
    throw new Refusal('empty_content', 'Content, title, and excerpt are empty.', 400);
  }
}

/** Real software takes an empty record where it has a file, or a place in a tree. */
function mayBeEmpty(site: Site, kind: Kind): boolean {
  const resource = resourceOfKind(site, kind);
  return resource === undefined || resource.kind === 'uploads' || isTree(resource);
}

function checkParent(site: Site, record: StoredRecord): void {
  if (record.parent === 0) return;
  const parent = site.store.get(record.parent);
  if (isUpload(site, record.kind)) {
    if (parent && (parent.kind === REVISION || isUpload(site, parent.kind))) {
      throw new Refusal('rest_invalid_param', 'Invalid parent type.', 400);
    }
    if (!parent && record.id === 0) {
      throw new Refusal('rest_cannot_edit', 'You are not allowed to upload media to this post.', 403);
    }
  } else if (!parent) {
    throw new Refusal('rest_post_invalid_id', 'Invalid post parent ID.', 400);
  }
}
