import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { typesOf } from '../../reference/schema.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Mutant, mutant } from '../alteration.ts';
import { otherThan } from '../declarations.ts';
import { handling, healthy, idOf, ownResources, showing, turningArgs } from '../handling.ts';

/** Mutants in the records themselves: ids, types of fields, creations that do not create, texts of a password. */
export function recordMutants(contract: Contract): Mutant[] {
  return ownResources(contract).flatMap((resource) => {
    const { create } = resource.operations;
    if (!create) return [];
    const { properties } = create.parameters;
    return [
      ...idMutants(resource),
      ...Object.entries(properties).map(([name, schema]) => typeMutant(resource, name, typesOf(schema)[0])),
      ...creationMutants(resource),
      ...['date', 'date_gmt'].map((name) => agreementMutant(resource, name)),
      ...('password' in properties ? protectionMutants(resource) : []),
      ...readOnlyMutants(resource, properties),
      ...Object.entries(properties.meta?.properties ?? {}).flatMap(([key, inner]) =>
        inner.default === undefined ? [] : [metaDefaultMutant(resource, key, inner.default)],
      ),
      ...(properties.status?.enum ?? [])
        // Of other statuses it is not known that they are kept (R35).
        .filter((status) => resource.statuses.kept.includes(String(status)))
        .map((status) => statusMutant(resource, String(status))),
    ];
  });
}

function idMutants(resource: Resource): Mutant[] {
  const reads = [idOf(resource, 'list'), idOf(resource, 'read')];
  return [
    mutant(
      `records/${resource.id}/id`,
      'as-text',
      `the ids of ${resource.id} are texts`,
      showing(reads, (record) => ({ ...record, id: String(record.id) })),
    ),
    ...resource.children.map((child) => {
      return mutant(
        `records/${child.id}/ids`,
        'as-text',
        `the ids of ${child.kind} of ${resource.id} are texts`,
        showing([idOf(child, 'list'), idOf(child, 'read')], (record) => ({
          ...record,
          id: String(record.id),
        })),
      );
    }),
  ];
}

function typeMutant(resource: Resource, name: string, type: string | undefined): Mutant {
  const wrong: Json = type === 'array' || type === 'object' ? 'text' : ['wrong'];
  return mutant(
    `records/${resource.id}/types/${name}`,
    'another',
    `records of ${resource.id} show ${name} as another type`,
    showing([idOf(resource, 'list'), idOf(resource, 'read')], (record) =>
      name in record ? { ...record, [name]: wrong } : record,
    ),
  );
}

function creationMutants(resource: Resource): Mutant[] {
  const id = idOf(resource, 'create');
  return [
    mutant(
      `${id}/record`,
      'vanishes',
      `a creation in ${resource.id} succeeds and stores nothing`,
      handling(id, async (call) => {
        const answer = await healthy(call);
        const made = isObject(answer.body)
          ? call.site.store.get(Number(answer.body.id), resource.id)
          : undefined;
        if (made) call.site.store.remove(made);
        return answer;
      }),
    ),
    mutant(
      `${id}/record`,
      'nameless',
      `a creation in ${resource.id} answers no record`,
      handling(id, async (call) => ({ ...(await healthy(call)), body: { done: true } })),
    ),
    mutant(
      `${id}/once`,
      'twice',
      `a creation in ${resource.id} makes two records`,
      handling(id, async (call) => {
        const answer = await healthy(call);
        await healthy(call);
        return answer;
      }),
    ),
  ];
}

function agreementMutant(resource: Resource, name: string): Mutant {
  const other = name === 'date' ? 'date_gmt' : 'date';
  return mutant(
    `${idOf(resource, 'create')}/${name}/agrees`,
    'another-zone',
    `${resource.id} show a ${other} a day away from the ${name} that was written`,
    showing([idOf(resource, 'create'), idOf(resource, 'read')], (record) => ({
      ...record,
      [other]: String(record[other]).replace(/^\d{4}/, '1999'),
    })),
  );
}

/** Mutants that show what a password protects, hide it from whoever gives the password, or tell it wrongly. */
function protectionMutants(resource: Resource): Mutant[] {
  const reads = [idOf(resource, 'list'), idOf(resource, 'read')];
  const locked = (
    record: JsonObject,
    change: (stored: StoredRecord) => JsonObject,
    store: { get: (id: number, kind?: string) => StoredRecord | undefined },
  ): JsonObject => {
    const stored = store.get(Number(record.id), resource.id);
    return stored && stored.password !== '' ? { ...record, ...change(stored) } : record;
  };
  const texts = ['content', 'excerpt'] as const;
  const leaks = texts.flatMap((field) =>
    [`protected/${resource.id}/${field}`, `protected/${resource.id}/written/${field}`].map((breaks) =>
      mutant(
        breaks,
        'shown',
        `${resource.id} show the ${field} that a password protects`,
        showing(reads, (record, { site }) => {
          const shown = record[field];
          const open = (stored: StoredRecord): JsonObject =>
            isObject(shown) ? { [field]: { ...shown, rendered: stored[field] || 'An excerpt' } } : {};
          return locked(record, open, site.store);
        }),
      ),
    ),
  );
  const flag = mutant(
    `protected/${resource.id}/written/flag`,
    'false',
    `${resource.id} call protected content unprotected`,
    showing(reads, (record, { site }) => {
      const shown = record.content;
      return locked(
        record,
        () => (isObject(shown) ? { content: { ...shown, protected: false } } : {}),
        site.store,
      );
    }),
  );
  const id = idOf(resource, 'read');
  return [
    ...leaks,
    flag,
    mutant(
      `protected/${resource.id}/written/opened`,
      'closed',
      `${resource.id} stay closed to whoever gives the password`,
      handling(id, (call) => {
        const { password: _, ...args } = call.args;
        return healthy({ ...call, args });
      }),
    ),
    mutant(
      `protected/${resource.id}/written/wrong-password`,
      'opens',
      `${resource.id} open to any password`,
      handling(id, (call) => {
        const stored = call.site.store.get(Number(call.args.id), resource.id);
        if (!stored || call.args.password === undefined || stored.password === '') return healthy(call);
        const query = { ...call.request.query, password: stored.password };
        const request = { ...call.request, query };
        return healthy({ ...call, request, args: { ...call.args, password: stored.password } });
      }),
    ),
    mutant(
      `protected/${resource.id}/written/edit`,
      'hidden',
      `${resource.id} hide protected content from those who edit it`,
      showing(id, (record, { site, args }) => {
        const shown = record.content;
        const hidden = isObject(shown) ? { content: { ...shown, raw: '', rendered: '' } } : {};
        return args.context === 'edit' ? locked(record, () => hidden, site.store) : record;
      }),
    ),
  ];
}

/** Mutants that store what is only to be read. */
function readOnlyMutants(
  resource: Resource,
  properties: Readonly<Record<string, { properties?: Record<string, { readOnly?: boolean }> }>>,
): Mutant[] {
  return Object.entries(properties).flatMap(([field, { properties: members }]) =>
    Object.entries(members ?? {})
      .filter(([, { readOnly }]) => readOnly === true)
      .map(([member]) => readOnlyMutant(resource, field, member)),
  );
}

function readOnlyMutant(resource: Resource, field: string, member: string): Mutant {
  const written = new WeakMap<object, Map<Json, Json>>();
  const ids = [idOf(resource, 'create'), idOf(resource, 'update'), idOf(resource, 'read')];
  return mutant(
    `${idOf(resource, 'create')}/${field}.${member}/read-only`,
    'written',
    `${resource.id} store ${field}.${member}, which is only to be read`,
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

function metaDefaultMutant(resource: Resource, key: string, stated: Json): Mutant {
  return mutant(
    `${idOf(resource, 'create')}/meta/${key}/default`,
    'another',
    `${key} in meta of ${resource.id} reads otherwise than its default when nobody wrote it`,
    showing([idOf(resource, 'create'), idOf(resource, 'read')], (record) => {
      const { meta } = record;
      const isUntold = isObject(meta) && JSON.stringify(meta[key]) === JSON.stringify(stated);
      return isUntold ? { ...record, meta: { ...meta, [key]: otherThan(stated) } } : record;
    }),
  );
}

function statusMutant(resource: Resource, status: string): Mutant {
  return mutant(
    `${idOf(resource, 'create')}/status/stored/${status}`,
    'another',
    `a creation in ${resource.id} with the status ${status} stores another`,
    turningArgs(idOf(resource, 'create'), (args) =>
      args.status === status ? { ...args, status: status === 'pending' ? 'draft' : 'pending' } : args,
    ),
  );
}
