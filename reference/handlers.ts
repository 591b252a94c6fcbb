import { answer } from './answer.ts';
import { createAutosave, listAutosaves, readAutosave } from './autosaves.ts';
import { readIndex } from './core-handlers.ts';
import { deleteRecord } from './delete-record.ts';
import { listRecords } from './list-records.ts';
import { createMedia, editMedia, postProcessMedia } from './media.ts';
import { readEmbed, readProxy } from './oembed.ts';
import { readRecord } from './read-record.ts';
import { deleteRevision, listRevisions, readRevision } from './revisions.ts';
import { runBatch } from './run-batch.ts';
import type { Handler } from './site.ts';
import { createRecord, updateRecord } from './write-record.ts';

/** A plugin's answer to anybody. */
const openSuccess: Handler = ({ args }) => answer({ success: true, arguments: args });

/** What answers each operation, by its id; plugin operations without an entry answer a plain success. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
  'index.read': readIndex,
  'oembed.embed': readEmbed,
  'oembed.proxy': readProxy,
  'media.list': listRecords('attachment'),
  'media.read': readRecord('attachment'),
  'media.create': createMedia,
  'media.update': updateRecord('attachment'),
  'media.delete': deleteRecord('attachment'),
  'media.post-process': postProcessMedia,
  'media.edit': editMedia,
  'batch.run': runBatch,
  ...contentHandlers('post'),
  ...contentHandlers('page'),
  'seo.get-head': openSuccess,
  'sign-on.is-user-logged-in': openSuccess,
  'builder-theme.promotions': openSuccess,
};

function contentHandlers(kind: 'post' | 'page'): Record<string, Handler> {
  return {
    [`${kind}s.list`]: listRecords(kind),
    [`${kind}s.read`]: readRecord(kind),
    [`${kind}s.create`]: createRecord(kind),
    [`${kind}s.update`]: updateRecord(kind),
    [`${kind}s.delete`]: deleteRecord(kind),
    [`${kind}-revisions.list`]: listRevisions(kind),
    [`${kind}-revisions.read`]: readRevision(kind),
    [`${kind}-revisions.delete`]: deleteRevision(kind),
    [`${kind}-autosaves.list`]: listAutosaves(kind),
    [`${kind}-autosaves.read`]: readAutosave(kind),
    [`${kind}-autosaves.create`]: createAutosave(kind),
  };
}
