import type { QueryPair } from '../../client/address.ts';
import { isObject, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import type { Collection } from '../../client/ownership.ts';
import { callsOf, placesOf } from '../../compare/checks/places.ts';
import { isAmong } from '../../compare/clients/affected-calls.ts';
import type { NamedClient, SentParameter, Use } from '../../compare/clients/uses.ts';
import { describeUse, kindOf } from '../../compare/clients/uses.ts';
import { type Check, checkId, type Finding } from '../../engine/check.ts';
import { failure, inconclusive, notApplicable } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { present } from '../../engine/text.ts';
import { encodeArgs } from '../../generators/wire-forms.ts';
import { changedDraft } from '../../probing/records/own/drafts.ts';
import { isUploaded, makeRecord } from '../../probing/records/own/make-record.ts';
import type { Creation, OwnRecord } from '../../probing/records/own/outcome.ts';
import { ownRecordsOf } from '../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../probing/records/own/own-records.ts';
import { idsIn } from '../../probing/records/reading/record.ts';
import { operationFor, ownCollections, routeFor } from '../../specs/find-resource.ts';
import type { Contract, Operation, Parameter } from '../../specs/model.ts';
import { textsOf } from '../../specs/texts.ts';
import { goodFor, likelyValues } from '../../suites/arguments/calls/argument-values.ts';

const EXAMPLES = 'client';

function idPartOf({ name }: NamedClient): string {
  return name.replaceAll(/[^\w.-]/g, '_');
}

/** The checks that repeat the calls of some clients. */
export function exampleChecks(clients: readonly NamedClient[], contract: Contract): Check[] {
  return clients.flatMap((client) => client.uses.map((use) => exampleOf(client, use, contract)));
}

/** Repeats a call: a read with ids and words of this site, a write on an own record, with generated values. */
function exampleOf(client: NamedClient, use: Use, contract: Contract): Check {
  const { method, route, caller, context, parameters, body } = use;
  const parts = route.split('/').map((part) => part.replaceAll(/[^\w.-]/g, ''));
  const isRead = method === 'GET' || method === 'HEAD';
  const isRefused = use.answers?.includes('accepted') === false;
  const words = present([method !== 'GET' && method, body, caller, context, ...Object.keys(parameters)]);
  const about = {
    id: checkId(EXAMPLES, idPartOf(client), ...parts, words.join('+')),
    title: `the client ${client.name} is answered ${describeUse(use)}`,
    area: EXAMPLES,
    section: 'own',
    basis: 'implied',
  } as const;
  if (isRead) {
    const needsUser = caller === 'user' && { needsUser: true };
    const run: Check['run'] = (session) => (isRefused ? REFUSED : readAgain(use, session));
    return { ...about, ...needsUser, effect: 'reads', run };
  }
  const operation = contract.operations.find(({ methods, route: { wire } }) =>
    isAmong(use, { route: wire, methods }),
  );
  // A log shows no caller with cookies, but only users can write.
  return {
    ...about,
    ...(operation !== undefined && { operation: operation.id }),
    effect: 'writes',
    needsUser: true,
    async run(session) {
      if (operation === undefined) return notApplicable('the contract does not know what it writes');
      if (isRefused) return REFUSED;
      const sent = await writeAgain(use, operation, session);
      return 'kind' in sent ? sent : evaluate(use, sent.answer, sent.left);
    },
  };
}

const REFUSED = notApplicable('it was refused each time that it was recorded');

async function readAgain(use: Use, session: Session): Promise<Finding | Finding[]> {
  const route = await fill(use, session);
  if (route === undefined) return inconclusive(`the site shows no record to ask ${use.route} for`);
  const { query, left } = queryOf(use);
  const method = use.method === 'HEAD' ? 'HEAD' : 'GET';
  return evaluate(use, await session.ask({ method, route, query, as: use.caller }), left);
}

function evaluate(use: Use, answer: Observation, left: readonly string[]): Finding | Finding[] {
  if (answer.answer === 'accepted') return missingMembers(use, answer);
  if (left.length > 0 && answer.answer === 'refused') {
    return inconclusive(`it was sent without ${left.join(', ')}, of which no value is known, and refused`);
  }
  if (answer.answer === 'throttled') return inconclusive('throttled each time it was asked');
  if (answer.answer === 'denied' && use.caller === 'user') return inconclusive('denied to this user');
  return failure('the call is not answered', {
    expected: 'accepted',
    observed: `status ${answer.status}`,
    reproduce: [answer.curl],
  });
}

/** The route with values from the lists above its path parameters; undefined if they are empty. */
async function fill({ route, caller }: Use, session: Session): Promise<string | undefined> {
  let filled = '';
  for (const part of route.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      filled += `/${part}`;
      continue;
    }
    const { json } = await session.ask({ method: 'GET', route: filled, as: caller });
    const [first] = Array.isArray(json) ? json : isObject(json) ? Object.values(json) : [];
    // In a list below a record, `parent` is the id of that record.
    const named = name === 'parent' ? undefined : member(first, name);
    const value = named ?? member(first, textsOf('observed').identity) ?? member(first, 'slug');
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    filled += `/${value}`;
  }
  return filled;
}

function queryOf({ context, parameters, members }: Use): { query: [string, string][]; left: string[] } {
  const names = textsOf('observed');
  const query: [string, string][] = context === undefined ? [] : [[names.context, context]];
  const left: string[] = [];
  for (const [name, sent] of Object.entries(parameters)) {
    const isFields = name === names.tour.fields && members !== 'unknown';
    const value = isFields ? members.join(',').replaceAll('[]', '') : wordOf(sent);
    if (value !== undefined) query.push([name, value]);
    // Names with an underscore apply to every route, and do not cause a refusal.
    else if (!name.startsWith('_')) left.push(name);
  }
  return { query, left };
}

function wordOf({ kinds, words, most }: SentParameter): string | undefined {
  if (words !== undefined) return kinds.includes('list') ? words.join(',') : words[0];
  if (most !== undefined) return String(most);
  return kinds.includes('boolean') ? 'true' : undefined;
}

/** The members that no record of an answer has, although each has the object around them. */
function missingMembers({ members }: Use, { json, curl }: Observation): Finding[] {
  const records: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (members === 'unknown') return [];
  if (records.length === 0) return [inconclusive('the site answers no record that could show its members')];
  const missing = members.filter((path) => isMissing(records, path));
  if (missing.length === 0) return [];
  return [
    failure(`no record shows ${missing.slice(0, 10).join(', ')}`, {
      expected: 'the members that the client reads',
      observed: `${missing.length} of ${members.length} are missing`,
      reproduce: [curl],
    }),
  ];
}

function isMissing(records: readonly unknown[], path: string): boolean {
  let here = records;
  for (const part of path.split('.')) {
    const name = part.replace(/(?:\[\])+$/, '');
    const objects = here.filter(isObject);
    if (name === '' || name === '*' || objects.length === 0) return false;
    const found = objects.filter((one) => Object.hasOwn(one, name)).map((one) => one[name]);
    if (found.length === 0) return true;
    here = found.flat();
  }
  return false;
}

/** The clients that each check affects, by id: it is about what they call, send, or read. */
export function usedChecks(
  clients: readonly NamedClient[],
  contract: Contract,
  checks: readonly Check[],
): Record<string, readonly string[]> {
  const places = placesOf(contract);
  const used = checks.flatMap((check): [string, readonly string[]][] => {
    const calls = check.area === EXAMPLES ? undefined : callsOf(check, places);
    const isAffected = (client: NamedClient): boolean =>
      calls === undefined
        ? check.id.startsWith(`${EXAMPLES}/${idPartOf(client)}/`)
        : client.uses.some((use) => isAmong(use, calls));
    const names = clients.filter(isAffected).map(({ name }) => name);
    return names.length === 0 ? [] : [[check.id, names]];
  });
  return Object.fromEntries(used);
}

type Sent = Readonly<{ answer: Observation; left: readonly string[] }>;

interface Writing {
  readonly use: Use;
  readonly operation: Operation;
  readonly session: Session;
  readonly own: OwnRecords;
  readonly collection: Collection;
}

/** Repeats a write on an own record. @returns why nothing was sent, if no own record can serve */
async function writeAgain(use: Use, operation: Operation, session: Session): Promise<Sent | Finding> {
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
  const record = await makeRecord(own, { collection });
  if (!('id' in record)) return inconclusive(`no record of ${collection} could be made for it`);
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
    const made = use.body === 'form' ? own.uploadByForm(collection, args) : own.uploadRaw(collection, args);
    return sentOf(await made, left);
  }
  own.intend(collection, slug);
  const route = own.route(collection) ?? '';
  // The slug in the query identifies the record even if the site does not read the form.
  const query: QueryPair[] = use.body === 'form' ? [['slug', slug]] : [];
  const answer = await send(writing, route, { ...own.bodyOf(collection, slug), ...args }, query);
  return sentOf(await own.settle(collection, slug, answer), left);
}

function sentOf(made: Creation, left: readonly string[]): Sent | Finding {
  const { created: answer } = made;
  return 'id' in made ? { answer, left } : (made.finding ?? { answer, left });
}

async function removeRevision({ use, operation, session, own }: Writing): Promise<Sent | Finding> {
  const list = operationFor(session.contract, operation.resource?.id ?? '', 'list');
  if (list === undefined) return notApplicable('the contract has no list of these revisions');
  const { record, last } = await changedDraft(own, list, ['lantern']);
  const [id] = idsIn(last);
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
  const method = use.method === 'PUT' || use.method === 'PATCH' ? use.method : 'POST';
  return own.send({ method, route, query, body });
}

async function argsOf(writing: Writing, slug: string, record?: OwnRecord) {
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
