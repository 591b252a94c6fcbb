import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { typesOf } from '../../reference/schema.ts';
import type { Call } from '../../reference/site.ts';
import type { Kind, StoredRecord } from '../../reference/store.ts';
import type { Mutant } from '../alteration.ts';
import { otherThan } from '../declarations.ts';
import {
  answerMutant,
  argsMutant,
  handlerMutant,
  healthy,
  idOf,
  keepingMutant,
  ownResources,
  recordMutant,
  recordOf,
  shownRecord,
  withObject,
  without,
} from '../handling.ts';

/** Mutants in records: ids, types of fields, creations without a record, password-protected texts. */
export function recordMutants(contract: Contract): Mutant[] {
  return ownResources(contract).flatMap((resource) => {
    const { create } = resource.operations;
    if (!create) return [];
    const { properties } = create.parameters;
    return [
      textIdMutant(resource, `records/${resource.id}/id`, resource.id),
      ...resource.children.map((child) =>
        textIdMutant(child, `records/${child.id}/ids`, `${child.kind} of ${resource.id}`),
      ),
      ...Object.entries(properties).map(([name, schema]) => typeMutant(resource, name, typesOf(schema)[0])),
      ...creationMutants(resource, create.id),
      ...answeredMutants(resource),
      ...(resource.kind === 'records'
        ? [...losingMutants(resource), restoredMutant(resource), publishedMutant(resource)]
        : []),
      agreementMutant(resource, 'date', 'date_gmt'),
      agreementMutant(resource, 'date_gmt', 'date'),
      ...('password' in properties ? protectionMutants(resource) : []),
      ...Object.entries(properties).flatMap(([field, schema]) =>
        Object.entries(schema.properties ?? {})
          .filter(([, { readOnly }]) => readOnly === true)
          .map(([member]) => readOnlyMutant(resource, field, member)),
      ),
      ...Object.entries(properties.meta?.properties ?? {}).flatMap(([key, inner]) =>
        inner.default === undefined ? [] : [metaDefaultMutant(resource, key, inner.default)],
      ),
      ...(properties.status?.enum ?? [])
        // Other statuses need not be kept (R35).
        .filter((status) => resource.statuses.kept.includes(String(status)))
        .map((status) => statusMutant(resource, String(status))),
    ];
  });
}

function readsOf(resource: Resource): string[] {
  return [idOf(resource, 'list'), idOf(resource, 'read')];
}

function textIdMutant(resource: Resource, about: string, what: string): Mutant {
  return recordMutant(`${about}~as-text`, `the ids of ${what} are texts`, readsOf(resource), (record) => ({
    ...record,
    id: String(record.id),
  }));
}

function typeMutant(resource: Resource, name: string, type: string | undefined): Mutant {
  const wrong: Json = type === 'array' || type === 'object' ? 'text' : ['wrong'];
  return recordMutant(
    `records/${resource.id}/types/${name}~another`,
    `records of ${resource.id} show ${name} as another type`,
    readsOf(resource),
    (record) => (name in record ? { ...record, [name]: wrong } : record),
  );
}

function creationMutants(resource: Resource, id: string): Mutant[] {
  const creation = `a creation in ${resource.id}`;
  return [
    answerMutant(`${id}/record~vanishes`, `${creation} succeeds and stores nothing`, id, (answer, call) => {
      const made = shownRecord(answer, call, resource.id);
      if (made) call.site.store.remove(made);
      return answer;
    }),
    answerMutant(`${id}/record~nameless`, `${creation} answers no record`, id, (answer) => ({
      ...answer,
      body: { done: true },
    })),
    answerMutant(`${id}/once~twice`, `${creation} makes two records`, id, async (answer, call) => {
      await healthy(call);
      return answer;
    }),
  ];
}

/** Mutants that answer a write with another record than is stored. */
function answeredMutants(resource: Resource): Mutant[] {
  const [create, update] = [idOf(resource, 'create'), idOf(resource, 'update')];
  return [
    recordMutant(
      `${create}/answer~blank-for-t`,
      `a creation in ${resource.id} answers date_gmt with a blank for its T`,
      create,
      (record) => ({ ...record, date_gmt: String(record.date_gmt).replace('T', ' ') }),
    ),
    handlerMutant(
      `${update}/answer~of-before`,
      `an update of ${resource.id} answers the title from before it`,
      update,
      async (call) => {
        const before = recordOf(call, resource.id)?.title ?? '';
        const title = { raw: before, rendered: before };
        return withObject(await healthy(call), (record) => ('id' in record ? { ...record, title } : record));
      },
    ),
    handlerMutant(
      `states/${resource.id}/force~removes-unpublished`,
      `deleting for good in ${resource.id} removes all that is not published too`,
      idOf(resource, 'delete'),
      (call) => {
        const others = call.args.force === true ? call.site.store.ofKind(resource.id) : [];
        const meant = recordOf(call, resource.id);
        for (const other of others) {
          if (other.status !== 'publish' && other !== meant) call.site.store.remove(other);
        }
        return healthy(call);
      },
    ),
    handlerMutant(
      `states/${resource.id}/force~others-too`,
      `deleting for good in ${resource.id} changes whether others take pings`,
      idOf(resource, 'delete'),
      (call) => {
        const others = call.args.force === true ? call.site.store.ofKind(resource.id) : [];
        for (const other of others) other.pingStatus = other.pingStatus === 'open' ? 'closed' : 'open';
        return healthy(call);
      },
    ),
    ...Object.entries(SPREADING).map(([name, spread]) =>
      handlerMutant(
        `${update}/alone/others~${name}`,
        `an update of ${resource.id} changes others: ${name}`,
        update,
        async (call) => {
          const answer = await healthy(call);
          const updated = recordOf(call, resource.id);
          for (const other of call.site.store.ofKind(resource.id)) {
            if (updated !== undefined && other !== updated) spread(other, updated);
          }
          return answer;
        },
      ),
    ),
  ];
}

/** What an update loses that names one other field alone. */
const LOST: Readonly<Record<string, readonly [name: string, lose: (stored: StoredRecord) => void]>> = {
  status: ['content', (stored) => Object.assign(stored, { content: '' })],
  content: ['template', (stored) => Object.assign(stored, { template: '' })],
  slug: ['password', (stored) => Object.assign(stored, { password: '' })],
};

function losingMutants(resource: Resource): Mutant[] {
  const update = idOf(resource, 'update');
  const { open } = resource.statuses;
  return [
    argsMutant(
      `${update}/slug/stored/POST~not-of-published`,
      `an update of published ${resource.id} does not store their slug`,
      update,
      (args, call) => (recordOf(call, resource.id)?.status === open ? without(args, 'slug') : args),
    ),
    handlerMutant(
      `${update}/alone/POST~publishing-unprotects`,
      `publishing ${resource.id} resets their password`,
      update,
      async (call) => {
        const stored = recordOf(call, resource.id);
        const wasOpen = stored?.status === open;
        const answer = await healthy(call);
        if (stored?.status === open && !wasOpen && call.args.password === undefined) stored.password = '';
        return answer;
      },
    ),
    ...losingBeside(resource, update),
  ];
}

function losingBeside(resource: Resource, update: string): Mutant[] {
  return Object.entries(LOST).map(([given, [lost, lose]]) =>
    handlerMutant(
      `${update}/alone/POST~${given}-loses-${lost}`,
      `an update of the ${given} alone of ${resource.id} resets their ${lost}`,
      update,
      async (call) => {
        const { form, json } = call.request;
        const isAlone = Object.keys({ ...form, ...json }).join() === given;
        const stored = recordOf(call, resource.id);
        const answer = await healthy(call);
        if (stored !== undefined && isAlone) lose(stored);
        return answer;
      },
    ),
  );
}

/** A site that stores no field about pings of records which are published at once. */
function publishedMutant({ id, operations, statuses: { open } }: Resource): Mutant {
  const title = `a creation of published ${id} does not store whether they take pings`;
  return argsMutant(`states/${id}/again~published-at-once`, title, operations.create?.id ?? '', (args) =>
    args.status === open ? without(args, 'ping_status') : args,
  );
}

/** A site that loses the slugs of records which are updated after they came back from the trash. */
function restoredMutant({ id, operations }: Resource): Mutant {
  const restored = new WeakSet<StoredRecord>();
  const title = `an update of ${id} that were in the trash resets their slug`;
  return handlerMutant(`lifecycle/${id}~loses-slugs`, title, operations.update?.id ?? '', async (call) => {
    const stored = recordOf(call, id);
    const wasTrashed = stored?.status === 'trash';
    const answer = await healthy(call);
    if (stored === undefined) return answer;
    if (restored.has(stored)) stored.slug = '';
    if (wasTrashed) restored.add(stored);
    return answer;
  });
}

/** Effects of an update on other records. */
const SPREADING: Readonly<Record<string, (other: StoredRecord, updated: StoredRecord) => void>> = {
  // An update of a record without one would undo what an earlier update did.
  excerpts: (other, { excerpt }) => void (excerpt && Object.assign(other, { excerpt })),
  titles: (other, { title }) => Object.assign(other, { title }),
};

function agreementMutant(resource: Resource, name: string, other: string): Mutant {
  return recordMutant(
    `${idOf(resource, 'create')}/${name}/agrees~another-zone`,
    `${resource.id} show a ${other} a day away from the ${name} that was written`,
    [idOf(resource, 'create'), idOf(resource, 'read')],
    (record) => ({ ...record, [other]: String(record[other]).replace(/^\d{4}/, '1999') }),
  );
}

/** Wrong passwords that are accepted, by their similarity to the right one. */
const WRONG: readonly (readonly [string, string, (given: string, password: string) => boolean])[] = [
  ['opens', 'any password', () => true],
  ['any-case', 'a password in any letter case', (given, own) => given.toLowerCase() === own.toLowerCase()],
  ['beginning', 'the beginning of a password', (given, own) => given !== '' && own.startsWith(given)],
];

/** Mutants that show protected content, hide it in spite of the password, or report the protection wrongly. */
function protectionMutants(resource: Resource): Mutant[] {
  const about = `protected/${resource.id}`;
  const reads = readsOf(resource);
  const read = idOf(resource, 'read');
  return [
    ...(['content', 'excerpt'] as const).flatMap((field) =>
      [`${about}/${field}`, `${about}/written/${field}`].map((breaks) =>
        lockedMutant(
          resource.id,
          `${breaks}~shown`,
          `${resource.id} show the ${field} that a password protects`,
          reads,
          field,
          (stored) => ({ rendered: stored[field] || 'An excerpt' }),
        ),
      ),
    ),
    lockedMutant(
      resource.id,
      `${about}/written/flag~false`,
      `${resource.id} call protected content unprotected`,
      reads,
      'content',
      () => ({ protected: false }),
    ),
    argsMutant(
      `${about}/written/opened~closed`,
      `${resource.id} stay closed to whoever gives the password`,
      read,
      (args) => without(args, 'password'),
    ),
    ...WRONG.map(([how, what, opens]) =>
      handlerMutant(
        `${about}/written/wrong-password~${how}`,
        `${resource.id} open to ${what}`,
        read,
        (call) => {
          const password = recordOf(call, resource.id)?.password ?? '';
          const { password: given } = call.args;
          if (typeof given !== 'string' || password === '' || !opens(given, password)) return healthy(call);
          const request = { ...call.request, query: { ...call.request.query, password } };
          return healthy({ ...call, request, args: { ...call.args, password } });
        },
      ),
    ),
    lockedMutant(
      resource.id,
      `${about}/written/edit~hidden`,
      `${resource.id} hide protected content from those who edit it`,
      read,
      'content',
      (_stored, { args }) => (args.context === 'edit' ? { raw: '', rendered: '' } : {}),
    ),
  ];
}

/** A mutant that shows other members of a password-protected text. */
function lockedMutant(
  kind: Kind,
  id: string,
  title: string,
  ids: string | readonly string[],
  field: string,
  members: (stored: StoredRecord, call: Call) => JsonObject,
): Mutant {
  return recordMutant(id, title, ids, (record, call) => {
    const stored = call.site.store.get(Number(record.id), kind);
    const shown = record[field];
    if (!stored?.password || !isObject(shown)) return record;
    return { ...record, [field]: { ...shown, ...members(stored, call) } };
  });
}

/** A mutant that stores a read-only field. */
function readOnlyMutant(resource: Resource, field: string, member: string): Mutant {
  return keepingMutant(
    `${idOf(resource, 'create')}/${field}.${member}/read-only~written`,
    `${resource.id} store ${field}.${member}, which is only to be read`,
    ['create', 'update', 'read'].map((role) => idOf(resource, role)),
    ({ [field]: sent }) => (isObject(sent) ? sent[member] : undefined),
    (record, kept) => {
      const shown = record[field];
      return isObject(shown) ? { ...record, [field]: { ...shown, [member]: kept } } : record;
    },
  );
}

function metaDefaultMutant(resource: Resource, key: string, stated: Json): Mutant {
  return recordMutant(
    `${idOf(resource, 'create')}/meta/${key}/default~another`,
    `${key} in meta of ${resource.id} reads otherwise than its default when nobody wrote it`,
    [idOf(resource, 'create'), idOf(resource, 'read')],
    (record) => {
      const { meta } = record;
      const isDefault = isObject(meta) && JSON.stringify(meta[key]) === JSON.stringify(stated);
      return isDefault ? { ...record, meta: { ...meta, [key]: otherThan(stated) } } : record;
    },
  );
}

function statusMutant(resource: Resource, status: string): Mutant {
  const other = status === 'pending' ? 'draft' : 'pending';
  return argsMutant(
    `${idOf(resource, 'create')}/status/stored/${status}~another`,
    `a creation in ${resource.id} with the status ${status} stores another`,
    idOf(resource, 'create'),
    (args) => (args.status === status ? { ...args, status: other } : args),
  );
}
