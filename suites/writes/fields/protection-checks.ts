import { isObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { type Check, type CheckSpec, checkId, type Finding, type Found } from '../../../engine/check.ts';
import { blocked, describe, failure, hasFailure, inconclusive, show } from '../../../engine/findings.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import { newOne, readBack } from '../../../probing/records/own/make-record.ts';
import {
  contradicts,
  curlsOf,
  differs,
  inconclusiveBy,
  must,
  notAccepted,
  type OwnRecord,
} from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownCheck, ownFixture, roots } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { collectionsWith, type WritableCollection } from '../../../probing/records/own/writable-fields.ts';
import { idsIn, rawOf } from '../../../probing/records/reading/record.ts';
import { childOf, operationFor, routeFor, takes } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { anonymousLooks, belowLooks, declaredOf, furtherLooks, type Look } from './protected-looks.ts';

/** The protected texts by field, which occur nowhere else on the site. */
const SECRETS = { content: 'kept-from-strangers', excerpt: 'said-to-friends' } as const;

type Secret = keyof typeof SECRETS;

const FIELDS: readonly Secret[] = ['content', 'excerpt'];

/** Has characters that are lost if an address is decoded twice, and ones that it must encode. */
const PASSWORD = 'open+sesame now';
/** The password until it was changed, which differs from it in letter case alone. */
const FORMER = PASSWORD.toUpperCase();

/** Wrong passwords, with their names in reports; one of them if only the excerpt could show. */
const WRONG = [
  { password: PASSWORD.slice(0, -1), what: 'a shortened', context: 'embed' },
  { password: FORMER, what: 'its former, capitalised', context: 'view' },
  { password: '', what: 'an empty', context: 'view' },
] as const;

/** More words than written excerpts have. */
const MANY_WORDS = 20;

/** A record that was created with one password, lost it, and got another one. */
interface Locked extends OwnRecord {
  /** The password that it has now. */
  readonly password: string;
  readonly opened: Observation;
  readonly changed: Observation;
}

const lockedRecord: OwnFixture<Locked, [about: WritableCollection]> = ownFixture(
  'own {} with a password',
  async (own, { collection }) => {
    const written = new Map(Object.entries({ ...SECRETS, status: 'publish', password: FORMER }));
    const record = await newOne(own, collection, { written, further: ' with a password' });
    // Software may protect only what it creates with a password.
    const opened = await own.update(record, { password: '' });
    const changed = await own.update(record, { title: `${record.slug} revised`, password: PASSWORD });
    return { ...record, opened, changed, password: changed.answer === 'accepted' ? PASSWORD : FORMER };
  },
  ({ collection }) => [collection],
);

/** Checks that a written password protects content and excerpt, and opens them (§2). */
export function writtenProtectionChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create')
    .filter(
      ({ resource, operation }) =>
        resource.protects === true && takes(operation, 'password', 'status', 'content'),
    )
    .flatMap((about) =>
      [
        ...FIELDS.filter((field) => takes(about.operation, field)).map((field) => hidden(about, field)),
        flag(about),
        opened(about),
        wrong(about),
        inEdit(about),
        ...ofRevisions(contract, about),
      ].map((protection) => protectionCheck(about, protection)),
    );
}

const IN_EDIT = 'edit';

interface Protection extends Pick<CheckSpec, 'title' | 'after'>, Pick<Check, 'basis'> {
  readonly word: string;
  readonly evaluate: (own: OwnRecords, record: Locked) => Promise<Found>;
}

function protectionCheck(
  about: WritableCollection,
  { word, title, basis, after = [], evaluate }: Protection,
): Check {
  const { collection, operation } = about;
  return ownCheck({
    id: checkId('protected', collection, 'written', word),
    kind: 'contexts',
    groups: [`protected ${word}`],
    title,
    section: '2',
    basis,
    operation: `${collection}.read`,
    needs: [
      roots.stored(operation.id, 'password'),
      roots.stored(operation.id, 'status', 'publish'),
      checkId(`${collection}.read`, 'method', 'GET'),
      roots.creation(collection),
    ],
    // Protected text is read without credentials.
    after: [
      ['read', 'list'].map((role) => checkId(`${collection}.${role}`, 'answers', 'anonymous')),
      // A leak is one in any form.
      !(word in SECRETS) && checkId('records', collection, 'types', 'content'),
      after,
    ],
    async run(own) {
      const record = await lockedRecord(own, about);
      const found = await evaluate(own, record);
      if (word === IN_EDIT || !hasFailure(found)) return found;
      return (await reportedAsUnlocked(own, about, record)) ?? found;
    },
  });
}

/** The finding for a record that has no password any more, or never had, which another check reports. */
async function reportedAsUnlocked(
  own: OwnRecords,
  { resource: { operations } }: WritableCollection,
  record: Locked,
): Promise<Finding | undefined> {
  // Its own update did not remove it.
  if (member(record.changed.json, 'password') === record.password) return undefined;
  const { shown } = await readBack(own, record);
  if (typeof shown?.password !== 'string' || shown.password === record.password) return undefined;
  const { update } = operations;
  const isCreated = record.shown.password === FORMER;
  const isLost = [FORMER, ''].includes(shown.password);
  const ofUpdate =
    update && (isLost ? roots.stored(update.id, 'password', 'POST') : checkId(update.id, 'alone', 'POST'));
  const root = isCreated ? ofUpdate : checkId('protected', record.collection, 'written', IN_EDIT);
  return root !== undefined && own.session.runs(root) ? blocked(root) : undefined;
}

/** The checks that the texts are stored: a lost one is neither hidden nor shown. */
function storedTexts({ operation }: WritableCollection, fields: readonly Secret[] = FIELDS): string[] {
  return fields.filter((field) => takes(operation, field)).map((field) => roots.stored(operation.id, field));
}

function hidden(about: WritableCollection, field: Secret): Protection {
  const { collection } = about;
  return {
    word: field,
    title: `nobody is shown the ${field} of one of the ${collection} without its password`,
    basis: 'stated',
    after: [
      storedTexts(about, [field]),
      ['raw', 'block_version'].map((member) =>
        checkId(`${collection}.read`, 'contexts', `${field}.${member}`),
      ),
      // What shows the one text shows the other.
      field === 'excerpt' && checkId('protected', collection, 'written', 'content'),
    ],
    async evaluate(own, record) {
      const looks = await anonymousLooks(own, record);
      const found = looks.flatMap((look) => {
        const { observation, where } = look;
        if (observation.answer === 'denied') return [];
        return inconclusiveBy(`reading it in ${where}`, observation) ?? leaksIn(record, look, [field]);
      });
      if (found.length > 0) return found;
      const more = field === 'content' ? looks.flatMap((look) => moreInEmbed(record, look)) : [];
      if (more.length > 0) return more;
      const further = await furtherLooks(own.session, about, record);
      const below = await belowLooks(own, about, record);
      return [...further, ...below].flatMap((look) => leaksIn(record, look, [field]));
    },
  };
}

function flag({ collection }: WritableCollection): Protection {
  return {
    word: 'flag',
    title: `content of one of the ${collection} says that it is protected, as long as it has a password`,
    basis: 'stated',
    // What is shown to everybody says so.
    after: [checkId('protected', collection, 'written', 'content')],
    async evaluate(own, record) {
      const { created, opened, changed } = record;
      if (member(opened.json, 'password') === '' && flagOf(opened) === true) {
        const message = 'content without a password any more says that it is protected';
        return contradicts(message, 'content.protected false', 'true', created, opened);
      }
      const [view] = await anonymousLooks(own, record);
      if (view?.observation.answer !== 'accepted') return unread(view?.observation);
      const shown = flagOf(view.observation);
      if (shown === true) return [];
      const message = 'content with a password does not say that it is protected';
      return contradicts(message, 'content.protected true', show(shown), created, changed, view.observation);
    },
  };
}

const flagOf = ({ json }: Observation): unknown => member(member(json, 'content'), 'protected');

function opened(about: WritableCollection): Protection {
  const { collection, resource } = about;
  const { read } = resource.operations;
  return {
    word: 'opened',
    title: `the password shows the content of one of the ${collection}`,
    // For some resources the parameter is only implied (R29).
    basis: read?.parameters.find(({ name }) => name === 'password')?.basis ?? 'implied',
    after: [
      checkId(`${collection}.read`, 'excerpt_length', 'type', 'accepted'),
      storedTexts(about),
      checkId(`${collection}.update`, 'alone', 'POST'),
    ],
    async evaluate(own, record) {
      const [closed] = await anonymousLooks(own, record);
      if (closed?.observation.answer !== 'accepted') return unread(closed?.observation);
      const beside = read === undefined ? {} : declaredOf(read, { excerpt_length: MANY_WORDS });
      const open = await readWith(own, record, { password: record.password, ...beside });
      // The read is answered without a password, so that a denial or refusal is due to this password, which is right.
      if (open.answer !== 'refused') must.conclude('reading it with its password', open, 'denied');
      const field = FIELDS.find((one) => {
        const text = renderedOf(open.json, one);
        // The checks of contexts report whether excerpts are shown at all.
        return !reveals(text, one) && (one === 'content' || typeof text === 'string');
      });
      if (field === undefined) return [];
      const text = renderedOf(open.json, field);
      // Who may read a record besides is silent (§5.4), as where members alone may.
      if (text && text === renderedOf(closed.observation.json, field)) {
        return inconclusive(`anonymous callers are shown another text in place of the ${field}`);
      }
      const message = `the right password does not show the ${field}`;
      const observed = open.answer === 'accepted' ? show(text) : describe(open);
      const { created, changed } = record;
      return contradicts(message, `a text with ${SECRETS[field]}`, observed, created, changed, open);
    },
  };
}

function wrong({ collection }: WritableCollection): Protection {
  return {
    word: 'wrong-password',
    title: `a wrong password does not show the content or the excerpt of one of the ${collection}`,
    basis: 'implied',
    async evaluate(own, record) {
      const looks = await anonymousLooks(own, record);
      const open = looks.filter((look) => leaksIn(record, look).length > 0).map(({ where }) => where);
      for (const { password, what, context } of WRONG) {
        // Another check tests requests without a password.
        if (open.includes(`the context ${context}`) || password === record.password) continue;
        const observation = await readWith(own, record, { context, password });
        must.conclude(`reading it with ${what} password`, observation, 'denied');
        const found = leaksIn(record, { observation, where: `the context ${context} with ${what} password` });
        if (found.length > 0) return found;
      }
      return [];
    },
  };
}

function inEdit(about: WritableCollection): Protection {
  const { collection, operation } = about;
  return {
    word: IN_EDIT,
    title: `the edit context shows the text of one of the ${collection} with a password`,
    basis: 'stated',
    after: [storedTexts(about), FIELDS.flatMap((field) => roots.shownRaw(collection, field))],
    async evaluate(_own, record) {
      const { password } = record.shown;
      if (typeof password === 'string' && password !== FORMER) {
        const message = 'the password of a record that is created as published is accepted, and not kept';
        return differs(message, FORMER, password, record.created, record.read);
      }
      return FIELDS.filter((field) => takes(operation, field)).flatMap((field) => {
        const raw = rawOf(record.shown, field);
        // A text may be trimmed, or end in a line break (§2).
        if (typeof raw === 'string' && raw.trim() === SECRETS[field]) return [];
        const message = `the edit context does not show ${field}.raw of a record with a password`;
        return differs(message, SECRETS[field], raw, record.created, record.read);
      });
    },
  };
}

/** Revisions show protected text to nobody; who may read revisions at all is silent (§5.4). */
function ofRevisions(contract: Contract, { collection }: WritableCollection): Protection[] {
  const revisions = childOf(contract, collection, 'revisions')?.operations;
  const autosaves = childOf(contract, collection, 'autosaves')?.operations;
  const list = revisions?.list;
  if (list === undefined) return [];
  return [
    {
      word: 'revisions',
      title: `no revision or autosave of one of the ${collection} with a password shows anonymous callers the protected text`,
      basis: 'stated',
      async evaluate(own, record) {
        // A site need not keep a revision of the creation.
        if (record.changed.answer !== 'accepted') return inconclusive('the record cannot be changed');
        const saved = await saveBeside(own, record, autosaves?.create);
        const kept = await own.get(routeFor(list, record.id));
        const [id] = idsIn(kept);
        if (id === undefined) return inconclusive('the site keeps no revision of it');
        const routesOf = (child: number, ...all: readonly (Operation | undefined)[]): string[] =>
          all.flatMap((one) => (one ? routeFor(one, record.id, child) : []));
        const routes = [
          ...routesOf(id, list, revisions?.read),
          ...(saved === undefined ? [] : routesOf(saved, autosaves?.list, autosaves?.read)),
        ];
        const found: Finding[] = [];
        // Reads by the user may fill a cache that then answers anybody, so a reproduction needs them too.
        const before = [kept.curl];
        for (const route of routes) {
          const observation = await own.get(route, 'anonymous');
          found.push(...leaksIn(record, { observation, where: `an answer to ${route}`, before }));
        }
        return found;
      },
    },
  ];
}

/** Saves the protected texts in an autosave too. @returns its id, if the site creates and names it */
async function saveBeside(own: OwnRecords, { collection, id }: OwnRecord, create: Operation | undefined) {
  if (create === undefined) return undefined;
  const { json } = await own.send({
    method: 'POST',
    route: routeFor(create, id),
    body: { json: own.stated(collection, { ...SECRETS, title: 'Saved' }) },
  });
  const saved = member(json, 'id');
  return typeof saved === 'number' ? saved : undefined;
}

function leaksIn(record: Locked, look: Look, fields: readonly Secret[] = FIELDS): Finding[] {
  const { answer, json = null } = look.observation;
  if (answer !== 'accepted') return [];
  const text = JSON.stringify(json);
  return fields.filter((field) => text.includes(SECRETS[field])).map((field) => leak(record, look, field));
}

/** Where a record was read alone in embed. */
const EMBED = 'the context embed';

/** In embed, content is absent or has no member except `protected`, with or without a password (R12). */
function moreInEmbed({ created, changed }: Locked, { observation, where }: Look): Finding[] {
  const content = member(observation.json, 'content');
  const more = isObject(content) ? Object.keys(content).filter((name) => name !== 'protected') : [];
  if (where !== EMBED || more.length === 0) return [];
  const message = 'content of a record with a password holds more than protected in the context embed';
  const expected = 'no content, or nothing in it but protected';
  return [contradicts(message, expected, more.join(', '), created, changed, observation)];
}

const renderedOf = (record: unknown, field: Secret): unknown => member(member(record, field), 'rendered');

function unread(observation: Observation | undefined): Finding {
  // In the words of the checks of other records, so that a site that requires a login has one reason.
  if (observation?.answer === 'denied')
    return inconclusive('the context view is denied to anonymous callers');
  const finding = observation && notAccepted('reading it without the password', observation);
  return inconclusive(finding?.message ?? 'it was not read without the password');
}

function reveals(text: unknown, field: Secret): boolean {
  return typeof text === 'string' && text.includes(SECRETS[field]);
}

/** The member that shows a protected text: its rendered member, or another one, as plugins may add. */
function shownIn(record: unknown, field: Secret): string {
  const rendered = renderedOf(record, field);
  if (reveals(rendered, field)) return show(rendered);
  const members = isObject(record) ? Object.entries(record) : [];
  const [name] = members.find(([, value]) => JSON.stringify(value)?.includes(SECRETS[field])) ?? [];
  return name === undefined ? show(SECRETS[field]) : `${show(SECRETS[field])} in ${show(name)}`;
}

function leak(
  { created, changed }: Locked,
  { observation, where, before = [] }: Look,
  field: Secret,
): Finding {
  return failure(`${field} of a record with a password is shown in ${where}`, {
    expected: `a text without ${SECRETS[field]}`,
    observed: shownIn(observation.json, field),
    reproduce: [...curlsOf(created, changed), ...before, observation.curl],
  });
}

function readWith(own: OwnRecords, { collection, id }: OwnRecord, args: Args): Promise<Observation> {
  const read = operationFor(own.contract, collection, 'read');
  return own.get(read ? routeFor(read, id) : '', 'anonymous', encodeArgs({ context: 'view', ...args }));
}
