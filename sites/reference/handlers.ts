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
import type { Behaviour, Handler } from './site.ts';
import { createRecord, updateRecord } from './write-record.ts';

/** A plugin's answer to anybody. */
const openSuccess: Handler = ({ args }) => answer({ success: true, arguments: args });

/** What answers an operation that works on no resource, by its id. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
  'index.read': readIndex,
  'oembed.embed': readEmbed,
  'oembed.proxy': readProxy,
  'batch.run': runBatch,
  'seo.get-head': openSuccess,
  'sign-on.is-user-logged-in': openSuccess,
  'builder-theme.promotions': openSuccess,
};

const COMMON: Readonly<Record<string, Handler>> = {
  list: listRecords,
  read: readRecord,
  update: updateRecord,
  delete: deleteRecord,
};

/** What answers an operation that works on a resource, by the kind of the resource and by its role. */
export const ROLES: Behaviour['roles'] = {
  records: { ...COMMON, create: createRecord },
  uploads: { ...COMMON, create: createMedia, 'post-process': postProcessMedia, edit: editMedia },
  revisions: { list: listRevisions, read: readRevision, delete: deleteRevision },
  autosaves: { list: listAutosaves, read: readAutosave, create: createAutosave },
};
