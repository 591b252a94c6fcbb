import { requireAccount, requireRecord } from './access.ts';
import { answer } from './answer.ts';
import { Refusal } from './refusal.ts';
import { pathParameters, resourceOf } from './resources.ts';
import { showRecord } from './show-record.ts';
import type { Handler } from './site.ts';

/** Deletes a record for good with `force`, else moves it to the trash where its resource has one (§3). */
export const deleteRecord: Handler = (call) => {
  const { site } = call;
  const resource = resourceOf(call);
  const record = requireRecord(call, resource.id, pathParameters(call).last);
  const message = 'Sorry, you are not allowed to delete this post.';
  const account = requireAccount(call, 'rest_cannot_delete', message);
  if (call.args.force === true) {
    const previous = showRecord(site, record, { context: 'edit', account });
    site.store.remove(record);
    return answer({ deleted: true, previous });
  }
  if (!resource.trash) {
    throw new Refusal('rest_trash_not_supported', "Set 'force=true' to delete.", 501);
  }
  if (record.status === 'trash') {
    throw new Refusal('rest_already_trashed', 'The post has already been deleted.', 410);
  }
  record.beforeTrash = { slug: record.slug, status: record.status };
  record.status = 'trash';
  record.slug = `${record.slug}__trashed`;
  record.modified = site.now();
  return answer(showRecord(site, record, { context: 'edit', account }));
};
