import type { Observation, RequestSpec } from '../../client/observation.ts';
import { type Check, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { describe, failure, inconclusive, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { readList } from '../../probing/records/reading/list-request.ts';
import { contradictions, type SiteRecord } from '../../probing/records/reading/record.ts';
import { routeFor } from '../../specs/find-resource.ts';
import type { Operation, Resource } from '../../specs/model.ts';
import { type Context, readContext, relayed, rootCheckOf } from './read-context.ts';

/** Records of a list that are read alone: of a long one its ends, and others spread between them. */
const MOST_ALONE = 10;

/** The check that each record of a list is the same record alone (R11). */
export function listedRecordChecks({ id: collection, operations }: Resource): Check[] {
  const { list, read } = operations;
  if (list === undefined || read === undefined) return [];
  const id = checkId('records', collection, 'alone');
  return [
    check({
      area: 'records',
      id,
      kind: 'fields',
      title: `each of the ${collection} that the list shows is the same record alone`,
      section: '2',
      on: read,
      needs: [serves(list, 'GET'), serves(read, 'GET'), checkId('records', collection, 'id')],
      after: (operations.create?.parameters ?? [])
        .filter(({ schema }) => schema.type !== undefined)
        .map(({ name }) => checkId('records', collection, 'types', name)),
      async run(session) {
        const context = await contextOf(session, collection, read);
        const shown = await readContext(session, collection, 'list', context);
        if ('finding' in shown) {
          return relayed(shown.finding, rootCheckOf(session.contract, collection, 'list'), id);
        }
        const looked: Look[] = [];
        for (const record of spread(shown.records)) {
          looked.push(await lookAt(session, { collection, list, read, context }, record));
        }
        const found = looked.flatMap(({ finding }) => finding ?? []);
        if (found.length > 0 || looked.some(({ told }) => told)) return found;
        return inconclusive(`none of the listed ${collection} can be read alone by this caller`);
      },
    }),
  ];
}

/** The context that both are compared in: that of editors, unless the caller is none or the read refuses it. */
async function contextOf(session: Session, collection: string, read: Operation): Promise<Context> {
  if (session.caller === 'anonymous') return 'view';
  const shown = await readContext(session, collection, 'list', 'edit');
  const [first] = 'finding' in shown ? [] : shown.records;
  if (first === undefined) return 'edit';
  const alone = await session.ask(readingOf(session, read, first, 'edit'));
  return alone.answer === 'refused' ? 'view' : 'edit';
}

function readingOf({ caller }: Session, read: Operation, { id }: SiteRecord, context: Context): RequestSpec {
  return { method: 'GET', route: routeFor(read, id), query: [['context', context]], as: caller };
}

/** The first and the last of some records, and others evenly between them. */
function spread(records: readonly SiteRecord[]): SiteRecord[] {
  const last = records.length - 1;
  const count = Math.min(records.length, MOST_ALONE);
  const places = Array.from({ length: count }, (_, at) => Math.round((at * last) / Math.max(count - 1, 1)));
  return records.filter((_, at) => places.includes(at));
}

interface About {
  readonly collection: string;
  readonly list: Operation;
  readonly read: Operation;
  readonly context: Context;
}

interface Look {
  readonly told: boolean;
  readonly finding?: Finding;
}

/** Compares a record of a list with the record alone; what differs is asked for again, both ways, before it counts. */
async function lookAt(session: Session, about: About, record: SiteRecord): Promise<Look> {
  const { read, list, context } = about;
  const as = session.caller;
  const spec = readingOf(session, read, record, context);
  const alone = await session.ask(spec);
  if (isSilent(alone)) return { told: false };
  if (differenceOf(session, about, record, alone) === undefined) return { told: true };
  const listing = await session.client.request({
    method: 'GET',
    route: list.route.wire,
    query: [
      ['include', String(record.id)],
      ['context', context],
    ],
    as,
  });
  const answer = readList(listing);
  const again = answer.kind === 'list' ? answer.records.find(({ id }) => id === record.id) : undefined;
  const fresh = await session.client.request(spec);
  if (again === undefined || isSilent(fresh)) return { told: false };
  const difference = differenceOf(session, about, again, fresh);
  if (difference === undefined) return { told: true };
  return {
    told: true,
    finding: failure(difference, {
      expected: `the record ${record.id} as the list shows it`,
      observed: fresh.answer === 'accepted' ? show(fresh.json) : describe(fresh),
      reproduce: [listing.curl, fresh.curl],
    }),
  };
}

/** Whether an answer says nothing of the record: who may read which one is silent (§5.4). */
function isSilent({ answer, tooLarge }: Observation): boolean {
  return answer === 'denied' || answer === 'throttled' || tooLarge === true;
}

function differenceOf(
  { contract }: Session,
  { collection }: About,
  record: SiteRecord,
  alone: Observation,
): string | undefined {
  if (alone.answer !== 'accepted') return `one of the ${collection} is in the list, and not to be read alone`;
  const names = contradictions(contract, collection, record.json, alone.json);
  if (names.length === 0) return undefined;
  return `one of the ${collection} has another ${names.join(', ')} alone than in the list`;
}
