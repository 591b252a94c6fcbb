import type { Collection } from '../../../client/journal.ts';
import type { Observation } from '../../../client/observation.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import type { Session } from '../../../engine/session.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { type Making, makeRecord, recordOf } from '../../records/own/make-record.ts';
import { listOwn } from '../../records/own/own-list.ts';
import type { OwnRecords } from '../../records/own/own-records.ts';
import { type WritableCollection, writableFields } from '../../records/own/writable-fields.ts';

/** The password of own records. */
export const PASSWORD = 'open-sesame';

/** The texts that it protects, by field: words that nothing else on the site has. */
export const SECRETS = { content: 'kept-from-strangers', excerpt: 'said-to-friends' } as const;

/** A field that a password protects. */
export type Secret = keyof typeof SECRETS;

/** A published own record with a password, made once. */
export const lockedRecord: Fixture<Making, [own: OwnRecords, about: WritableCollection]> = fixture(
  'own {} with a password',
  (session, own, { collection, operation }) => {
    const written = new Map(Object.entries({ ...SECRETS, status: 'publish', password: PASSWORD }));
    return makeRecord(session, own, { collection, fields: writableFields(operation), written });
  },
  (own, { collection }) => [own, collection],
);

/** One look at a record: the answer, and the records in it. */
export interface Look {
  readonly observation: Observation;
  readonly records: readonly unknown[];
  /** Where it was looked, for a reader. */
  readonly where: string;
}

/** What anybody is shown of the record without the password: alone in view and in embed, and in a list. */
export const strangersLooks: Fixture<
  readonly Look[],
  [own: OwnRecords, collection: Collection, made: Making]
> = fixture(
  'own {} with a password seen by strangers',
  async (session, own, collection, made) => {
    const record = recordOf(made);
    if (record === undefined) return [];
    const alone = async (context: 'view' | 'embed'): Promise<Look> => {
      const observation = await own.read(record, context, 'anonymous');
      return { observation, records: [observation.json], where: `the context ${context}` };
    };
    const { observation, items } = await listOwn(session, collection, 'anonymous', [record.id]);
    return [await alone('view'), await alone('embed'), { observation, records: items, where: 'a list' }];
  },
  (own, collection) => [own, collection],
);

/** Reads the record as anybody, with a password. */
export function readWith(
  session: Session,
  collection: Collection,
  made: Making,
  password: string,
): Promise<Observation> {
  const route = operationFor(session.contract, collection, 'read')?.route.wire ?? '';
  return session.client.request({
    method: 'GET',
    route: route.replace(/\{\w+\}/, String(recordOf(made)?.id)),
    query: [
      ['context', 'view'],
      ['password', password],
    ],
    as: 'anonymous',
  });
}

/** Whether a text shows the words of a field. */
export function reveals(text: unknown, field: Secret): boolean {
  return typeof text === 'string' && text.includes(SECRETS[field]);
}
