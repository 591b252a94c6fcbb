import type { Contract } from '../../reference/contract.ts';
import type { Json, JsonObject } from '../../reference/json.ts';
import { isObject } from '../../reference/json.ts';
import { typesOf } from '../../reference/schema.ts';
import type { Kind, StoredRecord } from '../../reference/store.ts';
import { otherThan } from '../toolkit/alterations.ts';
import { handling, healthy, kindOf, showing, turningArgs } from '../toolkit/handling.ts';
import { type Fault, fault } from './fault.ts';

const COLLECTIONS = ['posts', 'pages', 'media'];

/** Faults in the records themselves: ids, types of fields, creations that do not create, texts of a password. */
export function recordFaults(contract: Contract): Fault[] {
  return COLLECTIONS.flatMap((collection) => {
    const create = contract.operations.find(({ id }) => id === `${collection}.create`);
    const kind = kindOf(`${collection}.`);
    if (!create || !kind) return [];
    const { properties } = create.parameters;
    return [
      ...idFaults(collection),
      ...Object.entries(properties).map(([name, schema]) => typeFault(collection, name, typesOf(schema)[0])),
      ...creationFaults(collection, kind),
      ...['date', 'date_gmt'].map((name) => agreementFault(collection, name)),
      ...('password' in properties ? protectionFaults(collection, kind) : []),
      ...readOnlyFaults(collection, properties),
      ...Object.entries(properties.meta?.properties ?? {}).flatMap(([key, inner]) =>
        inner.default === undefined ? [] : [metaDefaultFault(collection, key, inner.default)],
      ),
      ...(properties.status?.enum ?? [])
        // Of media only what is private is known to be kept (R35).
        .filter((status) => collection !== 'media' || status === 'private')
        .map((status) => statusFault(collection, String(status))),
    ];
  });
}

function idFaults(collection: string): Fault[] {
  const reads = [`${collection}.list`, `${collection}.read`];
  return [
    fault(
      `records/${collection}/id`,
      'as-text',
      `the ids of ${collection} are texts`,
      showing(reads, (record) => ({ ...record, id: String(record.id) })),
    ),
    ...(collection === 'media' ? [] : ['revisions', 'autosaves']).map((children) => {
      const of = `${collection.slice(0, -1)}-${children}`;
      return fault(
        `records/${of}/ids`,
        'as-text',
        `the ids of ${children} of ${collection} are texts`,
        showing([`${of}.list`, `${of}.read`], (record) => ({ ...record, id: String(record.id) })),
      );
    }),
  ];
}

function typeFault(collection: string, name: string, type: string | undefined): Fault {
  const wrong: Json = type === 'array' || type === 'object' ? 'text' : ['wrong'];
  return fault(
    `records/${collection}/types/${name}`,
    'another',
    `records of ${collection} show ${name} as another type`,
    showing([`${collection}.list`, `${collection}.read`], (record) =>
      name in record ? { ...record, [name]: wrong } : record,
    ),
  );
}

function creationFaults(collection: string, kind: Kind): Fault[] {
  const id = `${collection}.create`;
  return [
    fault(
      `${id}/record`,
      'vanishes',
      `a creation in ${collection} succeeds and stores nothing`,
      handling(id, async (call) => {
        const answer = await healthy(call);
        const made = isObject(answer.body) ? call.site.store.get(Number(answer.body.id), kind) : undefined;
        if (made) call.site.store.remove(made);
        return answer;
      }),
    ),
    fault(
      `${id}/record`,
      'nameless',
      `a creation in ${collection} answers no record`,
      handling(id, async (call) => ({ ...(await healthy(call)), body: { done: true } })),
    ),
    fault(
      `${id}/once`,
      'twice',
      `a creation in ${collection} makes two records`,
      handling(id, async (call) => {
        const answer = await healthy(call);
        await healthy(call);
        return answer;
      }),
    ),
  ];
}

function agreementFault(collection: string, name: string): Fault {
  const other = name === 'date' ? 'date_gmt' : 'date';
  return fault(
    `${collection}.create/${name}/agrees`,
    'another-zone',
    `${collection} show a ${other} a day away from the ${name} that was written`,
    showing([`${collection}.create`, `${collection}.read`], (record) => ({
      ...record,
      [other]: String(record[other]).replace(/^\d{4}/, '1999'),
    })),
  );
}

/** Faults that show what a password protects, hide it from whoever gives the password, or tell it wrongly. */
function protectionFaults(collection: string, kind: Kind): Fault[] {
  const reads = [`${collection}.list`, `${collection}.read`];
  const locked = (
    record: JsonObject,
    change: (stored: StoredRecord) => JsonObject,
    store: { get: (id: number, kind?: Kind) => StoredRecord | undefined },
  ): JsonObject => {
    const stored = store.get(Number(record.id), kind);
    return stored && stored.password !== '' ? { ...record, ...change(stored) } : record;
  };
  const texts = ['content', 'excerpt'] as const;
  const leaks = texts.flatMap((field) =>
    [`protected/${collection}/${field}`, `protected/${collection}/written/${field}`].map((breaks) =>
      fault(
        breaks,
        'shown',
        `${collection} show the ${field} that a password protects`,
        showing(reads, (record, { site }) => {
          const shown = record[field];
          const open = (stored: StoredRecord): JsonObject =>
            isObject(shown) ? { [field]: { ...shown, rendered: stored[field] || 'An excerpt' } } : {};
          return locked(record, open, site.store);
        }),
      ),
    ),
  );
  const flag = fault(
    `protected/${collection}/written/flag`,
    'false',
    `${collection} call protected content unprotected`,
    showing(reads, (record, { site }) => {
      const shown = record.content;
      return locked(
        record,
        () => (isObject(shown) ? { content: { ...shown, protected: false } } : {}),
        site.store,
      );
    }),
  );
  const id = `${collection}.read`;
  return [
    ...leaks,
    flag,
    fault(
      `protected/${collection}/written/opened`,
      'closed',
      `${collection} stay closed to whoever gives the password`,
      handling(id, (call) => {
        const { password: _, ...args } = call.args;
        return healthy({ ...call, args });
      }),
    ),
    fault(
      `protected/${collection}/written/wrong-password`,
      'opens',
      `${collection} open to any password`,
      handling(id, (call) => {
        const stored = call.site.store.get(Number(call.args.id), kind);
        if (!stored || call.args.password === undefined || stored.password === '') return healthy(call);
        const query = { ...call.request.query, password: stored.password };
        const request = { ...call.request, query };
        return healthy({ ...call, request, args: { ...call.args, password: stored.password } });
      }),
    ),
    fault(
      `protected/${collection}/written/edit`,
      'hidden',
      `${collection} hide protected content from those who edit it`,
      showing(id, (record, { site, args }) => {
        const shown = record.content;
        const hidden = isObject(shown) ? { content: { ...shown, raw: '', rendered: '' } } : {};
        return args.context === 'edit' ? locked(record, () => hidden, site.store) : record;
      }),
    ),
  ];
}

/** Faults that store what is only to be read. */
function readOnlyFaults(
  collection: string,
  properties: Readonly<Record<string, { properties?: Record<string, { readOnly?: boolean }> }>>,
): Fault[] {
  return Object.entries(properties).flatMap(([field, { properties: members }]) =>
    Object.entries(members ?? {})
      .filter(([, { readOnly }]) => readOnly === true)
      .map(([member]) => readOnlyFault(collection, field, member)),
  );
}

function readOnlyFault(collection: string, field: string, member: string): Fault {
  const written = new WeakMap<object, Map<Json, Json>>();
  const ids = [`${collection}.create`, `${collection}.update`, `${collection}.read`];
  return fault(
    `${collection}.create/${field}.${member}/read-only`,
    'written',
    `${collection} store ${field}.${member}, which is only to be read`,
    showing(ids, (record, { site, request }) => {
      const known = written.get(site.store) ?? new Map<Json, Json>();
      written.set(site.store, known);
      const sent = { ...request.query, ...request.form, ...request.json }[field];
      const id = record.id ?? null;
      const value = isObject(sent) ? sent[member] : undefined;
      if (value !== undefined) known.set(id, value);
      const shown = record[field];
      const stored = known.get(id);
      return stored === undefined || !isObject(shown)
        ? record
        : { ...record, [field]: { ...shown, [member]: stored } };
    }),
  );
}

function metaDefaultFault(collection: string, key: string, stated: Json): Fault {
  return fault(
    `${collection}.create/meta/${key}/default`,
    'another',
    `${key} in meta of ${collection} reads otherwise than its default when nobody wrote it`,
    showing([`${collection}.create`, `${collection}.read`], (record) => {
      const { meta } = record;
      const isUntold = isObject(meta) && JSON.stringify(meta[key]) === JSON.stringify(stated);
      return isUntold ? { ...record, meta: { ...meta, [key]: otherThan(stated) } } : record;
    }),
  );
}

function statusFault(collection: string, status: string): Fault {
  return fault(
    `${collection}.create/status/stored/${status}`,
    'another',
    `a creation in ${collection} with the status ${status} stores another`,
    turningArgs(`${collection}.create`, (args) =>
      args.status === status ? { ...args, status: status === 'pending' ? 'draft' : 'pending' } : args,
    ),
  );
}
