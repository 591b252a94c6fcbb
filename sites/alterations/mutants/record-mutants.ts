import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Resource } from '../../reference/load-contract.ts';
import { type ApiRequest, Refusal } from '../../reference/request.ts';
import { typesOf } from '../../reference/schema.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Mutant, type Mutants, mutant, together } from '../alteration.ts';
import { otherThan } from '../declarations.ts';
import {
  blankFor,
  dropping,
  handling,
  healthy,
  keepingMutant,
  mutantsIn,
  mutantsOn,
  otherWord,
  type Reading,
  reading,
  sending,
  shownRecord,
  withObject,
  without,
} from '../handling.ts';
import { idOf, isGiven, ownResources, recordOf } from '../selecting.ts';

/** Mutants in records: ids, types of fields, creations without a record, password-protected texts. */
export function recordMutants(contract: Contract): Mutants {
  return ownResources(contract).map((resource) => {
    const { create } = resource.operations;
    if (!create) return [];
    const { properties } = create.parameters;
    return [
      textIdMutant(resource, `records/${resource.id}/id`, resource.id),
      resource.children.map((child) =>
        textIdMutant(child, `records/${child.id}/ids`, `${child.kind} of ${resource.id}`),
      ),
      Object.entries(properties).map(([name, schema]) => typeMutant(resource, name, typesOf(schema)[0])),
      creationMutants(resource, create.id),
      deletionMutants(resource),
      untouchedMutants(resource, ownResources(contract)),
      kinMutants(resource),
      updateMutants(resource),
      agreementMutant(resource, 'date', 'date_gmt'),
      agreementMutant(resource, 'date_gmt', 'date'),
      Object.entries(properties).map(([field, schema]) =>
        Object.entries(schema.properties ?? {})
          .filter(([, { readOnly }]) => readOnly === true)
          .map(([member]) => readOnlyMutant(resource, field, member)),
      ),
      Object.entries(properties.meta?.properties ?? {}).map(([key, inner]) =>
        inner.default === undefined ? [] : [metaDefaultMutant(resource, key, inner.default)],
      ),
    ];
  });
}

function readsOf(resource: Resource): string[] {
  return [idOf(resource, 'list'), idOf(resource, 'read')];
}

function textIdMutant(resource: Resource, about: string, what: string): Mutant {
  const { record } = mutantsIn(readsOf(resource), about, `the ids of ${what}`);
  return record('~as-text', 'are texts', (one) => ({ ...one, id: String(one.id) }));
}

function typeMutant(resource: Resource, name: string, type: string | undefined): Mutant {
  const wrong: Json = type === 'array' || type === 'object' ? 'text' : ['wrong'];
  const { id } = resource;
  const { record } = mutantsIn(readsOf(resource), `records/${id}/types`, `records of ${id}`);
  return record(`${name}~another`, `show ${name} as another type`, (one) =>
    name in one ? { ...one, [name]: wrong } : one,
  );
}

function creationMutants(resource: Resource, id: string): Mutants {
  const { answer, args, made, record } = mutantsIn(id, id, `a creation in ${resource.id}`);
  const { open } = resource.statuses;
  const lasting = new WeakMap<object, Json>();
  return [
    made('record~vanishes', 'succeeds and stores nothing', (stored, { site }) => site.store.remove(stored)),
    answer('record~nameless', 'answers no record', (shown) => ({ ...shown, body: { done: true } })),
    args('alone~takes-over', 'has the text of an earlier one where it is sent none', (given, call) => {
      const name = 'excerpt' in resource.fields ? 'excerpt' : 'caption';
      if (name in given) lasting.set(call.site.store, given[name] ?? null);
      const last = lasting.get(call.site.store);
      return name in given || last === undefined ? given : { ...given, [name]: last };
    }),
    answer('once~twice', 'makes two records', async (shown, call) => {
      await healthy(call);
      return shown;
    }),
    resource.kind === 'records' && [
      answer('once/others~twice-by-form', 'from a form makes two records', async (shown, call) => {
        if (call.request.json === undefined && call.request.headers.host !== undefined) await healthy(call);
        return shown;
      }),
      doneAnyway(id, 'once/refused~made', `a creation of ${resource.id} that is refused makes a record`),
    ],
    record('answer~blank-for-t', 'answers date_gmt with a blank for its T', blankFor('date_gmt')),
    resource.kind === 'records' && [
      args('ping_status/stored~published-at-once', 'does not store ping_status at once', (given) =>
        given.status === open ? without(given, 'ping_status') : given,
      ),
      args('date/stored~not-of-pending', 'does not store the date of what is pending', (given) =>
        given.status === 'pending' ? without(given, 'date') : given,
      ),
      record('answer~scheduled-as-published', 'answers that what is scheduled is published', (one) =>
        one.status === 'future' ? { ...one, status: 'publish' } : one,
      ),
    ],
    resource.statuses.kept
      // Other statuses need not be kept (R35).
      .filter((status) => resource.fields.status?.enum?.includes(status))
      .map((status) =>
        args(`status/stored/${status}~another`, `with the status ${status} stores another`, (given) =>
          given.status === status ? { ...given, status: status === 'pending' ? 'draft' : 'pending' } : given,
        ),
      ),
  ];
}

function deletionMutants(resource: Resource): Mutants {
  const { id } = resource;
  const { handler } = mutantsOn(
    resource,
    'delete',
    `states/${id}/untouched`,
    `deleting for good in ${id}`,
  ).where(({ args }) => args.force === true);
  return [
    handler('~removes-unpublished', 'removes all that is not published too', (call) => {
      const { store } = call.site;
      for (const other of store.ofKind(id)) {
        if (other.status !== 'publish' && other !== recordOf(call, id)) store.remove(other);
      }
      return healthy(call);
    }),
    handler('~others-too', 'changes whether others take pings', (call) => {
      for (const other of call.site.store.ofKind(id)) other.pingStatus = otherWord(other.pingStatus);
      return healthy(call);
    }),
  ];
}

function untouchedMutants({ id, kind, operations }: Resource, all: readonly Resource[]): Mutants {
  const others = all.filter((one) => one.id !== id);
  const written: Readonly<Record<string, readonly (string | undefined)[]>> = {
    'own-creations': [operations.create?.id],
    creations: others.map((one) => one.operations.create?.id),
    updates: others.map((one) => one.operations.update?.id),
    deletions: others.map((one) => one.operations.delete?.id),
  };
  const idsIn = (word: string) => (written[word] ?? []).filter((one) => one !== undefined);
  const pictures = mutantsIn(idsIn('deletions'), `states/${id}/untouched`, 'deletions');
  const takingAlong = pictures.handler(
    '~with-what-they-name',
    'delete the picture of a record too',
    (call) => {
      const named = others.map((other) => recordOf(call, other.id)?.featuredMedia ?? 0);
      const picture = named.map((one) => call.site.store.get(one, id)).find((one) => one !== undefined);
      if (picture !== undefined) call.site.store.remove(picture);
      return healthy(call);
    },
  );
  const lengthening = Object.keys(written).map((word) => {
    const which = idsIn(word);
    const { answer } = mutantsIn(which, `states/${id}/untouched`, `writes (${word})`);
    return answer(`~by-${word}`, `lengthen the excerpts of all other ${id}`, (shown, call) => {
      const made = shownRecord(shown, call, id);
      for (const other of call.site.store.ofKind(id)) if (other !== made) other.excerpt += '.';
      return shown;
    });
  });
  return [lengthening, kind === 'uploads' && takingAlong];
}

function kinMutants(resource: Resource): Mutants {
  const { id, fields } = resource;
  const { follow } = mutantsOn(resource, 'update', `states/${id}/untouched`, `an update of ${id}`);
  const giving = (
    how: string,
    whose: string,
    isKin: (other: StoredRecord, of: StoredRecord) => boolean,
    member: 'commentStatus' | 'status' | 'categories' = 'commentStatus',
  ) =>
    follow(how, `gives ${whose} its ${member} too`, (stored, _, call) => {
      if (!isGiven(call, member === 'commentStatus' ? 'comment_status' : member)) return;
      for (const other of call.site.store.ofKind(id)) {
        if (isKin(other, stored)) Object.assign(other, { [member]: stored[member] });
      }
    });
  const isChild = (other: StoredRecord, { id: parent }: StoredRecord): boolean => other.parent === parent;
  const isOfItsTerms = (other: StoredRecord, { tags }: StoredRecord): boolean =>
    other.tags.some((tag) => tags.includes(tag));
  return [
    'parent' in fields && [
      giving('~of-children', 'its children', isChild),
      giving('~status-of-children', 'its children', isChild, 'status'),
      giving('~of-siblings', 'its siblings', (other, { parent }) => parent !== 0 && other.parent === parent),
    ],
    'categories' in fields && [
      giving('~of-its-terms', 'those with its terms', isOfItsTerms),
      giving('~terms-of-its-terms', 'those with its terms', isOfItsTerms, 'categories'),
    ],
  ];
}

/** What an update loses that names one other field alone. */
const LOST: Readonly<Record<string, 'content' | 'template' | 'password'>> = {
  status: 'content',
  content: 'template',
  slug: 'password',
};

function updateMutants(resource: Resource): Mutants {
  const { id, kind } = resource;
  const update = idOf(resource, 'update');
  const { args, follow, handler } = mutantsIn(update, update, `an update of ${id}`);
  const restored = new WeakSet<StoredRecord>();
  const { open } = resource.statuses;
  const any = [
    handler('answer~of-before', 'answers the title from before it', async (call) => {
      const before = recordOf(call, id)?.title ?? '';
      const title = { raw: before, rendered: before };
      return withObject(await healthy(call), (record) => ('id' in record ? { ...record, title } : record));
    }),
    refusedUpdateMutants(resource),
    follow('alone/others~titles', 'changes the titles of others', ({ title }, _, { site }) => {
      for (const other of site.store.ofKind(id)) other.title = title;
    }),
  ];
  if (kind !== 'records') return any;
  return [
    any,
    ['slug', 'password'].map((name) =>
      args(
        `${name}/stored/POST~not-of-published`,
        `does not store the ${name} of published ones`,
        (given, call) => (recordOf(call, id)?.status === open ? without(given, name) : given),
      ),
    ),
    follow(
      'alone/POST~publishing-unprotects',
      'that publishes resets the password',
      (stored, before, call) => {
        const isPublished = stored.status === open && before.status !== open;
        if (isPublished && call.args.password === undefined) stored.password = '';
      },
    ),
    Object.entries(LOST).map(([given, lost]) =>
      follow(
        `alone/POST~${given}-loses-${lost}`,
        `resets ${lost} where ${given} alone is sent`,
        (stored, _, { request: { form, json } }) => {
          if (Object.keys({ ...form, ...json }).join() === given) stored[lost] = '';
        },
      ),
    ),
    mutantsIn(update, `lifecycle/${id}`).follow(
      '~loses-slugs',
      'resets the slug of those that were in the trash',
      (stored, before) => {
        if (restored.has(stored)) stored.slug = '';
        if (before.status === 'trash') restored.add(stored);
      },
    ),
  ];
}

function agreementMutant(resource: Resource, name: string, other: string): Mutant {
  const create = idOf(resource, 'create');
  const { record } = mutantsIn([create, idOf(resource, 'read')], `${create}/${name}`, resource.id);
  return record(
    'agrees~another-zone',
    `show a ${other} years away from the ${name} that was written`,
    (one) => ({
      ...one,
      [other]: String(one[other]).replace(/^\d{4}/, '1999'),
    }),
  );
}

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
  const create = idOf(resource, 'create');
  const { record } = mutantsIn([create, idOf(resource, 'read')], `${create}/meta/${key}`, resource.id);
  return record('default~another', `show ${key} in meta as another value than its default`, (one) => {
    const { meta } = one;
    const isDefault = isObject(meta) && JSON.stringify(meta[key]) === JSON.stringify(stated);
    return isDefault ? { ...one, meta: { ...meta, [key]: otherThan(stated) } } : one;
  });
}

/** Updates that are refused, with an effect or without a reason. */
function refusedUpdateMutants(resource: Resource): Mutants {
  const { id } = resource;
  const update = idOf(resource, 'update');
  const { methods = [] } = resource.operations.update ?? {};
  const { handler, reading: parsing } = mutantsIn(update, update, `an update of ${id}`);
  const updated = new WeakSet<StoredRecord>();
  return [
    handler('changes/PUT~once', 'by PUT is refused after another one', (call) => {
      const stored = recordOf(call, id);
      if (stored && updated.has(stored) && call.request.method === 'PUT') {
        throw new Refusal('rest_conflict', 'Somebody has changed it.', 409);
      }
      if (stored) updated.add(stored);
      return healthy(call);
    }),
    methods.slice(1).map((method) => [
      parsing(
        `method/${method}/enforced~lenient`,
        `takes anything by ${method}`,
        readBy(method, ({ id = 0 }) => ({ id })),
      ),
      parsing(
        `method/${method}/enforced~of-one`,
        `takes any status by ${method}`,
        readBy(method, dropping('status')),
      ),
      mutant(
        `${update}/method/${method}/enforced~of-one-unnamed`,
        `an update of ${id} takes any author by ${method}, and no refusal names its argument`,
        together(
          reading(update, readBy(method, dropping('author'))),
          sending((shown) =>
            shown.status === 400 ? { ...shown, body: { code: 'bad_request', message: 'No.' } } : shown,
          ),
        ),
      ),
    ]),
    doneAnyway(update, `alone/refused~half`, `an update of ${id} that is refused stores what is valid in it`),
  ];
}

function readBy(method: string, less: (given: JsonObject) => JsonObject): Reading {
  return (given, read, { request }) => {
    if (request.method !== method) return read(given);
    try {
      return read(given);
    } catch {
      return read(less(given));
    }
  };
}

/** A write that is refused for its status, and done without it. */
function doneAnyway(write: string, word: string, title: string): Mutant {
  const refusals = new WeakMap<ApiRequest, unknown>();
  return mutant(
    `${write}/${word}`,
    title,
    together(
      reading(write, (given, read, { request }) => {
        try {
          return read(given);
        } catch (error) {
          refusals.set(request, error);
          return read(without(given, 'status'));
        }
      }),
      handling(write, async (call) => {
        const shown = await healthy(call);
        if (refusals.has(call.request)) throw refusals.get(call.request);
        return shown;
      }),
    ),
  );
}
