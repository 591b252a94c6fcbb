import { invalidParameters } from '../../reference/arguments.ts';
import { isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { contextOf, selectRecords } from '../../reference/read-records.ts';
import { permalink, showRecord } from '../../reference/show-record.ts';
import { type Answer, answer, type Call } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import { type Mutant, type Mutants, mutant, together } from '../alteration.ts';
import {
  cappedAt,
  dropping,
  following,
  handling,
  healthy,
  mutantsIn,
  mutantsOn,
  setting,
  showing,
  withList,
  withObject,
  without,
} from '../handling.ts';
import {
  type IsMeant,
  idOf,
  inContext,
  isAnonymous,
  isGiven,
  ownResources,
  recordOf,
  sends,
} from '../selecting.ts';

/** Parameters without such a mutant: every request sends them, other mutants are about them, or only uploads have them. */
const APART = ['context', 'status', 'per_page', 'include', 'media_type', 'mime_type'];

/** Parameters of lists whose handling may ignore that content is protected. */
const OPENING = 'slug search author parent orderby order status after categories offset'.split(' ');

/** Undeclared names that every route of the software accepts. */
const UNDECLARED = ['_embed', '_fields'];

const LOOK_UP = 'oembed.embed';

const HOUR = 3_600_000;

/** Sites that ignore that a caller is anonymous for one kind of request (§2, §3). */
export function callerMutants(contract: Contract): Mutants {
  return ownResources(contract).map((resource) => {
    const { create, list } = resource.operations;
    if (create === undefined || list === undefined) return [];
    const isProtected = 'password' in create.parameters.properties;
    const inStatus = mutantsIn(list.id, `${list.id}/status/filters/anonymous`);
    return [
      waysOf(list, resource).map(([word, when]) =>
        inStatus
          .where(isAnonymous, when)
          .answer(
            `~by-${word}`,
            `shows anonymous callers every status where they ask by ${word}`,
            listingAll(resource),
          ),
      ),
      asAnybody(list),
      mutantsIn(list.id, `states/${resource.id}/anonymous`)
        .where(isAnonymous, sends('slug'))
        .answer(
          '~new-by-slug',
          'shows anonymous callers every new record where they ask by slug',
          listingAll(resource, isPublicOrNew),
        ),
      isProtected && [openMutants(contract, resource), protectionMutants(resource)],
    ];
  });
}

/** Fewer records than any list of the reference has. */
const CAP = 3;

/** Sites that read the lists of anonymous callers in another way, where something is left out. */
function asAnybody({ id }: Operation): Mutants {
  const { answer, args, handler, remembering } = mutantsIn(id, `${id}/filters/anonymous`).where(isAnonymous);
  return [
    ['author', 'page', 'order'].map((name) =>
      args(
        `~without-${name}`,
        `ignores ${name} of anonymous callers`,
        name === 'order' ? setting({ order: 'desc' }) : dropping(name),
      ),
    ),
    args(`~cut-in-silence`, `lists anonymous callers ${CAP} records at most`, cappedAt(CAP)),
    ['before', 'search_columns'].map((name) =>
      handler(`~refuses-${word(name)}`, `refuses anonymous callers ${name}`, (call, next) => {
        if (isGiven(call, name)) throw invalidParameters({ [name]: 'Not for everybody.' });
        return next(call);
      }),
    ),
    ['page', 'per_page', 'order', 'orderby', 'exclude'].map((name) =>
      remembering(
        `~kept-without-${word(name)}`,
        `keeps what it answers to anybody for any ${name}`,
        ({ request }) => without(request.query, name),
      ),
    ),
    answer('~as-object', 'lists records for anonymous callers in an object', (shown) =>
      Array.isArray(shown.body) ? { ...shown, body: { ...shown.body } } : shown,
    ),
  ];
}

function word(name: string): string {
  return name.replace(/^_/, '').replaceAll('_', '-');
}

/** The kinds of requests for a list, with a word for each. */
function waysOf({ parameters: { properties } }: Operation, { kind }: Resource): [string, IsMeant][] {
  // No private upload of the reference belongs to a record.
  const apart = kind === 'uploads' ? [...APART, 'parent'] : APART;
  const declared = Object.keys(properties).filter((name) => !apart.includes(name));
  return [
    ...[...declared, ...UNDECLARED].map((name): [string, IsMeant] => [word(name), sends(name)]),
    ['in-embed', inContext('embed')],
  ];
}

/** Records that a list need not hide, and those that were just written. */
function isPublicOrNew({ modified, status }: StoredRecord): boolean {
  return ['publish', 'inherit'].includes(status) || Date.now() - modified < HOUR;
}

function listingAll(
  { id }: Resource,
  isMeant: (record: StoredRecord) => boolean = () => true,
): (shown: Answer, call: Call) => Answer {
  return (shown, call) => {
    const query = { args: { ...call.args, status: ['any', 'trash'] }, known: true };
    const found = selectRecords(call.site, call.site.store.ofKind(id), query).filter(isMeant);
    const view = { context: contextOf(call), account: undefined };
    return withList(shown, () => found.map((record) => showRecord(call.site, record, view)));
  };
}

function openMutants(contract: Contract, resource: Resource): Mutants {
  const { id, operations } = resource;
  const about = `protected/${id}/written`;
  const list = mutantsOn(resource, 'list', about);
  const read = mutantsOn(resource, 'read', about);
  const known = operations.list?.parameters.properties ?? {};
  const opened = (call: Call, record: StoredRecord): ReturnType<typeof showRecord> => {
    const view = { context: contextOf(call), account: call.site.accounts[0], password: record.password };
    return showRecord(call.site, record, view);
  };
  const titled = (word: string): string =>
    `shows anonymous callers what a password protects where they ask ${word.replaceAll('-', ' ')}`;
  const inList = (word: string, when: IsMeant, field = 'content'): Mutant =>
    list.where(isAnonymous, when).answer(`${field}~listed-${word}`, titled(word), (shown, call) => {
      const found = selectRecords(call.site, call.site.store.ofKind(id), { args: call.args, known: true });
      return withList(shown, () => found.map((record) => opened(call, record)));
    });
  const alone = (word: string, when: IsMeant, check = 'content'): Mutant =>
    read.where(isAnonymous, when).handler(`${check}~alone-${word}`, titled(word), (call) => {
      const record = recordOf(call, id);
      return record === undefined ? healthy(call) : answer(opened(call, record));
    });
  return [
    OPENING.filter((name) => name in known).map((name) => inList(`by-${name}`, sends(name))),
    inList('by-fields', sends('_fields')),
    inList('by-embed', sends('_embed')),
    inList('in-embed', inContext('embed'), 'excerpt'),
    alone('by-fields', sends('_fields')),
    alone('by-embed', sends('_embed')),
    alone('by-excerpt-length', sends('excerpt_length')),
    alone('by-empty-password', ({ args }) => args.password === '', 'wrong-password'),
    alone('in-edit', inContext('edit')),
    closedMutants(resource),
    formerMutant(resource),
    laterMutants(resource),
    elsewhereMutants(contract, resource),
    childMutants(resource),
  ];
}

function closedMutants(resource: Resource): Mutants {
  const { id } = resource;
  const read = mutantsOn(resource, 'read', `protected/${id}/written`);
  const inEmbed = read.where(inContext('embed'));
  const hidden = { rendered: '', protected: true };
  return [
    read.reading('opened~decoded-twice', 'decodes a password once more than it was encoded', (sent, take) =>
      take({ ...sent, ...(typeof sent.password === 'string' && { password: decoded(sent.password) }) }),
    ),
    read.reading('opened~not-beside-length', 'refuses a password beside excerpt_length', (sent, take) => {
      if (sent.password && 'excerpt_length' in sent) throw invalidParameters({ password: 'Not together.' });
      return take(sent);
    }),
    inEmbed.handler('wrong-password~any-in-embed', 'opens to any password in embed', (call) => {
      const password = recordOf(call, id)?.password;
      return healthy(call.args.password && password ? withPassword(call, password) : call);
    }),
    inEmbed.record('content~empty-in-embed', 'shows an empty content in embed for a password', (one, call) =>
      recordOf(call, id)?.password ? { ...one, content: hidden } : one,
    ),
    read.record('opened~without-excerpt', 'does not open the excerpt to the password', (record, { args }) =>
      typeof args.password === 'string' ? { ...record, excerpt: hidden } : record,
    ),
  ];
}

function formerMutant(resource: Resource): Mutant {
  const { id } = resource;
  const former = new WeakMap<StoredRecord, string>();
  const [update, read] = [idOf(resource, 'update'), idOf(resource, 'read')];
  return mutant(
    `protected/${id}/written/wrong-password~former`,
    `${id} open to the password that they had before`,
    together(
      following(update, (stored, before) => {
        if (before.password !== '' && before.password !== stored.password)
          former.set(stored, before.password);
      }),
      handling(read, (call) => {
        const stored = recordOf(call, id);
        const isFormer = stored !== undefined && call.args.password === former.get(stored);
        return healthy(isFormer && stored.password ? withPassword(call, stored.password) : call);
      }),
    ),
  );
}

/** Sites that decide once whether a record is protected. */
function laterMutants({ id }: Resource): Mutant[] {
  const later = (how: string, title: string, isFirst: (password: string) => boolean): Mutant => {
    const changed = new WeakSet<StoredRecord>();
    const update = following(`${id}.update`, (stored, before) => {
      if (isFirst(before.password)) changed.add(stored);
    });
    const show = showing([`${id}.read`, `${id}.list`, `${id}.update`], (one, { site }) => {
      const stored = site.store.get(Number(one.id), id);
      if (!stored || !changed.has(stored) || isFirst(stored.password) || !isObject(one.content)) return one;
      return { ...one, content: { ...one.content, rendered: stored.content, protected: !isFirst('') } };
    });
    return mutant(`protected/${id}/written/${how}`, `${id} ${title}`, together(update, show));
  };
  return [
    later('content~only-of-created', 'show what a later password protects', (one) => one === ''),
    later('flag~kept', 'say that they are protected without a password any more', (one) => one !== ''),
  ];
}

function decoded(password: string): Json {
  return new URLSearchParams(`password=${password}`).get('password');
}

function withPassword(call: Call, password: string): Call {
  const request = { ...call.request, query: { ...call.request.query, password } };
  return { ...call, request, args: { ...call.args, password } };
}

function elsewhereMutants({ operations }: Contract, resource: Resource): Mutants {
  const { id } = resource;
  const about = `protected/${id}/written/content`;
  const read = mutantsOn(resource, 'read', about);
  const hasParents = 'parent' in (resource.operations.create?.parameters.properties ?? {});
  const showingExcerpt = (how: string, title: string, when: IsMeant): Mutant =>
    mutantsOn(resource, 'read', `protected/${id}/excerpt`)
      .where(when)
      .record(how, `shows a protected excerpt ${title}`, (record, call) => {
        const stored = recordOf(call, id);
        return stored?.password
          ? { ...record, excerpt: { rendered: stored.content, protected: true } }
          : record;
      });
  return [
    showingExcerpt('~alone-in-embed', 'in embed', inContext('embed')),
    showingExcerpt('~shortened', 'if its length is asked for', sends('excerpt_length')),
    read
      .where(isAnonymous, (call) => recordOf(call, id)?.password !== '')
      .record('~in-another-member', 'shows what a password protects in another member', (one, call) => ({
        ...one,
        summary: recordOf(call, id)?.content ?? '',
      })),
    hasParents &&
      read
        .where(sends('_embed'))
        .record(
          '~embedded-below',
          'shows in _embed what the password of the parent protects',
          (one, call) => {
            const above = call.site.store.get(recordOf(call, id)?.parent ?? 0, id);
            if (above === undefined) return one;
            const view = { context: 'view', account: undefined, password: above.password } as const;
            return { ...one, _embedded: { up: [showRecord(call.site, above, view)] } };
          },
        ),
    operations.some(({ role }) => role === 'batch') &&
      mutantsOn(resource, 'update', about)
        .where(isAnonymous)
        .handler('~by-batch', 'without fields answers anybody what a password protects', (call) => {
          const record = recordOf(call, id);
          if (record === undefined) return healthy(call);
          const view = { context: 'edit', account: call.site.accounts[0] } as const;
          return answer(showRecord(call.site, record, view));
        }),
    operations.some((one) => one.id === LOOK_UP) &&
      mutantsIn(LOOK_UP, about).answer(
        '~by-look-up',
        `carries what the password of one of the ${id} protects`,
        (shown, call) => {
          const isAsked = (one: StoredRecord): boolean => permalink(call.site, one) === call.args.url;
          const record = call.site.store.ofKind(id).find((one) => one.password !== '' && isAsked(one));
          return record ? withObject(shown, (one) => ({ ...one, description: record.content })) : shown;
        },
      ),
  ];
}

function childMutants({ id, children }: Resource): Mutants {
  return children.map(({ kind, operations }) =>
    [operations.list, operations.read]
      .filter((operation) => operation !== undefined)
      .map((operation) => {
        const isUsual = kind === 'revisions' && operation.role === 'list';
        const { handler } = mutantsIn(operation.id, `protected/${id}/written/revisions`);
        return handler(
          `~${isUsual ? 'shown' : `by-${kind}-${operation.role}`}`,
          'answers anybody',
          (call) => {
            const account = call.request.account ?? call.site.accounts[0];
            return healthy({ ...call, request: { ...call.request, account } });
          },
        );
      }),
  );
}

/** Wrong passwords that are accepted, by their similarity to the right one. */
const WRONG: readonly (readonly [string, string, (given: string, password: string) => boolean])[] = [
  ['opens', 'any password', () => true],
  ['any-case', 'a password in any letter case', (given, own) => given.toLowerCase() === own.toLowerCase()],
  ['beginning', 'the beginning of a password', (given, own) => given !== '' && own.startsWith(given)],
];

function protectionMutants(resource: Resource): Mutants {
  const { id } = resource;
  const about = `protected/${id}`;
  const { args, handler, record } = mutantsOn(resource, 'read', `${about}/written`, id);
  /** Shows other members of a password-protected text. */
  const locked =
    (
      field: string,
      members: (stored: StoredRecord, call: Call) => JsonObject,
    ): Parameters<typeof showing>[1] =>
    (one, call) => {
      const stored = call.site.store.get(Number(one.id), id);
      const shown = one[field];
      if (!stored?.password || !isObject(shown)) return one;
      return { ...one, [field]: { ...shown, ...members(stored, call) } };
    };
  const everywhere = mutantsIn([idOf(resource, 'list'), idOf(resource, 'read')], about, id);
  return [
    (['content', 'excerpt'] as const).map((field) =>
      [field, `written/${field}`].map((breaks) =>
        everywhere.record(
          `${breaks}~shown`,
          `show the ${field} that a password protects`,
          locked(field, (stored) => ({ rendered: stored[field] || stored.content })),
        ),
      ),
    ),
    everywhere.record(
      'written/flag~false',
      'call protected content unprotected',
      locked('content', () => ({ protected: false })),
    ),
    args('opened~closed', 'stay closed to whoever gives the password', dropping('password')),
    WRONG.map(([how, what, opens]) =>
      handler(`wrong-password~${how}`, `open to ${what}`, (call) => {
        const password = recordOf(call, id)?.password ?? '';
        const { password: given } = call.args;
        const isOpen = typeof given === 'string' && password !== '' && opens(given, password);
        return healthy(isOpen ? withPassword(call, password) : call);
      }),
    ),
    record(
      'edit~hidden',
      'hide protected content from those who edit it',
      locked('content', (_, call) => (call.args.context === 'edit' ? { raw: '', rendered: '' } : {})),
    ),
  ];
}
