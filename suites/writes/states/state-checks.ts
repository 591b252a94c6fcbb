import { member } from '../../../client/json.ts';
import type { Collection } from '../../../client/ownership.ts';
import type { Check, CheckSpec, Finding, Found } from '../../../engine/check.ts';
import { checkId, declares, serves } from '../../../engine/check.ts';
import { blocked, describe, failureBy, inconclusive } from '../../../engine/findings.ts';
import type { Caller } from '../../../engine/session.ts';
import { listOwn, type OwnList, stillShown } from '../../../probing/records/own/list-own.ts';
import {
  contradicts,
  differs,
  inconclusiveBy,
  must,
  notAccepted,
  type OwnRecord,
} from '../../../probing/records/own/outcome.ts';
import { ownCheck, ownFixture, roots, stateCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { collectionsWith, type WritableCollection } from '../../../probing/records/own/writable-fields.ts';
import { toRecords } from '../../../probing/records/reading/record.ts';
import { shownToAnonymous } from '../../../probing/records/reading/shown-to-anonymous.ts';
import { takes } from '../../../specs/find-resource.ts';
import type { Contract, Resource } from '../../../specs/model.ts';
import { sharedRecord } from '../fields/shared-records.ts';
import { deletionChecks, leavingDraftChecks, otherIdChecks } from './change-checks.ts';
import { openStatusOf, SCHEDULED, statusesOf, statusRecord } from './status-records.ts';
import { reportedAsRemoved } from './untouched-checks.ts';

/** Statuses of records that only editors may see, read alone as well. */
const CLOSED: ReadonlySet<string> = new Set(['draft', 'private']);

/** The ids of the checks that lists without a status filter show no other status: to nobody, or not to the user. */
export function hiddenIds(collection: Collection, { statuses }: Resource, word = 'hidden'): string[] {
  const others = (statuses?.kept ?? []).filter((status) => status !== statuses?.open);
  return others.map((status) => checkId('states', collection, status, word));
}

/** Checks of the states of records (§3): kept, listed or hidden as stated, trashed and deleted. */
export function stateChecks(contract: Contract): Check[] {
  return [
    ...collectionsWith(contract, 'create').flatMap((about) => {
      const open = openStatusOf(contract, about.collection);
      const statuses = statusesOf(contract, about.collection);
      const made = statuses.includes(open)
        ? roots.stored(about.operation.id, 'status', open)
        : roots.creation(about.collection);
      const others = statuses.filter((status) => status !== open);
      return [
        ...statuses.map((status) => storedCheck(about, status)),
        listCheck(about, open, { ...shownByDefault(about, open), made }),
        ...others.flatMap((status) =>
          [hiddenByDefault, foundByStatus, hiddenFromAnonymous].map((make) =>
            listCheck(about, status, make(about, status)),
          ),
        ),
        ...anonymousChecks(about, open),
      ];
    }),
    ...leavingDraftChecks(contract),
    ...deletionChecks(contract),
    ...otherIdChecks(contract),
  ];
}

function storedCheck(about: WritableCollection, status: string): Check {
  const { collection, operation, resource } = about;
  const open = resource.statuses?.open;
  return ownCheck({
    id: roots.stored(operation.id, 'status', status),
    title: `${operation.id} stores the status ${status}`,
    section: '3',
    basis: 'stated',
    on: operation,
    parameter: 'status',
    needs: [
      declares(operation, 'status'),
      roots.creation(collection),
      // A scheduled record needs its date.
      status === SCHEDULED && roots.stored(operation.id, 'date'),
    ],
    after: [
      roots.readBack(collection, 'status'),
      // Who may not publish now may not publish later either, and what loses this status loses any.
      status !== open && roots.stored(operation.id, 'status', open),
    ],
    async run(own) {
      const creation = await statusRecord(own, collection, status);
      const record = must.create(`a creation in ${collection} with the status ${status}`, creation);
      const { status: shown } = record.shown;
      if (shown === status) return [];
      const message = `the status ${status} is accepted, but another one is read back`;
      return differs(message, status, shown, record.created, record.read);
    },
  });
}

interface ListCheck extends Pick<CheckSpec, 'title' | 'basis'> {
  readonly word: string;
  /** What creating records of this status requires; default: that the status is stored. */
  readonly made?: string;
  /** @param made own records by status */
  evaluate(own: OwnRecords, made: ReadonlyMap<string, OwnRecord>): Promise<Found>;
}

function listCheck(
  about: WritableCollection,
  status: string,
  { word, made = roots.stored(about.operation.id, 'status', status), evaluate, ...spec }: ListCheck,
): Check {
  const { collection, resource } = about;
  return stateCheck(resource, {
    ...spec,
    id: checkId('states', collection, status, word),
    operation: `${collection}.list`,
    parameter: 'status',
    needs: [checkId(`${collection}.list`, 'method', 'GET'), made],
    after: [
      ['user', 'anonymous'].map((as) => checkId(`${collection}.list`, 'answers', as)),
      checkId(`${collection}.list`, 'status', 'filters', word === 'hidden' ? 'anonymous' : undefined),
      checkId(`${collection}.list`, 'page', 'filters'),
      updateOf(resource),
      // A status that every list shows is shown beside this one too.
      word === 'found' && hiddenIds(collection, resource, 'unlisted'),
    ],
    run: async (own) => evaluate(own, await madeByStatus(own, collection)),
  });
}

/** The check that updates leave fields alone, which reports changes of the status. */
function updateOf({ operations: { update } }: Resource): string[] {
  return update?.methods.includes('POST') === true ? [checkId(update.id, 'alone', 'POST')] : [];
}

function shownByDefault({ collection }: WritableCollection, status: string): ListCheck {
  return {
    word: 'listed',
    title: `a list of ${collection} shows those with the status ${status} by default`,
    basis: 'stated',
    async evaluate(own, made) {
      const list = await defaultList(own, collection, 'user');
      return notShown(own, list, made.get(status));
    },
  };
}

function hiddenByDefault({ collection }: WritableCollection, status: string): ListCheck {
  return {
    word: 'unlisted',
    title: `a list of ${collection} does not show those with the status ${status} by default`,
    basis: 'stated',
    async evaluate(own, made) {
      const list = await defaultList(own, collection, 'user');
      const shown = shownIn(list, made.get(status), `with the status ${status}`);
      const open = openStatusOf(own.contract, collection);
      const control = made.get(open)?.id;
      if (shown !== undefined || (control !== undefined && list.ids?.includes(control) === true))
        return shown;
      return inconclusive(`the list does not show an own record with ${open} either`);
    },
  };
}

function foundByStatus({ collection }: WritableCollection, status: string): ListCheck {
  return {
    word: 'found',
    title: `a list of ${collection} by the status ${status} shows those that have it and no others`,
    async evaluate(own, made) {
      const list = await listOwn(own.session, collection, 'user', idsOfMade(made), { statuses: [status] });
      if (list.lacking.length > 0) {
        return blocked(checkId(`${collection}.list`, 'status', 'items', 'enum', 'accepted'));
      }
      const lost = await notShown(own, list, made.get(status));
      if (lost !== undefined) return lost;
      const others = [...made].filter(([other]) => other !== status);
      return others.map(([other, record]) => shownIn(list, record, `with the status ${other}`));
    },
  };
}

function hiddenFromAnonymous({ collection }: WritableCollection, status: string): ListCheck {
  return {
    word: 'hidden',
    title: `${collection} with the status ${status} are not listed to anonymous callers who ask for none`,
    async evaluate(own, made) {
      const list = await defaultList(own, collection, 'anonymous');
      const shown = shownIn(list, made.get(status), `with the status ${status} to an anonymous caller`);
      const record = await statusRecord(own, collection, status);
      if (!('id' in record) || !CLOSED.has(status)) return shown;
      const read = await own.read(record, 'view', 'anonymous');
      const undecided =
        read.answer === 'denied' ? undefined : inconclusiveBy('reading it without credentials', read);
      if (read.answer !== 'accepted' || member(read.json, 'id') !== record.id) return [shown, undecided];
      // Who may read which record is silent (§5.4), so this is only a warning.
      const message = `a record with the status ${status} is shown to an anonymous caller`;
      return [shown, { ...failureBy(message, 'anything but the record', read), kind: 'warning' }];
    },
  };
}

/** The check that no list shows private own records to anonymous callers, with any filter. */
function anonymousChecks({ collection, resource }: WritableCollection, open: string): Check[] {
  const { list } = resource.operations;
  if (list === undefined || !takes(list, 'include', 'status')) return [];
  return [
    stateCheck(resource, {
      id: checkId('states', collection, 'anonymous'),
      title: `no filter of the list shows anonymous callers those ${collection} of the run that are not ${open}`,
      operation: list.id,
      parameter: 'status',
      needs: [serves(list, 'GET'), roots.creation(collection)],
      after: [
        hiddenIds(collection, resource),
        updateOf(resource),
        checkId(list.id, 'status', 'filters', 'anonymous'),
      ],
      async run(own) {
        const others = [...(await madeByStatus(own, collection))].filter(([status]) => status !== open);
        const hidden = toRecords(others.map(([, { shown }]) => shown));
        if (hidden.length === 0) return inconclusive('no record of another status can be made');
        return shownToAnonymous(own.session, list, hidden, async () => true);
      },
    }),
  ];
}

/** Evaluates whether a list shows an own record; undefined if it does. */
async function notShown(own: OwnRecords, { observation, ids }: OwnList, record: OwnRecord | undefined) {
  const what = `an own record with the status ${String(record?.shown.status)}`;
  const undecided = notAccepted(`the list of ${what}`, observation);
  if (undecided !== undefined || record === undefined) return undecided;
  if (ids?.includes(record.id) === true) return undefined;
  const observed = ids === undefined ? describe(observation) : `the ids ${ids.join(', ') || 'of none'}`;
  const message = `a list does not show ${what}`;
  const lost = contradicts(message, `the id ${record.id} in it`, observed, observation);
  return (await reportedAsRemoved(own, record)) ?? lost;
}

/** The finding if a list shows an own record; a denied or refused list shows nothing. */
function shownIn(list: OwnList, record: OwnRecord | undefined, what: string): Finding | undefined {
  const { observation } = list;
  const undecided = observation.answer === 'denied' ? undefined : inconclusiveBy('the list', observation);
  return undecided ?? (record && stillShown(`a list shows an own record ${what}`, list, record));
}

const madeByStatus = ownFixture('own {} of every status', async (own, collection: Collection) => {
  const made = new Map<string, OwnRecord>();
  const { contract } = own.session;
  const kept = statusesOf(contract, collection);
  const open = openStatusOf(contract, collection);
  // A status that cannot be written is the default.
  if (!kept.includes(open)) {
    const record = await sharedRecord(own, collection, 'plain');
    if ('id' in record) made.set(open, record);
  }
  for (const status of kept) {
    const record = await statusRecord(own, collection, status);
    if ('id' in record && record.shown.status === status) made.set(status, record);
  }
  return made;
});

const idsOfMade = (made: ReadonlyMap<string, OwnRecord>): number[] => [...made.values()].map(({ id }) => id);

/** The own records of every status in the list without a status filter, requested once for each caller. */
const defaultList = ownFixture('own {} listed by default', async (own, collection: Collection, as: Caller) =>
  listOwn(own.session, collection, as, idsOfMade(await madeByStatus(own, collection))),
);
