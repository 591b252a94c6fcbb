import { isObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { Aborted, cannotTell } from '../../../engine/aborted.ts';
import { type Check, type CheckSpec, checkId, type Finding } from '../../../engine/check.ts';
import { failure } from '../../../engine/findings.ts';
import { fixture } from '../../../engine/fixture.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { notAccepted, untoldBy, whyNot } from '../../../probing/records/own/judge-write.ts';
import { ownCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecord, OwnRecords } from '../../../probing/records/own/own-records.ts';
import { idsIn, rawOf } from '../../../probing/records/reading/record.ts';
import { isOwnable, ofKind, routeFor } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import { judgeChild } from './revision-checks.ts';

const SAVED = '<p>saved beside it</p>';

/** An own published record with an autosave. */
interface SavedRecord {
  readonly record: OwnRecord;
  readonly route: string;
  readonly saved: Observation;
  readonly list: Observation;
  /** The id of the autosave; undefined when its list shows none. */
  readonly id: number | undefined;
}

/** Checks of autosaves (§2, §4.6), on own published records. */
export function autosaveChecks(contract: Contract): Check[] {
  return ofKind(contract, 'autosaves')
    .filter((resource) => isOwnable(contract, resource))
    .flatMap(checksOf);
}

function checksOf({ id: children, parent: type = '', section, operations }: Resource): Check[] {
  const { create } = operations;
  if (create === undefined) return [];
  const operation = (role: string): string => `${children}.${role}`;
  const about = (word: string, verb: string): Pick<CheckSpec, 'id' | 'section' | 'operation' | 'needs'> => ({
    id: checkId('autosaves', type, word),
    section,
    operation: operation(verb),
    needs: [
      checkId(operation('create'), 'method', 'POST'),
      checkId(operation(verb), 'method', verb === 'create' ? 'POST' : 'GET'),
    ],
  });
  const checks = [
    ownCheck({
      ...about('apart', 'create'),
      kind: 'states',
      title: `an autosave of a published record of ${type} leaves the record as it is`,
      run: async (session, own) => judgeApart(own, await savedRecord(session, own, type, create)),
    }),
    ownCheck({
      ...about('ids', 'list'),
      kind: 'fields',
      title: `an autosave of one of the ${type} is listed under it, with its id and its parent`,
      basis: 'stated',
      run: async (session, own) => judgeListed(await savedRecord(session, own, type, create)),
    }),
    ownCheck({
      ...about('read', 'read'),
      kind: 'states',
      title: `an autosave of one of the ${type} can be read alone`,
      basis: 'stated',
      run: async (session, own) => judgeRead(session, await savedRecord(session, own, type, create)),
    }),
  ];
  const has = new Set(Object.values(operations).map((one) => one?.id));
  return checks.filter((check) => has.has(check.operation));
}

const savedRecord = fixture(
  'own autosave of',
  async (session, own: OwnRecords, type: string, create: Operation): Promise<SavedRecord> => {
    const record = await own.create(type, { status: 'publish', content: '<p>published</p>' });
    if (!('id' in record)) throw whyNot(record, 'nothing can be published');
    const route = routeFor(create, record.id);
    const json = own.stated(type, { title: `${record.slug} saved`, content: SAVED });
    const save = { method: 'POST', route, body: { json }, as: 'user', intent: 'own-record' } as const;
    const saved = await session.client.request(save);
    const refused = notAccepted('an autosave of an own published record', saved);
    if (refused !== undefined) throw new Aborted(refused);
    const list = await session.client.request({ method: 'GET', route, as: 'user' });
    return { record, route, saved, list, id: idsIn(list)[0] };
  },
  (own, type) => [own, type],
);

async function judgeApart(own: OwnRecords, { record, saved }: SavedRecord): Promise<Finding[]> {
  const read = await own.read(record);
  if (read.answer !== 'accepted') throw cannotTell(`the own record cannot be read (${describe(read)})`);
  const changed = ['title', 'content'].filter((name) => {
    const [before, after] = [rawOf(record.created.json, name), rawOf(read.json, name)];
    return before !== undefined && before !== after;
  });
  if (changed.length === 0 && member(read.json, 'status') === 'publish') return [];
  return [
    failure(
      `an autosave changes the published record${changed.length > 0 ? `: its ${changed.join(' and ')}` : ''}`,
      {
        expected: 'the record as it was',
        observed: changed.length > 0 ? 'what was saved' : `the status ${String(member(read.json, 'status'))}`,
        reproduce: [saved.curl, read.curl],
      },
    ),
  ];
}

function judgeListed({ record, saved, list }: SavedRecord): Finding[] {
  const untold = untoldBy('the list of autosaves', list);
  if (untold !== undefined) return [untold];
  if (list.answer !== 'accepted') throw cannotTell(`the autosaves cannot be listed (${describe(list)})`);
  const answered = isObject(saved.json) ? judgeChild('a new autosave', saved.json, record.id, saved) : [];
  if (answered.length > 0) return answered;
  const items: unknown[] = Array.isArray(list.json) ? list.json : [];
  if (items.length > 0) return items.flatMap((item) => judgeChild('an autosave', item, record.id, list));
  const message = 'an autosave is not listed under its record';
  const about = { expected: 'an autosave', observed: 'none', reproduce: [saved.curl, list.curl] };
  return [{ kind: 'failure', message, ...about }];
}

async function judgeRead(
  session: Session,
  { record, route, saved, id: listed }: SavedRecord,
): Promise<Finding[]> {
  const answered = member(saved.json, 'id');
  const id = listed ?? (typeof answered === 'number' ? answered : undefined);
  if (id === undefined) throw cannotTell('neither the list nor the answer shows the id of the autosave');
  const read = await session.client.request({ method: 'GET', route: `${route}/${id}`, as: 'user' });
  const refused = notAccepted('reading an autosave alone', read);
  if (refused !== undefined) return [refused];
  return judgeChild('an autosave', read.json, record.id, read, id);
}
