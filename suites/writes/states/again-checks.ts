import { setTimeout } from 'node:timers/promises';
import { asObject, type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { type Check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { failure, failureBy, inconclusive } from '../../../engine/findings.ts';
import type { Caller } from '../../../engine/session.ts';
import { type Args, encodeArgs, type Pair } from '../../../generators/wire-forms.ts';
import { listOwn } from '../../../probing/records/own/list-own.ts';
import { makeRecord } from '../../../probing/records/own/make-record.ts';
import { curlsOf, differs, must, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import { roots, stateCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  creationFields,
  type WritableCollection,
} from '../../../probing/records/own/writable-fields.ts';
import { contradictions, itemsOf, RENUMBERED, toRecords } from '../../../probing/records/reading/record.ts';
import { countOf } from '../../../probing/records/reading/run-rule.ts';
import { operationFor, takes } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { combinedValues } from '../fields/field-values.ts';

const CALLERS = ['user', 'anonymous'] as const;

/** Checks that lists and single reads agree about an own record after each change, for all callers. */
export function againChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'delete').flatMap((about) => {
    const { collection, resource } = about;
    const { list, read, update, delete: deletion } = resource.operations;
    if (list === undefined || read === undefined || update === undefined || deletion === undefined) return [];
    if (!takes(list, 'include') || !takes(update, 'title') || !takes(deletion, 'force')) return [];
    return [
      stateCheck(resource, {
        id: checkId('states', collection, 'again'),
        title: `lists and single reads of ${collection} agree after each change, whoever reads`,
        operation: list.id,
        needs: [
          serves(list, 'GET'),
          serves(read, 'GET'),
          roots.creation(collection),
          checkId('records', collection, 'alone'),
          checkId('states', collection, 'force'),
        ],
        after: [
          checkId(update.id, 'changes', 'POST'),
          checkId(update.id, 'alone', 'POST'),
          roots.stored(`${collection}.create`, 'status', resource.statuses?.open),
          roots.stored(update.id, 'status', 'POST'),
          ...[...CHANGED, ...LEFT].map((name) => roots.stored(`${collection}.create`, name)),
          ...[...CHANGED]
            .filter((name) => takes(update, name))
            .map((name) => roots.stored(update.id, name, 'POST')),
          checkId('states', collection, 'trash'),
          ...hiddenIds(collection, resource),
          ...hiddenIds(collection, resource, 'unlisted'),
          ...['listed', 'found'].map((word) => checkId('states', collection, resource.statuses?.open, word)),
          ...['slug', ...CHANGED, ...LEFT].flatMap((name) => [
            checkId(list.id, name, 'filters'),
            checkId(list.id, name, 'filters', 'beside'),
          ]),
          checkId(list.id, 'contexts', 'title.rendered'),
          ...update.parameters.flatMap(({ schema }) => roots.named(schema)),
        ],
        async run(own) {
          const found = await throughChanges(own, about, list);
          if (found?.kind !== 'failure') return found;
          const named = await throughChanges(own, about, list, true);
          return named ?? inconclusive(`what keeps answers by their address hides changes: ${found.message}`);
        },
      }),
    ];
  });
}

/** The ids of the checks that lists without a status filter show no other status: to nobody, or not to the user. */
export function hiddenIds(collection: Collection, { statuses }: Resource, word = 'hidden'): string[] {
  const others = (statuses?.kept ?? []).filter((status) => status !== statuses?.open);
  return others.map((status) => checkId('states', collection, status, word));
}

/** Compares lists and reads after each change of one record. @param passingCaches with new addresses for anybody */
async function throughChanges(
  own: OwnRecords,
  about: WritableCollection,
  list: Operation,
  passingCaches = false,
): Promise<Finding | undefined> {
  const { collection, resource } = about;
  const open = resource.statuses?.open ?? '';
  const isWritten = resource.statuses?.kept.includes(open) === true;
  const fields = creationFields(own.session.contract, collection);
  const valuesOf = (names: ReadonlySet<string>, round = 0): Promise<Map<string, unknown>> => {
    const named = fields.filter(({ name }) => names.has(name));
    return combinedValues(own, collection, named, round);
  };
  const written = new Map([...(await valuesOf(LEFT)), ...(await valuesOf(CHANGED))]);
  if (isWritten) written.set('status', open);
  const record = must.create(`a creation in ${collection}`, await makeRecord(own, { collection, written }));
  // Plugins may give new records another place among all.
  const kept = bodyOf(fields, new Map([...written].filter(([name]) => name !== RENUMBERED)));
  const past: Look[] = [{ as: 'user', where: 'as written', json: kept, curl: record.created.curl }];
  const shared = { own, record, apart: new Set<string>(), past };
  const at = (change: string): Moment => ({
    ...shared,
    change,
    beside: passingCaches ? [['_', change.replaceAll(' ', '-')]] : [],
  });
  const ofNew = await disagreement({ ...at('its creation'), isNew: true });
  if (ofNew !== undefined) return ofNew;
  const changed = bodyOf(fields, await valuesOf(CHANGED, 1));
  const title = `${record.slug} ${CHANGED_TITLE}`;
  const named = { ...changed, title: `${title} ${FOREIGN}`, slug: `${record.slug}-${FOREIGN}` };
  const isTaken = (await own.update(record, named)).answer === 'accepted';
  if (!isTaken) must.accept('an update', await own.update(record, { ...changed, title }));
  expectNext(past, changed);
  const updated = at('an update');
  const ofUpdate = (await disagreement(updated)) ?? (await outdated(list, updated));
  if (ofUpdate !== undefined) return ofUpdate;
  const first = bodyOf(fields, await valuesOf(CHANGED));
  const ofTrash = resource.trash === true && isWritten ? await throughTrash(at, open, first) : undefined;
  if (ofTrash !== undefined) return ofTrash;
  must.accept('a deletion with force=1', await own.remove(record, 1));
  return (await hidden(at('its deletion'))) ?? gone(at('its deletion'));
}

/** Notes that the user must see other values next. */
function expectNext(past: Look[], values: JsonObject): void {
  past.push(...past.slice(-1).map((look) => ({ ...look, json: { ...asObject(look.json), ...values } })));
}

/**
 * Moves a record to the trash and restores it with other values. Which changes of status are accepted is silent (§3).
 */
async function throughTrash(
  at: (change: string) => Moment,
  open: string,
  values: JsonObject,
): Promise<Finding | undefined> {
  const moved = at('its move to the trash');
  const { own, record, past } = moved;
  if ((await own.remove(record)).answer === 'accepted') {
    const found = (await disagreement({ ...moved, statuses: ['trash'] })) ?? (await hidden(moved));
    if (found !== undefined) return found;
  }
  const isWhole = (await own.update(record, { ...values, status: open })).answer === 'accepted';
  if (!isWhole && (await own.update(record, { status: open })).answer !== 'accepted') return undefined;
  if (isWhole) expectNext(past, values);
  return disagreement(at('its restoration'));
}

/** A word of each changed title, and one whose letters addresses encode. */
const CHANGED_TITLE = 'marigold';
const FOREIGN = 'λεξη';
/** Milliseconds before each look, because an index of searches may follow changes with a delay. */
const DELAYS = [0, 500, 2000];

/** The finding if a filter or search by what a record is now does not find it, or a list in embed shows it as before. */
async function outdated(list: Operation, moment: Moment): Promise<Finding | undefined> {
  for (const args of listsOf(list, moment)) {
    let found: Finding | undefined;
    for (const delay of DELAYS) {
      await setTimeout(delay);
      found = await misshown(list, moment, args);
      if (found === undefined) break;
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lists that show a record by what it is: by its slug alone, in embed, and by its other values. */
function listsOf({ parameters }: Operation, { record, past }: Moment): Args[] {
  const json = past.at(-1)?.json;
  const word = titleOf(json).includes(FOREIGN) ? FOREIGN : undefined;
  const argsOf = (...names: readonly string[]): Args =>
    Object.fromEntries(
      parameters.flatMap(({ name, wire, schema }) => {
        const values = name === 'search' ? word : [member(json, wire) ?? []].flat();
        if (!names.includes(name) || values === undefined || values.length === 0) return [];
        return [[wire, typesOf(schema).includes('array') || name === 'search' ? values : values[0]]];
      }),
    );
  const [slug, others] = [argsOf('slug'), argsOf('search', ...CHANGED, ...LEFT)];
  return [
    { ...slug, context: 'embed' },
    { ...others, include: [record.id] },
  ].filter((args) => Object.keys(args).length > 1);
}

async function misshown(list: Operation, { own, record, change, beside, past }: Moment, args: Args) {
  const answer = await own.get(list.route.wire, 'user', [...encodeArgs(args), ...beside]);
  must.conclude('a list by new values', answer, 'denied');
  const now = past.at(-1);
  if (now === undefined || answer.answer !== 'accepted' || !Array.isArray(answer.json)) return undefined;
  const [found, ...others] = toRecords(itemsOf(answer)).toSorted((one) => (one.id === record.id ? -1 : 1));
  // No other record has its slug. A search may find more than it is asked for.
  if (found?.id !== record.id || (others.length > 0 && !('include' in args))) {
    const observed = countOf(toRecords(itemsOf(answer)));
    const message = `after ${change} a list by what a record is now does not show it alone`;
    return failure(message, { expected: `the id ${record.id}`, observed, reproduce: curlsOf(now, answer) });
  }
  const [title, shown] = [titleOf(now.json), titleOf(found.json)];
  if (!title.includes(CHANGED_TITLE) || shown.includes(CHANGED_TITLE)) return undefined;
  const message = `after ${change} a list by what a record is now shows it as it was`;
  return differs(message, title, shown, now, answer);
}

const titleOf = (json: unknown): string => String(member(member(json, 'title'), 'rendered'));

interface Moment {
  readonly own: OwnRecords;
  readonly record: OwnRecord;
  readonly change: string;
  /** The statuses in the user's list request; default: no filter. */
  readonly statuses?: readonly string[];
  readonly beside: readonly Pair[];
  /** Fields that anonymous callers see differently from the start, for instance if a plugin hides authors (§5.4). */
  readonly apart: Set<string>;
  /** Set before the first change, when no answer can be outdated. */
  readonly isNew?: true;
  /** How the user saw the record alone before, or must see it next. */
  readonly past: Look[];
}

/** Fields with values that every site accepts: those in the update, and those that no change affects. */
const CHANGED: ReadonlySet<string> = new Set(['categories', 'format', 'comment_status', 'author']);
const LEFT: ReadonlySet<string> = new Set([
  ...['tags', 'ping_status', 'menu_order', 'parent', 'featured_media', 'template', 'meta/footnotes'],
]);
/** Fields that may change through the trash: which changes of status are accepted is silent (§3). */
const FOLLOWING: ReadonlySet<string> = new Set(['status', 'slug', 'date', 'date_gmt']);

interface Look {
  readonly as: string;
  readonly where: string;
  readonly json: unknown;
  readonly curl: string;
}

/** How all callers see a record alone and in the list, or the finding if a list lacks it; none if no read shows it. */
async function looksAt(moment: Moment): Promise<Look[] | Finding> {
  const { own, record, change, statuses, beside } = moment;
  const { collection, id } = record;
  const looks: Look[] = [];
  for (const as of CALLERS) {
    const alone = await readAlone(moment, as);
    // Who may read which status is silent (§5.4).
    if (as === 'anonymous' && (statuses !== undefined || alone.answer !== 'accepted')) continue;
    // Only its filter may show what is in the trash.
    if (statuses !== undefined && alone.answer === 'refused') return [];
    must.accept(`reading it after ${change}`, alone);
    looks.push({ as, where: `alone (${as})`, json: alone.json, curl: alone.curl });
    const options = { ...(statuses && { statuses }), beside };
    const { observation, items, ids } = await listOwn(own.session, collection, as, [id], options);
    if (ids === undefined) continue;
    const listed = items.find((item) => member(item, 'id') === id);
    if (listed === undefined) {
      const message = `after ${change} a record is read alone, but the list does not show it (${as})`;
      const reproduce = [alone.curl, observation.curl];
      return failure(message, { expected: `the id ${id} in it`, observed: 'a list without it', reproduce });
    }
    looks.push({ as, where: `in the list (${as})`, json: listed, curl: observation.curl });
  }
  return looks;
}

/** The finding if answers disagree: the list and the read of one caller, or the user and anonymous callers. */
async function disagreement(moment: Moment): Promise<Finding | undefined> {
  const { own, record, change, apart, past, isNew = false } = moment;
  const { contract } = own.session;
  const { collection } = record;
  const looks = await looksAt(moment);
  if (!Array.isArray(looks)) return looks;
  const [first] = looks;
  if (first === undefined) return undefined;
  const before = past.at(-1) ?? first;
  past.push(first);
  const unnamed = [
    ...contradictions(contract, collection, before.json, first.json).filter((name) => !FOLLOWING.has(name)),
    ...retyped(contract, collection, before.json, first.json),
  ];
  const changed = contradiction(change, before, first, unnamed, 'than was written');
  if (changed !== undefined) return changed;
  const differing = (one: Look, other: Look): string[] => {
    const [title, otherTitle] = [one, other].map(({ json }) => member(member(json, 'title'), 'rendered'));
    const names = contradictions(contract, collection, one.json, other.json);
    return title === otherTitle ? names : [...names, 'title'];
  };
  for (const other of looks) {
    const alone = looks.find((look) => look.as === other.as) ?? first;
    const between = differing(first, other);
    if (isNew && other === alone) for (const name of between) apart.add(name);
    const names = between.filter((name) => other.as === first.as || !apart.has(name));
    const found =
      contradiction(change, alone, other, differing(alone, other)) ??
      contradiction(change, first, other, names);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The fields of a single type whose value has another type than before; the id of nothing may be null. */
function retyped(contract: Contract, collection: Collection, one: unknown, other: unknown): string[] {
  const fields = operationFor(contract, collection, 'create')?.parameters ?? [];
  return fields.flatMap(({ wire, schema }) => {
    const [before, now] = [member(one, wire), member(other, wire)];
    const mayBeNull =
      typesOf(schema).length > 1 || (typeof before === 'number' && schema['x-names'] !== undefined);
    const isPlain = ['string', 'number', 'boolean'].includes(typeof before) && !mayBeNull;
    return isPlain && now !== undefined && typeof now !== typeof before ? [wire] : [];
  });
}

function contradiction(
  change: string,
  one: Look,
  other: Look,
  names: readonly string[],
  than = `${other.where} than ${one.where}`,
): Finding | undefined {
  const [part] = names;
  if (part === undefined) return undefined;
  const message = `after ${change} a record has another ${names.join(', ')} ${than}`;
  return differs(message, member(one.json, part), member(other.json, part), one, other);
}

function readAlone({ own, record, beside }: Moment, as: Caller): Promise<Observation> {
  return own.get(own.routeOf(record), as, [['context', 'view'], ...beside]);
}

/** The finding if a list without a status still shows a record, to the user or to anonymous callers. */
async function hidden({ own, record, change, beside }: Moment): Promise<Finding | undefined> {
  const { collection, id } = record;
  for (const as of CALLERS) {
    const { observation, ids } = await listOwn(own.session, collection, as, [id], { beside });
    if (ids?.includes(id) !== true) continue;
    return failure(`after ${change} a list still shows a record (${as})`, {
      expected: `no id ${id} in it`,
      observed: `the ids ${ids.join(', ')}`,
      reproduce: [observation.curl],
    });
  }
  return undefined;
}

async function gone(moment: Moment): Promise<Finding | undefined> {
  for (const as of CALLERS) {
    const read = await readAlone(moment, as);
    if (read.answer !== 'accepted' || member(read.json, 'id') !== moment.record.id) continue;
    const who = as === 'user' ? 'the user' : 'anonymous callers';
    return failureBy(`a record that was deleted with force=1 is still shown to ${who}`, 'no record', read);
  }
  return undefined;
}
