import type { QueryPair } from '../../client/address.ts';
import type { Collection } from '../../client/journal.ts';
import { isObject, member } from '../../client/json.ts';
import type { Method, Observation } from '../../client/observation.ts';
import type { Use } from '../../compare/clients/uses.ts';
import { kindOf } from '../../compare/clients/uses.ts';
import type { Finding } from '../../engine/check.ts';
import { inconclusive, notApplicable } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { encodeArgs } from '../../generators/wire-forms.ts';
import { changeDraft } from '../../probing/records/own/drafts.ts';
import { isUploaded, newRecord } from '../../probing/records/own/own-check.ts';
import { ownRecordsOf } from '../../probing/records/own/own-fixture.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../probing/records/own/own-records.ts';
import { idsIn } from '../../probing/records/reading/record.ts';
import { operationFor, ownCollections, routeFor } from '../../specs/find-resource.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { goodFor, likelyValues } from '../../suites/arguments/argument-values.ts';
import { uploadAsForm } from '../../suites/writes/media/media-checks.ts';

/** The answer to a write, and the names of the parameters that were left out. */
interface Sent {
  readonly answer: Observation;
  readonly left: readonly string[];
}

/** A write of a client, and the context for repeating it. */
interface Writing {
  readonly use: Use;
  readonly operation: Operation;
  readonly session: Session;
  readonly own: OwnRecords;
  readonly collection: Collection;
}

/**
 * Repeats a write of a client on an own record: the same operation and parameters, with generated values.
 * @returns why nothing was sent, if no own record can serve
 * @throws Aborted if own records cannot be written
 */
export async function writeAgain(use: Use, operation: Operation, session: Session): Promise<Sent | Finding> {
  const own = ownRecordsOf(session);
  if (own === undefined) return inconclusive('no records of its own can be written');
  const { resource, role } = operation;
  const collection = ownCollections(session.contract).find(
    ({ id }) => id === (resource?.parent ?? resource?.id),
  )?.id;
  if (collection === undefined) return notApplicable('it writes no record that a run could make for it');
  const writing = { use, operation, session, own, collection };
  if (role === 'create' && resource?.parent === undefined) return create(writing);
  if (resource?.kind === 'revisions') return removeRevision(writing);
  const record = await newRecord(own, collection);
  if ('refused' in record) return inconclusive(`no record of ${collection} could be made for it`);
  if (use.method === 'DELETE') {
    const force = Object.hasOwn(use.parameters, 'force') ? true : undefined;
    return { answer: await own.remove(record, force), left: [] };
  }
  const { args, left } = await argsOf(writing, record.slug, record);
  const suffix = /\{\w+\}(\/[^{]*)?$/.exec(operation.route.wire)?.[1] ?? '';
  return { answer: await send(writing, `${own.route(collection)}/${record.id}${suffix}`, args), left };
}

async function create(writing: Writing): Promise<Sent | Finding> {
  const { use, own, collection } = writing;
  const slug = own.nextSlug();
  const { args, left } = await argsOf(writing, slug);
  if (isUploaded(own.session, collection)) {
    const made = await (use.body === 'form'
      ? uploadAsForm(own, collection, args)
      : own.upload(collection, args));
    return sentOf(made, left);
  }
  own.intend(collection, slug);
  const route = own.route(collection) ?? '';
  // The slug in the query identifies the record even if the site does not read the form.
  const query: QueryPair[] = use.body === 'form' ? [['slug', slug]] : [];
  const answer = await send(writing, route, { ...own.bodyOf(collection, slug), ...args }, query);
  return sentOf(await own.settle(collection, slug, answer), left);
}

function sentOf(made: OwnRecord | NotCreated, left: readonly string[]): Sent | Finding {
  if (!('refused' in made)) return { answer: made.created, left };
  return made.finding ?? { answer: made.refused, left };
}

async function removeRevision({ use, operation, session, own }: Writing): Promise<Sent | Finding> {
  const list = operationFor(session.contract, operation.resource?.id ?? '', 'list');
  if (list === undefined) return notApplicable('the contract has no list of these revisions');
  const { record, after } = await changeDraft(own, list, ['lantern']);
  const [id] = idsIn(after);
  if (id === undefined) return inconclusive('the site keeps no revision of an own draft');
  const query: QueryPair[] = Object.hasOwn(use.parameters, 'force') ? [['force', 'true']] : [];
  const spec = { method: 'DELETE', route: routeFor(operation, record.id, id), query } as const;
  return { answer: await own.send(spec), left: [] };
}

function send(
  { use, own }: Writing,
  route: string,
  args: Readonly<Record<string, unknown>>,
  query: readonly QueryPair[] = [],
): Promise<Observation> {
  const body = use.body === 'form' ? { form: encodeArgs(args) } : { json: args };
  return own.send({ method: methodOf(use), route, query, body });
}

function methodOf({ method }: Use): Method {
  return method === 'PUT' || method === 'PATCH' ? method : 'POST';
}

interface Arguments {
  readonly args: Record<string, unknown>;
  readonly left: string[];
}

/** The parameters of the client, with generated values. @param slug a word of the run */
async function argsOf(writing: Writing, slug: string, record?: OwnRecord): Promise<Arguments> {
  const { use, operation } = writing;
  const args: Record<string, unknown> = {};
  const left: string[] = [];
  for (const [name, { kinds, words }] of Object.entries(use.parameters)) {
    // Names with an underscore apply to every route, and change the form of the answer.
    if (name.startsWith('_')) continue;
    const parameter = operation.parameters.find(({ wire, in: place }) => wire === name && place !== 'path');
    const isApart = parameter?.schema['x-apart']?.some((other) => Object.hasOwn(use.parameters, other));
    const value =
      parameter === undefined || isApart === true
        ? undefined
        : (words?.[0] ?? (await valueFor(writing, parameter, slug, record)));
    if (value === undefined) left.push(name);
    else args[name] = asKind(value, kinds);
  }
  return { args, left };
}

async function valueFor(
  { session, operation }: Writing,
  parameter: Parameter,
  slug: string,
  record: OwnRecord | undefined,
): Promise<unknown> {
  const { name, schema } = parameter;
  if (name === 'slug') return slug;
  if (name === 'src') return member(record?.created.json, 'source_url');
  if (schema.properties?.raw !== undefined) return { raw: `${slug} ${name}` };
  const { named } = await likelyValues(session, operation, parameter);
  // The id of a record that does not exist is not a valid value.
  return named[0] ?? (schema['x-names'] === undefined ? goodFor(session, operation, parameter) : undefined);
}

/** Converts a value to the type that the client sends, if the contract accepts several. */
function asKind(value: unknown, kinds: readonly string[]): unknown {
  if (kinds.length === 0 || kinds.includes(kindOf(value))) return value;
  const [kind] = kinds;
  if (kind === 'null') return null;
  if (kind === 'empty') return '';
  if (kind === 'list') return [value];
  if (kind !== 'text') return value;
  const plain = isObject(value) ? value.raw : value;
  return typeof plain === 'number' || typeof plain === 'boolean' ? String(plain) : (plain ?? value);
}
