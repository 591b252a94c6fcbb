import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, type Found, serves } from '../../../engine/check.ts';
import { describe, explain, failureBy, inconclusive, show } from '../../../engine/findings.ts';
import { encodeArgs, type Pair } from '../../../generators/wire-forms.ts';
import type { RevisedDraft } from '../../../probing/records/own/drafts.ts';
import { changedDraft, listRevisions, newDraft, revisedDraft } from '../../../probing/records/own/drafts.ts';
import { changedFields, readBack } from '../../../probing/records/own/make-record.ts';
import type { OwnRecord } from '../../../probing/records/own/outcome.ts';
import { contradicts, differs, must, recordOrAbort } from '../../../probing/records/own/outcome.ts';
import { ownCheck, roots } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { carriesTag, idsIn, itemsOf } from '../../../probing/records/reading/record.ts';
import { isOwnable, ofKind, operationFor, routeFor } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import { sharedRecord } from '../fields/shared-records.ts';

/** Checks of revisions (§2, §3, §4.6), on own records with several changes. */
export function revisionChecks(contract: Contract): Check[] {
  return ofKind(contract, 'revisions').flatMap((resource) => {
    const { parent: type = '', operations } = resource;
    const { list, read, delete: deletion } = operations;
    const makesSome = isOwnable(contract, resource) && operationFor(contract, type, 'update') !== undefined;
    if (list === undefined || !makesSome) return [];
    return [
      madeByUpdateCheck(type, list),
      idsCheck(type, list, read),
      ...(read === undefined ? [] : [parentCheck(contract, type, list, read), eachCheck(type, list, read)]),
      ...noRecordCheck(contract, type, list),
      ...(deletion === undefined ? [] : [revisionForceCheck(type, list, deletion)]),
    ];
  });
}

/** Not every site keeps revisions, even with their routes: missing ones are only a warning. */
function madeByUpdateCheck(type: string, list: Operation): Check {
  return ownCheck({
    id: checkId('revisions', type, 'created'),
    kind: 'states',
    title: `an update of the title and the content of one of the ${type} makes a revision of it`,
    basis: 'doubtful',
    on: list,
    needs: [serves(list, 'GET'), checkId(`${type}.update`, 'method', 'POST')],
    // Revisions without ids cannot be counted.
    after: [
      roots.creation(type),
      idsRoot(list.resource?.id),
      ['include', 'exclude'].map((name) => checkId(list.id, name, 'default', 'applied')),
    ],
    async run(own) {
      const { before, update, after } = await revisedDraft(own, list);
      const known = new Set(idsIn(before));
      if (idsIn(after).some((id) => !known.has(id))) return [];
      const message = 'an update makes no revision: the site may be set to keep none';
      const observed = `${known.size} before, ${idsIn(after).length} after`;
      return contradicts(message, 'a revision more than before', observed, update, after);
    },
  });
}

/** The check of the ids and parents of the children that a site has, which reports them for the run's own too. */
export const idsRoot = (children: string = ''): string => checkId('records', children, 'ids');

/** The checks that an operation answers each caller as it must at all. */
const answersOf = (operation: Operation | undefined): string[] =>
  operation === undefined ? [] : ['anonymous', 'user'].map((as) => checkId(operation.id, 'answers', as));

function idsCheck(type: string, list: Operation, read: Operation | undefined): Check {
  return ownCheck({
    id: checkId('revisions', type, 'ids'),
    kind: 'fields',
    title: `a revision of one of the ${type} carries its id and its parent, in the list and alone`,
    section: '2',
    basis: 'stated',
    on: list,
    needs: [serves(list, 'GET'), checkId('revisions', type, 'created')],
    after: [
      idsRoot(list.resource?.id),
      checkId('records', list.resource?.id ?? '', 'every-answer', 'ids'),
      answersOf(read),
    ],
    async run(own) {
      const draft = await revisedDraft(own, list);
      const { record, last } = draft;
      const listed = itemsOf(last).flatMap((item) => evaluateChild('a revision', item, record.id, last));
      const id = idsIn(last).at(-1);
      if (listed.length > 0 || read === undefined || id === undefined) return listed;
      return evaluateReadAlone(draft, id, await own.get(`${draft.route}/${id}`));
    },
  });
}

/** The check that each revision read alone is the one requested, from the newest to the oldest, and that none is unlisted. */
function eachCheck(type: string, list: Operation, read: Operation): Check {
  return ownCheck({
    id: checkId('revisions', type, 'ids', 'each'),
    kind: 'states',
    title: `each of several revisions of one of the ${type} is read alone as itself`,
    section: '2',
    on: read,
    needs: [serves(list, 'GET'), checkId('revisions', type, 'ids')],
    async run(own) {
      const draft = await revisedDraft(own, list);
      const found: Found[] = [];
      // The check of ids has read the oldest one.
      for (const id of idsIn(draft.last).slice(0, -1)) {
        found.push(evaluateReadAlone(draft, id, await own.get(`${draft.route}/${id}`)));
      }
      return [...found.flat(), await unlisted(own, draft)];
    },
  });
}

/** The finding if a revision that was listed after the first change is there, and not listed after all of them. */
async function unlisted(own: OwnRecords, draft: RevisedDraft): Promise<Finding | undefined> {
  const listed = idsIn(draft.last);
  for (const id of idsIn(draft.after).filter((one) => !listed.includes(one))) {
    // A site may keep few of them.
    const alone = await own.get(`${draft.route}/${id}`);
    if (alone.answer !== 'accepted' || member(alone.json, 'id') !== id) continue;
    const list = await listRevisions(own.session, draft.route);
    if (idsIn(list).includes(id)) continue;
    const expected = `the revision ${id}, which can be read alone`;
    return contradicts('the list of revisions lacks one of them', expected, listed.join(', '), alone, list);
  }
  return undefined;
}

/** The check that a revision belongs to its parent (§2) and is not found under another record. */
function parentCheck(contract: Contract, type: string, list: Operation, read: Operation): Check {
  return ownCheck({
    id: checkId('revisions', type, 'ids', 'parent'),
    kind: 'states',
    title: `a revision of one of the ${type} is not shown below another one`,
    section: '2',
    on: read,
    needs: [serves(list, 'GET'), checkId('revisions', type, 'ids')],
    // It is looked for among those of other types, too.
    after: [
      checkId('records', read.resource?.id ?? '', 'other-ids'),
      ofKind(contract, 'revisions').flatMap((one) => answersOf(one.operations.read)),
    ],
    async run(own) {
      const { record, last } = await revisedDraft(own, list);
      const [id = 0] = idsIn(last);
      let isDecided = false;
      for (const { route, hasOwn } of await wrongPlaces(own, type, list, { parent: record.id, id })) {
        const look = await own.get(route);
        must.conclude('reading it below another', look, 'denied');
        const isShown = look.answer === 'accepted';
        if (isShown && (await hasOwn(look))) continue;
        isDecided = true;
        const leavesOut = Array.isArray(look.json) && !idsIn(look).includes(id);
        if (!isShown || leavesOut) continue;
        const message = 'a revision is shown below a record that it is no revision of';
        const expected = `a refusal: it belongs to one of the ${type}, ${record.id}`;
        const observed = `${describe(look)}, parent ${show(member([look.json].flat()[0], 'parent'))}`;
        return contradicts(message, expected, observed, last, look);
      }
      return isDecided ? [] : inconclusive('another record has a revision with the same id');
    },
  });
}

/** Where something that belongs to another record is read, and whether that record has one of its own with the same id. */
interface WrongPlace {
  readonly route: string;
  readonly hasOwn: (look: Observation) => Promise<boolean>;
}

/**
 * Where a revision must not be found: below another record of its type, and below one of another type with the id of its
 * parent. Revisions are identified by parent and id (§2), so each record may number its own from 1.
 */
async function wrongPlaces(
  own: OwnRecords,
  type: string,
  list: Operation,
  { parent, id }: Readonly<Record<'parent' | 'id', number>>,
): Promise<WrongPlace[]> {
  const other = recordOrAbort(await newDraft(own, type), 'no other record can be created');
  const below = routeFor(list, other.id);
  const place: WrongPlace = {
    route: `${below}/${id}`,
    hasOwn: async ({ json }) => member(json, 'parent') === other.id && (await holds(own, below, id)),
  };
  const elsewhere = ofKind(own.contract, 'revisions').find((one) => one.parent !== type);
  const listElsewhere = elsewhere?.operations.list;
  if (elsewhere === undefined || listElsewhere === undefined) return [place];
  const route = routeFor(listElsewhere, parent);
  const hasOwn = (): Promise<boolean> => isOfBoth(own, elsewhere, parent);
  return [place, { route, hasOwn }, { route: `${route}/${id}`, hasOwn }];
}

/** The check that a revision is no record of its own: it is identified by its parent and its id (§2). */
function noRecordCheck(contract: Contract, type: string, list: Operation): Check[] {
  const read = operationFor(contract, type, 'read');
  if (read === undefined) return [];
  return [
    ownCheck({
      id: checkId('revisions', type, 'ids', 'record'),
      kind: 'states',
      title: `a revision of one of the ${type} is not read as one of the ${type}`,
      section: '2',
      on: read,
      needs: [serves(list, 'GET'), serves(read, 'GET'), checkId('revisions', type, 'ids')],
      after: [checkId('records', type, 'other-ids')],
      async run(own) {
        const { record, last } = await revisedDraft(own, list);
        const id = idsIn(last).at(-1);
        if (id === undefined) return inconclusive('the own draft has no revision');
        const look = await own.get(routeFor(read, id));
        must.conclude('reading the id of a revision', look, 'denied');
        // Each type may have its own ids: then another record has this one, without the words of the draft.
        const isShown = member(look.json, 'id') === id && carriesTag(look.json, `${record.slug} `);
        if (look.answer !== 'accepted' || id === record.id || !isShown) return [];
        const message = `a revision of one of the ${type} is read as one of them`;
        return failureBy(message, 'a refusal', look, [last.curl, look.curl]);
      },
    }),
  ];
}

async function holds(own: OwnRecords, route: string, id: number | undefined): Promise<boolean> {
  return idsIn(await listRevisions(own.session, route)).includes(Number(id));
}

/** Whether an id names a record of another type too, as where each type has its own ids. */
async function isOfBoth(own: OwnRecords, other: Resource | undefined, id: number): Promise<boolean> {
  const read = operationFor(own.contract, other?.parent ?? '', 'read');
  return read !== undefined && (await own.get(routeFor(read, id))).answer !== 'refused';
}

function evaluateReadAlone({ record }: RevisedDraft, id: number, alone: Observation): Found {
  if (alone.answer !== 'accepted') {
    const found = failureBy('a revision that its list holds cannot be read alone', 'the revision', alone);
    const isSilent = alone.answer === 'denied' || alone.answer === 'throttled';
    return isSilent ? { ...found, kind: 'inconclusive' } : found;
  }
  return evaluateChild('a revision', alone.json, record.id, alone, id);
}

/** A refusal without `force` (§3, R38) proves something only if the same request with `force` is accepted. */
function revisionForceCheck(type: string, list: Operation, deletion: Operation): Check {
  return ownCheck({
    id: checkId('revisions', type, 'force'),
    kind: 'states',
    title: `deleting a revision of one of the ${type} without force is not accepted`,
    section: '3',
    basis: 'stated',
    on: deletion,
    parameter: 'force',
    needs: [serves(deletion, 'DELETE'), checkId('revisions', type, 'created')],
    async run(own) {
      const { record, route, last } = await changedDraft(own, list, ['velvet', 'amber']);
      // The oldest one differs from the record, which a site may set back to it.
      const [id, ...others] = idsIn(last).toReversed();
      if (id === undefined) throw inconclusiveAbort('the own draft has no revision');
      const other = await sharedRecord(own, type, 'plain');
      const below = 'id' in other ? [routeFor(list, other.id)] : [];
      return evaluateForce(own, { record, route, below }, [id, ...others]);
    },
  });
}

/** A record, the route of its revisions, and those of the revisions of others. */
interface Revised {
  readonly record: OwnRecord;
  readonly route: string;
  readonly below: readonly string[];
}

const FORCED: readonly Pair[] = [['force', 'true']];

/** The finding if a revision is deleted below another record: it is identified by its parent and its id (§2). */
async function deletedBelow(own: OwnRecords, { route, below }: Revised, id: number): Promise<Found> {
  for (const other of below) {
    const deletion = await own.send({ method: 'DELETE', route: `${other}/${id}`, query: FORCED });
    if (deletion.answer !== 'accepted') continue;
    const list = await listRevisions(own.session, route);
    if (list.answer !== 'accepted' || idsIn(list).includes(id)) continue;
    const message = 'a revision is deleted below a record that it is no revision of';
    return failureBy(message, 'a refusal', deletion, [deletion.curl, list.curl]);
  }
  return undefined;
}

async function evaluateForce(
  own: OwnRecords,
  revised: Revised,
  [id, ...others]: readonly [number, ...number[]],
): Promise<Found> {
  const { record, route } = revised;
  const spec = { method: 'DELETE', route: `${route}/${id}` } as const;
  for (const force of [undefined, 'false', 'maybe']) {
    const without = await own.send({ ...spec, query: encodeArgs({ force }) });
    must.conclude('deleting a revision', without);
    const how = force === undefined ? 'without force' : `with force=${force}`;
    if (without.answer === 'accepted')
      return failureBy(`a revision is deleted ${how}`, 'not accepted', without);
  }
  const elsewhere = await deletedBelow(own, revised, id);
  if (elsewhere !== undefined) return elsewhere;
  const before = await readBack(own, record);
  const forced = await own.send({ ...spec, query: FORCED });
  if (forced.answer !== 'accepted') {
    throw inconclusiveAbort(`deleting a revision is not accepted with force either (${explain(forced)})`);
  }
  const after = await readBack(own, record);
  if (before.shown !== undefined && after.read.answer === 'refused') {
    const gone = 'a deletion of a revision removes its record';
    return failureBy(gone, 'the record', after.read, [forced.curl, after.read.curl]);
  }
  const list = await listRevisions(own.session, route);
  const left = idsIn(list);
  const shown = left.join(', ') || 'no revision';
  if (left.includes(id)) {
    const stays = 'a revision that was deleted with force is still listed';
    return contradicts(stays, `no revision ${id}`, shown, forced, list);
  }
  if (!others.every((other) => left.includes(other))) {
    const gone = 'after a deletion of one revision others of its record are gone too';
    return contradicts(gone, `the revisions ${others.join(', ')}`, shown, forced, list);
  }
  const [first] = changedFields(own, record, before.shown, after.shown);
  if (first === undefined) return [];
  const message = `a deletion of a revision changes ${first} of its record`;
  return differs(message, before.shown?.[first], after.shown?.[first], forced, after.read);
}

/** Evaluates a revision or autosave: an integer id, and the id of its record as parent (§2). */
export function evaluateChild(
  what: string,
  child: unknown,
  parent: number,
  answer: Observation,
  id?: number,
): Finding[] {
  const [ownId, ownParent] = [member(child, 'id'), member(child, 'parent')];
  const wrong = (message: string, expected: string, observed: unknown): Finding[] => [
    contradicts(`${what} ${message}`, expected, show(observed), answer),
  ];
  if (!Number.isInteger(ownId)) return wrong('has no integer id', 'an integer', ownId);
  if (!Number.isInteger(ownParent)) return wrong('has no integer parent', `parent ${parent}`, ownParent);
  if (ownParent !== parent)
    return wrong('does not name its record as its parent', `parent ${parent}`, ownParent);
  return id === undefined || ownId === id ? [] : wrong('answers as another', `id ${id}`, ownId);
}
