import { isObject, type JsonObject } from './json.ts';

/** What a response may be shown in (§2). */
export type Context = 'view' | 'embed' | 'edit';

/** All of them. */
export const CONTEXT_NAMES: readonly Context[] = ['view', 'embed', 'edit'];

const FULL: readonly Context[] = ['view', 'edit'];
const EDIT: readonly Context[] = ['edit'];

/** The contexts in which each member of a record appears; a member that is not named appears in all. */
export const CONTEXTS: Readonly<Record<string, readonly Context[]>> = {
  date: CONTEXT_NAMES,
  date_gmt: FULL,
  guid: FULL,
  'guid.raw': EDIT,
  modified: FULL,
  modified_gmt: FULL,
  password: EDIT,
  status: FULL,
  permalink_template: EDIT,
  generated_slug: EDIT,
  class_list: FULL,
  'title.raw': EDIT,
  content: FULL,
  'content.raw': EDIT,
  'content.block_version': EDIT,
  'excerpt.raw': EDIT,
  comment_status: FULL,
  ping_status: FULL,
  sticky: FULL,
  template: FULL,
  format: FULL,
  meta: FULL,
  categories: FULL,
  tags: FULL,
  parent: FULL,
  menu_order: FULL,
  description: FULL,
  'description.raw': EDIT,
  'caption.raw': EDIT,
  post: FULL,
  filename: FULL,
  filesize: FULL,
  missing_image_sizes: EDIT,
};

/** `record` without the members that `context` does not show. */
export function forContext(
  record: JsonObject,
  context: Context,
  contexts: Readonly<Record<string, readonly Context[]>>,
  prefix = '',
): JsonObject {
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(record)) {
    const path = `${prefix}${name}`;
    if (contexts[path]?.includes(context) === false) continue;
    shown[name] =
      prefix === '' && isObject(value) && name !== 'meta'
        ? forContext(value, context, contexts, `${name}.`)
        : value;
  }
  return shown;
}
