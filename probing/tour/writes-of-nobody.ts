import type { RequestSpec } from '../../client/observation.ts';
import { TargetError } from '../../client/target-error.ts';
import { Aborted } from '../../engine/aborted.ts';
import type { Session } from '../../engine/session.ts';
import { describedCollections } from '../../specs/find-resource.ts';
import { rawBody } from '../records/own/file-bytes.ts';
import { isUploaded } from '../records/own/make-record.ts';
import type { OwnRecord } from '../records/own/outcome.ts';
import { ownRecordsOf } from '../records/own/own-check.ts';
import type { OwnRecords } from '../records/own/own-records.ts';
import type { TourOptions } from './tour.ts';

/** Keeps these answers apart from those to invalid calls of the same operation. */
const NOTED = 'a valid call';

/**
 * Changes, deletes and creates a record of the run without credentials, for listeners of the client. Who may write is not
 * stated (§5.4), so this gives no verdicts. Where no check has made a record, nothing is sent.
 */
export async function writeAsNobody(
  session: Session,
  { level, isOver }: Pick<TourOptions, 'level' | 'isOver'>,
): Promise<void> {
  const own = level === 'none' ? undefined : ownRecordsOf(session);
  if (own === undefined) return;
  for (const { id } of describedCollections(session.contract)) {
    const [record] = own.unwritten(id);
    if (record === undefined || isOver()) continue;
    try {
      const route = own.routeOf(record);
      const json = own.stated(id, { title: `${record.slug} title` });
      await sendAsNobody(own, { method: 'POST', route, body: { json } });
      await sendAsNobody(own, { method: 'DELETE', route, query: [['force', 'true']] });
      await createAsNobody(own, record);
    } catch (error) {
      if (!(error instanceof TargetError || error instanceof Aborted)) throw error;
    }
  }
}

const sendAsNobody = (own: OwnRecords, spec: RequestSpec) =>
  own.send({ ...spec, as: 'anonymous', noted: NOTED });

async function createAsNobody(own: OwnRecords, { collection }: OwnRecord): Promise<void> {
  const route = own.route(collection);
  if (route === undefined) return;
  const slug = own.nextSlug();
  const body = isUploaded(own.session, collection) ? rawBody(slug) : { json: own.bodyOf(collection, slug) };
  own.intend(collection, slug);
  await own.settle(collection, slug, await sendAsNobody(own, { method: 'POST', route, body }));
}
