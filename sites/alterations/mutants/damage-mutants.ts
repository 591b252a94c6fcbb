import { isObject, type Json } from '../../reference/json.ts';
import type { Contract, Operation, Resource } from '../../reference/load-contract.ts';
import { Refusal } from '../../reference/request.ts';
import type { Store, StoredRecord } from '../../reference/store.ts';
import type { Mutant, Mutants } from '../alteration.ts';
import {
  atMost,
  dropping,
  healthy,
  inText,
  mutantsIn,
  mutantsOn,
  NO_OFFSET,
  ofText,
  replacing,
  type TurnValue,
} from '../handling.ts';
import { asks, byMethod, isOwnWrite, recordOf, sends } from '../selecting.ts';

/** Mutants of writes that store a changed text or date, change other fields or records, or answer another type. */
export function damageMutants({ operations, resources }: Contract): Mutants {
  const writes = operations.filter(isOwnWrite);
  return [
    writes.map(writeMutants),
    cascadingMutants(resources),
    operations.map(
      ({ role, resource }) =>
        role === 'delete' &&
        resource !== undefined &&
        resource.parent === undefined && [
          resources.some(({ fields }) => isNamedIn(fields, resource)) && restrictingMutant(resource),
          resource.fields.parent !== undefined && [nextMutants(resource), belowMutants(resource)],
          resource.trash && lossMutants(resource),
        ],
    ),
  ];
}

function isNamedIn(fields: Resource['fields'], { id }: Resource): boolean {
  return Object.values(fields).some((schema) => schema['x-names'] === id);
}

/** A deletion that is refused for what names the record, as databases do with foreign keys. */
function restrictingMutant(resource: Resource): Mutant {
  const { id: kind } = resource;
  const { handler } = mutantsOn(resource, 'delete', `states/${kind}/force/named`, `a deletion in ${kind}`);
  return handler('~refused', 'is refused as long as another record names this one', (call) => {
    const id = recordOf(call, kind)?.id;
    const isNamed = call.site.store.all().some((one) => [one.parent, one.featuredMedia].includes(id ?? -1));
    if (isNamed) throw new Refusal('rest_cannot_delete', 'Another record names this one.', 409);
    return healthy(call);
  });
}

/** Deletions of records that concern the one with the next id too. */
function nextMutants(resource: Resource): Mutants {
  const { id } = resource;
  const { handler } = mutantsOn(resource, 'delete', `states/${id}/untouched`, `a deletion in ${id}`);
  const doing = (how: string, what: string, change: (next: StoredRecord, store: Store) => void): Mutant =>
    handler(how, `${what} the record with the next id too`, (call) => {
      const next = call.site.store.get((recordOf(call, id)?.id ?? 0) + 1, id);
      if (next !== undefined) change(next, call.site.store);
      return healthy(call);
    });
  return [
    doing('~with-the-next', 'removes', (next, store) => store.remove(next)),
    doing('~trashing-the-next', 'moves to the trash', (next) => Object.assign(next, { status: 'trash' })),
  ];
}

/** A move to the trash that does something to the records below. */
function belowMutants(resource: Resource): Mutants {
  const { id } = resource;
  const { follow } = mutantsOn(
    resource,
    'delete',
    `states/${id}/trash`,
    `a move of one of the ${id} to the trash`,
  );
  const doing = (how: string, what: string, change: (below: StoredRecord, above: StoredRecord) => void) =>
    follow(how, what, (stored, _, { site }) => {
      for (const below of stored.status === 'trash' ? site.store.ofKind(id) : []) {
        if (below.parent === stored.id) change(below, stored);
      }
    });
  return [
    doing('~with-those-below', 'takes those below it along', (below) => {
      below.status = 'trash';
    }),
    doing('~moves-those-below', 'moves those below it up', (below, { parent }) => {
      below.parent = parent;
    }),
  ];
}

/** The trash that loses what only the user reads of a record in edit. */
function lossMutants(resource: Resource): Mutants {
  const { id } = resource;
  const about = `states/${id}/trash`;
  return (['content', 'excerpt', 'password'] as const).map((name) => [
    mutantsOn(resource, 'delete', about).follow(
      `~trashed-without-${name}`,
      `without force drops the ${name}`,
      (stored) => {
        stored[name] = '';
      },
    ),
    mutantsOn(resource, 'update', about).follow(
      `~restored-without-${name}`,
      `drops the ${name} of those in the trash`,
      (stored, { status }) => {
        if (status === 'trash') stored[name] = '';
      },
    ),
  ]);
}

/** Deletions that remove what names the record too, as databases do with foreign keys. */
function cascadingMutants(resources: readonly Resource[]): Mutants {
  const uploads = resources.find(({ kind }) => kind === 'uploads');
  const records = resources.find(({ kind, fields }) => kind === 'records' && 'featured_media' in fields);
  const cascading = (
    deleted: Resource,
    named: Resource,
    isNaming: (other: StoredRecord, id: number) => boolean,
  ): Mutant =>
    mutantsOn(deleted, 'delete', `states/${named.id}/untouched`, `a deletion in ${deleted.id}`).handler(
      '~with-what-names-it',
      `removes the ${named.id} too that name the record`,
      (call) => {
        const { store } = call.site;
        const id = call.args.force === true ? recordOf(call, deleted.id)?.id : undefined;
        const lost = id === undefined ? [] : store.ofKind(named.id).filter((one) => isNaming(one, id));
        for (const one of lost) store.remove(one);
        return healthy(call);
      },
    );
  return (
    uploads !== undefined &&
    records !== undefined && [
      cascading(records, uploads, ({ parent }, id) => parent === id),
      cascading(uploads, records, ({ featuredMedia }, id) => featuredMedia === id),
      mutantsOn(uploads, 'update', `states/${records.id}/untouched`, `an update of ${uploads.id}`).follow(
        '~entitling-what-it-names',
        `gives its title to the one of ${records.id} that it names`,
        ({ parent, title }, _, { site }) => {
          const named = site.store.get(parent, records.id);
          if (named !== undefined) named.title = title;
        },
      ),
    ]
  );
}

function writeMutants(operation: Operation): Mutants {
  const { id, role, parameters, resource } = operation;
  const names = Object.keys(parameters.properties);
  const { args, made, record, value, where } = mutantsIn(id);
  const published = where(asks('status', 'publish'));
  const asText = record('answer~author-as-text', 'answers the author as a text', (one) => ({
    ...one,
    author: String(one.author),
  }));
  if (role === 'update') {
    return [
      asText,
      UPDATES.filter(([name]) => names.includes(name)).map((row) => updateMutant(id, ...row)),
      postMutants(operation, names),
    ];
  }
  return [
    asText,
    names.map((name) =>
      TEXTS[name]?.map((how) =>
        value(name)(`${name}/stored~${how}`, `damages ${name}: ${how}`, inText(DAMAGE[how] ?? String)),
      ),
    ),
    args('title/stored~refused-if-long', 'refuses a title of more than 120 characters', (given) => {
      const title = isObject(given.title) ? given.title.raw : given.title;
      if (typeof title !== 'string' || title.length <= 120) return given;
      throw new Refusal('rest_invalid_param', 'Invalid parameter(s): title', 400);
    }),
    names.includes('excerpt') && [
      made('excerpt/stored~lost-of-scheduled', 'loses the excerpt of what is scheduled', (stored) => {
        if (stored.status === 'future') stored.excerpt = '';
      }),
      made('template/stored~lost-of-private', 'loses the template of what is private', (stored) => {
        if (stored.status === 'private') stored.template = '';
      }),
      made('slug/stored~another-if-published', 'gives what is published another slug', (stored) => {
        if (stored.status === 'publish') stored.slug += '-x';
      }),
      value('date')(
        'date/stored~gmt-as-other',
        'reads a date in GMT as one of another time zone',
        replacing(/Z$/, '+02:00'),
      ),
      ['date', 'date_gmt'].map((name) =>
        published.args(
          `${name}/stored~lost-of-published`,
          `loses the ${name} of what is published`,
          dropping(name),
        ),
      ),
      mutantsIn(id, `protected/${resource?.id}/written/edit`)
        .where(asks('status', 'publish'))
        .args('~lost-of-published', 'loses the password of what is published', dropping('password')),
    ],
    names.includes('caption') &&
      made('caption/stored~lost-of-private', 'loses the caption of what is private', (stored) => {
        if (stored.status === 'private') stored.excerpt = '';
      }),
    names.includes('menu_order') &&
      made('menu_order/stored~unsigned', 'loses the sign of menu_order', (stored) => {
        stored.menuOrder = Math.abs(stored.menuOrder);
      }),
    names.includes('date') && [
      value('date')('date/stored~no-offset', 'by POST leaves out the offset that date names', NO_OFFSET),
      value('date')('date/stored~whole-hours', 'reads the whole hours of an offset alone', WHOLE_HOURS),
    ],
  ];
}

function cutAt(length: number): (value: Json) => Json {
  return ofText((text) => text.slice(0, length));
}

const WHOLE_HOURS = replacing(/([+-]\d\d):\d\d$/, '$1:00');

const DAMAGE: Readonly<Record<string, (value: Json) => Json>> = {
  'question-marks': replacing(/[^\t\n -~]/g, '?'),
  'decoded-wrongly': ofText((text) => Buffer.from(text, 'utf8').toString('latin1')),
  'no-backslashes': replacing(/\\/g, ''),
  'doubled-quotes': replacing(/'/g, "''"),
  'one-line': replacing(/\n/g, ' '),
  'cut-at-55-words': ofText((text) => /^(?:\s*\S+){0,55}/.exec(text)?.[0] ?? ''),
  'cut-at-255': cutAt(255),
  'basic-plane-only': replacing(/[\u{10000}-\u{10ffff}]/gu, '?'),
  composed: ofText((text) => text.normalize('NFC')),
  'no-zero-width': replacing(/[\u200b-\u200d\u2060]/g, ''),
  'no-right-to-left': replacing(/[\u0590-\u08ff]/g, '?'),
  'decoded-entities': replacing(/&eacute;/g, 'é'),
  'decoded-numbers': replacing(/&#8217;/g, '’'),
  'decoded-quotes': replacing(/&quot;/g, '"'),
  'no-shortcodes': replacing(/\[\w+[^\]]*\]/g, ''),
  'single-slashes': replacing(/\/{2,}/g, '/'),
  'no-tabs': replacing(/\t/g, ' '),
  'one-blank': replacing(/ {2,}/g, ' '),
  'no-empty-lines': replacing(/\n{2,}/g, '\n'),
  'cut-at-1000': cutAt(1000),
  'cut-at-20': cutAt(20),
  'cut-at-40': cutAt(40),
  'in-lower-case': ofText((text) => text.toLowerCase()),
  'no-variations': replacing(/[\u200d\ufe0f]/gu, ''),
  'no-soft-hyphens': replacing(/\u00ad/g, ''),
  'plain-blanks': replacing(/\u00a0/g, ' '),
  'no-separators': replacing(/[\u2028\u2029]/g, ' '),
  'no-marks': replacing(/[\u200e\u200f\u2066-\u2069]/g, ''),
  'no-dollars': replacing(/\$\d/g, ''),
  'no-commas': replacing(/,/g, ''),
  typographic: replacing(/\.\.\./g, '…'),
  'decoded-percents': replacing(/%41/g, 'A'),
  'escaped-tags': replacing(/<(\/?p)>/g, '&lt;$1&gt;'),
};

const LETTERS = [
  ...['basic-plane-only', 'composed', 'no-zero-width', 'no-right-to-left'],
  ...['no-variations', 'no-soft-hyphens', 'plain-blanks', 'no-separators', 'no-marks'],
];
const SHORT = [
  ...['question-marks', 'decoded-wrongly', 'no-backslashes', 'doubled-quotes'],
  ...LETTERS,
  ...['decoded-entities', 'decoded-numbers', 'decoded-quotes', 'no-shortcodes', 'single-slashes'],
  ...['no-dollars', 'decoded-percents', 'no-commas', 'typographic'],
];
const LONG = [...SHORT, 'one-line', 'no-tabs', 'one-blank', 'no-empty-lines', 'cut-at-1000'];

/** The kinds of damage for each text. Real software changes alternative texts further. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  title: [...SHORT, 'cut-at-255'],
  content: [...LONG, 'escaped-tags'],
  excerpt: [...LONG, 'cut-at-55-words'],
  caption: LONG,
  description: LONG,
  alt_text: ['question-marks', 'decoded-wrongly', ...LETTERS, 'cut-at-255'],
  password: ['question-marks', 'doubled-quotes', 'no-backslashes', 'cut-at-20', 'in-lower-case'],
  slug: ['cut-at-40'],
};

type Update = readonly [
  name: string,
  method: string,
  how: string,
  turn: (value: Json) => Json,
  /** The requirement of the field that it breaks; default: the values of the method. */
  states?: string,
];

function each(
  names: readonly string[],
  ...row: Update extends readonly [string, ...infer Rest] ? Rest : never
): Update[] {
  return names.map((name): Update => [name, ...row]);
}

const until2038 = ofText((text) => (text > '2038-01-19' ? '2038-01-19T03:14:07' : text));
const asNumber = ofText((text) => (/^\d[\d.]*$/.test(text) ? String(Number(text)) : text));
const beforeControls = ofText((text) => text.split(/[^\P{Cc}\t\n\r]/u)[0] ?? '');

/** Values that updates with one method store wrongly, and that few records have. */
const UPDATES: readonly Update[] = [
  ...each(['date', 'date_gmt'], 'PATCH', 'no-offset-west', replacing(/-\d\d:\d\d$/, '')),
  ['date_gmt', 'PATCH', 'whole-hours', WHOLE_HOURS],
  ['date', 'PUT', 'no-leap-day', replacing(/-02-29/, '-03-01')],
  ['date', 'PATCH', 'not-before-1970', ofText((text) => (text < '1970' ? '1970-01-01T00:00:00' : text))],
  ['date_gmt', 'PATCH', 'not-after-2038', until2038],
  ['menu_order', 'POST', 'unsigned', (value) => Math.abs(Number(value))],
  ['menu_order', 'PUT', 'short', (value) => Math.min(Number(value), 32_767)],
  ['tags', 'PUT', 'two-at-most', atMost(2)],
  ...each(['title', 'content', 'caption'], 'PUT', 'as-number', asNumber),
  ['content', 'POST', 'cut-at-4000', cutAt(4000)],
  ...each(['content', 'description'], 'POST', 'cut-at-65535', cutAt(65_535), 'longest/stored'),
  ...each(['content', 'excerpt', 'caption', 'description'], 'PATCH', 'cut-at-controls', beforeControls),
  ...each(['excerpt', 'description'], 'PUT', 'nothing-for-0', replacing(/^0$/, '')),
];

function updateMutant(id: string, ...[name, method, how, turn, states = `stored/${method}`]: Update): Mutant {
  const { value } = mutantsIn(id, `${id}/${name}`).where(byMethod(method));
  return value(name)(`${states}~${how}`, `by ${method} stores ${name} otherwise: ${how}`, inText(turn));
}

function postMutants({ id, resource }: Operation, names: readonly string[]): Mutants {
  const posts = mutantsIn(id).where(byMethod('POST'));
  const past = new WeakMap<object, Set<Json>>();
  const posting = (name: string, how: string, title: string, turn: TurnValue): Mutants =>
    names.includes(name) && posts.value(name)(`${name}/stored/POST~${how}`, `by POST ${title}`, turn);
  return [
    ['date', 'date_gmt'].map((name) =>
      posting(name, 'no-offset', `leaves out the offset that ${name} names`, NO_OFFSET),
    ),
    (['categories', 'tags'] as const).map((name) =>
      posting(name, 'added', `adds ${name} to those that the record has`, (value, call) => {
        const before = recordOf(call, resource?.id)?.[name] ?? [];
        return Array.isArray(value) && value.length > 0 ? [...before, ...value] : value;
      }),
    ),
    posting(
      'parent',
      'two-levels',
      'takes what is below the parent for one of its children',
      (parent, { site }) => {
        const above = site.store.get(Number(parent), resource?.id);
        return above?.parent || parent;
      },
    ),
    // Former slugs of a record are reserved, even against the record itself.
    posting('slug', 'of-the-past', 'takes no slug that the record had before', (slug, call) => {
      const stored = recordOf(call, resource?.id);
      if (stored === undefined) return slug;
      const known = past.get(stored) ?? new Set<Json>();
      past.set(stored, known.add(stored.slug));
      return known.has(slug) && slug !== stored.slug ? `${String(slug)}-2` : slug;
    }),
    posting('password', 'first-kept', 'keeps a password, unless it is removed', (password, call) => {
      const stored = recordOf(call, resource?.id)?.password;
      return password === '' ? password : stored || password;
    }),
    names.includes('sticky') &&
      mutantsIn(id).follow('alone/POST~unsticks-by-terms', 'unsticks by other categories', (now, before) => {
        if (now.categories.join() !== before.categories.join()) now.sticky = false;
      }),
    names.includes('password') &&
      mutantsIn(id).follow(
        'alone/POST~opens-by-title',
        'opens what is published by a title',
        (now, before) => {
          if (now.status === 'publish' && now.title !== before.title) now.password = '';
        },
      ),
    names.includes('sticky') &&
      posts
        .where(asks('sticky', false), sends('title'))
        .args(
          'sticky/stored/POST~beside-title',
          'by POST keeps sticky where a title is sent',
          dropping('sticky'),
        ),
  ];
}
