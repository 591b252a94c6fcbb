import { isObject, type Json, type JsonObject, raw } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import { type Schema, typesOf } from '../../reference/schema.ts';
import { answer, type Call } from '../../reference/site.ts';
import { REVISION, type StoredRecord } from '../../reference/store.ts';
import { type Mutant, type Mutants, mutant, together } from '../alteration.ts';
import { otherThan } from '../declarations.ts';
import { atMost, filteringBy, following, mutantsIn, mutantsOn, ofText, without } from '../handling.ts';
import { byMethod, isGiven, isOwnWrite, isUser, ownResources, recordOf, takesForms } from '../selecting.ts';

/** Writes that do not store a field, or reset it by a change of another one, and forms that are not parsed. */
export function storageMutants(contract: Contract): Mutants {
  const { operations } = contract;
  const writes = operations.filter(isOwnWrite);
  const updates = writes.filter(({ role }) => role === 'update');
  return [
    writes.map(writeMutants),
    operations
      .filter((one) => takesForms(one) || isPlainCall(one))
      .map((one) => formMutants(one, updates.indexOf(one))),
    updates.map(memberMutants),
    updates.map(loneMutants),
    updates.map(scheduledMutants),
    updates.filter(({ batchable }) => batchable).map(redatingMutant),
    updates.filter(({ resource }) => resource?.kind === 'records').map(leavingDraftMutants),
    updates.map(withdrawingMutant),
    updates.map(unsetMutants),
    updates.map(againMutants),
    ownResources(contract)
      .filter((resource) => resource.operations.update)
      .map((resource) => [foreignMutants(resource), loneStickyMutants(resource)]),
  ];
}

function loneStickyMutants({ id, fields, operations }: Resource): Mutants {
  return [operations.create, operations.update].map(
    (operation) =>
      operation?.batchable &&
      'sticky' in fields &&
      mutantsIn(operation.id, `${operation.id}/sticky`).made(
        'others~reset',
        'makes all others not sticky',
        (kept, { args, site }) => {
          if (args.sticky !== true) return;
          for (const other of site.store.ofKind(id)) other.sticky &&= other === kept;
        },
      ),
  );
}

/** Writes that reach the record of an id whatever collection it is in. */
function foreignMutants(resource: Resource): Mutants {
  const about = `states/${resource.id}`;
  const isForeign = (call: Call): boolean =>
    ![undefined, resource.id, REVISION].includes(recordOf(call)?.kind);
  const writing = (
    role: string,
    how: string,
    title: string,
    write: (one: StoredRecord, call: Call) => void,
  ) =>
    mutantsOn(resource, role, about, `${role} in ${resource.id}`)
      .where(isUser, isForeign)
      .handler(`other-ids~${how}`, title, (call) => {
        const stored = recordOf(call);
        if (stored) write(stored, call);
        return answer({});
      });
  return [
    mutantsOn(resource, 'update', about, `an update in ${resource.id}`)
      .where(isUser)
      .failing('other-ids~fails', 'by the id of another kind makes the server fail', isForeign),
    writing('update', 'updated', 'changes records of other kinds too', (stored, { args }) => {
      stored.title = raw(args.title) ?? stored.title;
    }),
    writing('delete', 'deleted', 'removes records of other kinds too', (stored, { site }) =>
      site.store.remove(stored),
    ),
  ];
}

function againMutants({ id, batchable, parameters: { properties } }: Operation): Mutants {
  const { args } = mutantsIn(id);
  const refusing = (name: string, of: 'status' | 'commentStatus'): Mutants =>
    name in properties &&
    args(`again~${name}-refused`, `refuses the ${name} that the record has`, (given, call) => {
      if (given[name] === undefined || given[name] !== recordOf(call)?.[of]) return given;
      throw new Refusal('rest_invalid_param', `Invalid parameter(s): ${name}`, 400);
    });
  const idle = (name: string, isHad: (value: Json, stored: StoredRecord) => boolean): Mutants =>
    name in properties &&
    args(`again~idle-at-the-same-${name}`, `changes nothing where it repeats the ${name}`, (given, call) => {
      const [value, stored] = [given[name], recordOf(call)];
      return value !== undefined && stored && isHad(value, stored) ? { id: stored.id } : given;
    });
  return [
    refusing('comment_status', 'commentStatus'),
    batchable && refusing('status', 'status'),
    idle('title', (value, { title }) => (isObject(value) ? value.raw : value) === title),
    batchable && idle('status', (value, { status }) => value === status),
  ];
}

/** Whether an operation alters the site and accepts a form: its required parameters have no structure. */
function isPlainCall({ effect, methods, parameters, pathParameters }: Operation): boolean {
  if (effect !== 'alters-site' || methods[0]?.startsWith('P') !== true) return false;
  const isPlain = (schema: Schema): boolean => !typesOf(schema).includes('object');
  const isListed = ({ items }: Schema): boolean => items?.type !== undefined && isPlain(items);
  const plain = Object.entries(parameters.properties)
    .filter(([name, schema]) => !(name in pathParameters) && isPlain(schema))
    .filter(([, schema]) => !typesOf(schema).includes('array') || isListed(schema))
    .filter(([name, { type, enum: members }]) => type ?? members ?? parameters.required.includes(name))
    .map(([name]) => name);
  const needed = parameters.required.filter((name) => !(name in pathParameters));
  return plain.length > 0 && needed.every((name) => plain.includes(name));
}

function memberMutants({ id, parameters, pathParameters }: Operation): Mutants {
  return Object.entries(parameters.properties)
    .filter(([name]) => !(name in pathParameters) && name !== 'status')
    .map(([name, { enum: members = [] }]) =>
      members.map((member, at) => {
        const other = members[(at + 1) % members.length] ?? null;
        const title = `stores ${String(other)} for ${name} ${String(member)}`;
        const { args, value } = mutantsIn(id, `${id}/${name}/members`);
        const lost = args(`stored~${String(member)}-lost`, `ignores ${name} ${String(member)}`, (given) =>
          given[name] === member ? without(given, name) : given,
        );
        return [
          value(name)(`stored~${String(member)}-as-another`, title, (sent) =>
            sent === member ? other : sent,
          ),
          ...(at === 0 ? [lost] : []),
        ];
      }),
    );
}

function redatingMutant({ id }: Operation): Mutant {
  const { args } = mutantsIn(id);
  return args('alone/POST~redates-published', 'dates a published record anew by its title', (given, call) => {
    const isMeant = recordOf(call)?.status === 'publish' && 'title' in given && !('date' in given);
    return isMeant ? { ...given, date: '2024-02-03T04:05:06' } : given;
  });
}

/** Lists that show what an update took from the public. */
function withdrawingMutant({ id, resource }: Operation): Mutants {
  const withdrawn = new WeakSet<StoredRecord>();
  const noting = following(id, (stored, before) => {
    const wasOpen = before.status === resource?.statuses.open || withdrawn.has(stored);
    if (wasOpen && ['draft', 'private'].includes(stored.status)) withdrawn.add(stored);
    else withdrawn.delete(stored);
  });
  const listing = filteringBy('status', (filter) => (record, ...query) => {
    return withdrawn.has(record) || filter(record, ...query);
  });
  const title = `lists ${resource?.id} that were public before an update as if they were`;
  return resource && mutant(`states/${resource.id}/again~withdrawn`, title, together(noting, listing));
}

/** Updates that publish or schedule a draft, and store another status: the first only if it names nothing else. */
function leavingDraftMutants({ id }: Operation): Mutants {
  const { follow } = mutantsIn(id, `${id}/status/stored`);
  return [
    follow(
      'publish~pending-alone',
      'keeps a draft that it publishes for a review',
      (stored, before, { request }) => {
        const { status, ...others } = request.json ?? {};
        const isAlone = status === 'publish' && Object.keys(others).length === 0;
        if (isAlone && before.status === 'draft') stored.status = 'pending';
      },
    ),
    follow('future~stays-draft', 'does not schedule a draft', (stored, before, { args }) => {
      if (args.status === 'future' && before.status === 'draft') stored.status = 'draft';
    }),
  ];
}

/** Mutants of updates that drop an enum where nothing else is written. Updates that no batch takes are sent together. */
function loneMutants({ id, batchable, parameters, pathParameters }: Operation): Mutants {
  const { args } = mutantsIn(id);
  return Object.entries(parameters.properties)
    .filter(([name, schema]) => batchable && name !== 'status' && schema.enum !== undefined)
    .map(([name]) =>
      args(`${name}/stored/POST~lost-alone`, `ignores ${name} where no other field is written`, (given) => {
        const written = Object.keys(given).filter((one) => !(one in pathParameters));
        return written.length === 1 ? without(given, name) : given;
      }),
    );
}

/** Mutants of updates that drop a field of what is scheduled. The reference knows one author. */
function scheduledMutants({ id, resource, parameters, pathParameters }: Operation): Mutants {
  if (resource?.kind !== 'records' || !resource.statuses.kept.includes('future')) return [];
  const { args } = mutantsIn(id);
  const apart = ['status', 'sticky', 'author', 'date_gmt', 'meta'];
  return Object.keys(parameters.properties)
    .filter((name) => !(name in pathParameters) && !apart.includes(name))
    .map((name) =>
      args(
        `${name}/stored/POST~not-of-scheduled`,
        `does not store ${name} of scheduled ones`,
        (given, call) => (recordOf(call)?.status === 'future' ? without(given, name) : given),
      ),
    );
}

/** Fields that are never empty in a new record. */
const NEVER_EMPTY: readonly string[] = ['author', 'slug', 'categories', 'title'];

function unsetMutants(operation: Operation): Mutants {
  const { args } = mutantsIn(operation.id);
  return fieldsOf(operation)
    .filter(([name, schema]) => !NEVER_EMPTY.includes(name) && canBeEmpty(schema))
    .map(([name]) =>
      args(`${name}/unset~keeps`, `by POST keeps ${name} when it is set to nothing`, (given, { request }) =>
        request.method === 'POST' && isNothing(fieldIn(given, name)) ? without(given, name) : given,
      ),
    );
}

function fieldIn(args: JsonObject, name: string): Json | undefined {
  const [field = '', key] = name.split('/');
  const value = args[field];
  return key === undefined || !isObject(value) ? value : value[key];
}

function canBeEmpty({ enum: members, format, properties, ...schema }: Schema): boolean {
  if (members !== undefined || format !== undefined) return false;
  return ['string', 'integer', 'array'].includes(typesOf(schema)[0] ?? '') || properties?.raw !== undefined;
}

function isNothing(value: Json | undefined): boolean {
  const written = isObject(value) ? value.raw : value;
  return written === '' || written === 0 || (Array.isArray(written) && written.length === 0);
}

/**
 * Sites that do not parse forms, of any method or of one. An empty autosave from a form would conform.
 * @param at the place of an update among all: a run tries one other method than POST of each, in turn
 */
function formMutants(operation: Operation, at: number): Mutants {
  const { id, effect, methods, resource, parameters, pathParameters } = operation;
  const { reading } = mutantsIn(id, `${id}/form`);
  const refuses = effect === 'alters-site' || resource?.kind === 'autosaves';
  const title = `${refuses ? 'refuses' : 'does not read'} the body of a request that is a form`;
  const unread = (word: string, which: string, isMeant: (method: string) => boolean): Mutant =>
    reading(`~${refuses ? 'refused' : 'not-read'}${word}`, `${title}${which}`, (given, read, { request }) => {
      const sent = isMeant(request.method) ? Object.keys(request.form) : [];
      if (refuses && sent.length > 0) throw new Refusal('rest_no_form', 'JSON alone is read.', 415);
      return read(sent.reduce(without, given));
    });
  const others = at < 0 || refuses ? [] : methods.filter((method) => method !== 'POST');
  const other = others[at % others.length];
  const isDue = parameters.required.some((name) => !(name in pathParameters));
  return [
    unread('', '', () => true),
    effect === 'alters-site' &&
      isDue && [
        reading('~json-unread', 'does not read JSON', (given, read, { request }) =>
          read(Object.keys(request.json ?? {}).reduce(without, given)),
        ),
        reading('~unvalidated', 'takes any form', (given, read, { request }) =>
          request.json === undefined ? given : read(given),
        ),
      ],
    other !== undefined && unread(`-by-${other.toLowerCase()}`, ` by ${other}`, (method) => method === other),
  ];
}

function writeMutants(operation: Operation): Mutants {
  const { id, methods, role } = operation;
  return fieldsOf(operation).map(([name, schema]) =>
    methods.map((method) => {
      const isUpdate = role === 'update';
      const about = `${id}/${name}/stored${isUpdate ? `/${method}` : ''}`;
      const { args, value } = mutantsIn(id, about, `${id} by ${method}`).where(byMethod(method));
      return [
        args('~lost', `does not store ${name}`, (given) => without(given, name)),
        typesOf(schema).includes('array') &&
          value(name)('~first-alone', `stores the first member of ${name} alone`, atMost(1)),
        !isUpdate && creationMutants(operation, about)[name],
        isUpdate && resetMutant(operation, method, name, schema),
      ];
    }),
  );
}

/** What creations store otherwise of some fields, by name. */
function creationMutants({ id }: Operation, about: string): Readonly<Record<string, Mutant>> {
  const { args, value } = mutantsIn(id, about, id);
  return {
    ping_status: args('~beside-comments', 'stores no ping_status beside comment_status', (given) =>
      'comment_status' in given ? without(given, 'ping_status') : given,
    ),
    alt_text: value('alt_text')(
      '~as-html',
      'stores alt_text as HTML',
      ofText((text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')),
    ),
    password: value('password')(
      '~first-72',
      'stores the first 72 characters of password',
      ofText((text) => text.slice(0, 72)),
    ),
  };
}

/** The fields of an operation, with each key of `meta` as one. */
function fieldsOf({ parameters, pathParameters }: Operation): [string, Schema][] {
  return Object.entries(parameters.properties)
    .filter(([name]) => !(name in pathParameters))
    .flatMap(([name, schema]): [string, Schema][] =>
      name === 'meta'
        ? Object.entries(schema.properties ?? {}).map(([key, inner]) => [`meta/${key}`, inner])
        : [[name, schema]],
    );
}

function resetMutant({ id }: Operation, method: string, name: string, schema: Schema): Mutant {
  const [field = '', key] = name.split('/');
  return mutantsIn(id, `${id}/alone/${method}`, `${id} by ${method}`)
    .where((call) => call.request.method === method && !isGiven(call, field))
    .args(`~resets-${name.replace('/', '-')}`, `resets ${name} when it is not sent`, (given, call) => {
      const blank = blankOf(name, schema, call);
      return { ...given, [field]: key === undefined ? blank : { [key]: blank } };
    });
}

/** Another value than the record has. */
function blankOf(name: string, schema: Schema, { site, args }: Call): Json {
  const [{ id: first } = { id: 0 }] = site.store.ofKind(schema['x-names'] ?? '');
  const stored = site.store.get(Number(args.id));
  if (schema.properties?.raw) return { raw: `reset ${name}` };
  const other = <T extends Json>(now: Json | undefined, usual: T, instead: T): T =>
    now === usual ? instead : usual;
  const known: Record<string, Json> = {
    author: other(stored?.author, 2, 1),
    status: other(stored?.status, 'draft', 'pending'),
    slug: `reset-${stored?.id ?? 0}`,
    password: other(stored?.password, 'reset', 'again'),
    sticky: stored?.sticky !== true,
    template: other(stored?.template, 'wide', ''),
    comment_status: other(stored?.commentStatus, 'open', 'closed'),
    ping_status: other(stored?.pingStatus, 'open', 'closed'),
    format: other(stored?.format, 'aside', 'standard'),
    featured_media: stored?.featuredMedia ? 0 : first,
    menu_order: (stored?.menuOrder ?? 0) + 1,
    date: '2001-02-03T04:05:06',
    date_gmt: '2001-02-03T04:05:06',
    post: stored?.parent ? 0 : first,
    parent: stored?.parent ? 0 : first,
    alt_text: 'reset text',
  };
  const blanks: Record<string, Json> = { string: 'reset', integer: 0, boolean: false, array: [] };
  if (name in known) return known[name] ?? null;
  return schema.default === undefined
    ? (blanks[typesOf(schema)[0] ?? 'string'] ?? '')
    : otherThan(schema.default);
}
