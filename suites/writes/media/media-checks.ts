import { type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import { type Check, checkId, declares, type Finding, type Found, serves } from '../../../engine/check.ts';
import { evaluateRefusal, explain, failureBy } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeArgs, type Pair } from '../../../generators/wire-forms.ts';
import { changedFields, readBack } from '../../../probing/records/own/make-record.ts';
import {
  type Creation,
  contradicts,
  differs,
  inconclusiveBy,
  must,
  type OwnRecord,
  recordOrAbort,
} from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownFixture, roots, stateCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { bodyOf, shownValue, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { describeArgs } from '../../../probing/records/reading/list-request.ts';
import { fileAddressIn, idsIn, rawOf } from '../../../probing/records/reading/record.ts';
import { describedCollections, operationFor, routeFor, takes } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import { longSlug } from '../fields/field-values.ts';
import { isStored } from '../fields/same-as-written.ts';
import { sharedRecord } from '../fields/shared-records.ts';
import { reportedAsRemoved } from '../states/untouched-checks.ts';

/** A picture that is uploaded once for all checks; none of them changes it. */
export const ownPicture: OwnFixture<Creation, [collection: Collection]> = ownFixture(
  'own picture of',
  (own, collection) => own.upload(collection),
);

/** A text file that is uploaded once, if the site takes texts. */
const ownTextFile: OwnFixture<Creation, [collection: Collection]> = ownFixture(
  'own text file of',
  (own, collection) => own.upload(collection, {}, 'text'),
);

async function pictureOf(own: OwnRecords, collection: Collection): Promise<OwnRecord> {
  const picture = await ownPicture(own, collection);
  return recordOrAbort(picture, `no picture can be uploaded: ${collection}/upload/raw shows why`);
}

/** Whether the list of an upload's collection, filtered, contains it. @param filters by neutral names @throws Aborted */
async function listsMedia(session: Session, { collection, id }: OwnRecord, filters: JsonObject = {}) {
  const list = operationFor(session.contract, collection, 'list');
  const wire = (name: string): string => list?.parameters.find((one) => one.name === name)?.wire ?? name;
  const named = Object.fromEntries(Object.entries(filters).map(([name, value]) => [wire(name), value]));
  const args = { [wire('include')]: [id], ...named };
  const route = list?.route.wire ?? '';
  const ask = (query: Pair[]): Promise<Observation> =>
    session.client.request({ method: 'GET', route, query, as: 'user' });
  let answer = await ask(encodeArgs(args));
  // Another check reports a site that takes a text in place of a list.
  if (answer.answer === 'refused')
    answer = await ask(Object.entries(args).map(([name, values]) => [name, String(values)]));
  const what = `the list of ${collection} ${describeArgs(named)}`.trim();
  must.conclude(what, answer);
  if (answer.answer !== 'accepted') throw inconclusiveAbort(`${what} is not accepted (${explain(answer)})`);
  return { listed: idsIn(answer).includes(id), answer };
}

const KINDS = ['video', 'audio', 'text', 'application'];

/** Filters of uploads by their type, of which one is tried with a text file too: they read the same type. */
const FILTERS = [
  { parameter: 'media_type', fitting: () => 'image', others: KINDS, withText: true },
  { parameter: 'mime_type', fitting: imageTypeOf, others: ['image/png', 'image/jpeg'], withText: false },
] as const;

/** The type of an own picture: software may convert it, and then shows another type of images. */
function imageTypeOf({ read }: OwnRecord): string {
  const type = member(read.json, 'mime_type');
  return typeof type === 'string' && type.startsWith('image/') ? type : 'image/png';
}

/** Checks of uploads (§4.8) with the run's own pictures. */
export function mediaChecks(contract: Contract): Check[] {
  const uploads = describedCollections(contract).filter(({ kind }) => kind === 'uploads');
  return uploads.flatMap((resource) => {
    const { list, edit, 'post-process': processing } = resource.operations;
    const filters = FILTERS.filter(({ parameter }) => list !== undefined && takes(list, parameter));
    return [
      ...uploadChecks(resource),
      ...filters.map((filter) => mediaFilterCheck(resource, filter)),
      ...(processing === undefined ? [] : [postProcessCheck(resource, processing)]),
      ...(edit === undefined ? [] : mediaEditChecks(resource, edit)),
    ];
  });
}

/** A check of the run's own picture, which an upload makes. */
function pictureCheck(resource: Resource, { after = [], ...about }: Parameters<typeof stateCheck>[1]): Check {
  const { id, section } = resource;
  return stateCheck(resource, {
    kind: 'writes',
    section,
    ...about,
    after: [creationRoots(id), checkId(id, 'upload', 'raw'), after],
  });
}

/** The checks that hold where any upload is made and read back. */
function creationRoots(collection: Collection): string[] {
  return [
    roots.creation(collection),
    ...['user', 'anonymous'].map((as) => checkId(`${collection}.read`, 'answers', as)),
  ];
}

function mediaFilterCheck(
  resource: Resource,
  { parameter, fitting, others, withText }: (typeof FILTERS)[number],
): Check {
  const { id: collection } = resource;
  return pictureCheck(resource, {
    id: checkId(collection, 'list', parameter),
    kind: 'lists',
    title: `the list of ${collection} selects an own picture by ${parameter}${withText ? ', and no text' : ' among other files'}`,
    operation: `${collection}.list`,
    parameter,
    needs: [
      checkId(`${collection}.create`, 'method', 'POST'),
      checkId(`${collection}.list`, 'method', 'GET'),
      checkId(`${collection}.list`, parameter, 'declared'),
    ],
    after: [undefined, 'beside'].map((how) => checkId(`${collection}.list`, parameter, 'filters', how)),
    async run(own) {
      const picture = await pictureOf(own, collection);
      const findings: Finding[] = [];
      const item = `media item ${picture.id}`;
      const fits = fitting(picture);
      const kept = await listsMedia(own.session, picture, { [parameter]: [fits] });
      if (!kept.listed) {
        const removed = await reportedAsRemoved(own, picture);
        if (removed !== undefined) return removed;
        const message = `${parameter} ${fits} leaves out an own picture`;
        findings.push(contradicts(message, item, 'it is not listed', kept.answer));
      }
      if (withText) findings.push(...(await pictureFilterOnText(own, collection, { [parameter]: [fits] })));
      const unfit = others.filter((type) => type !== fits);
      const left = await listsMedia(own.session, picture, { [parameter]: unfit });
      if (left.listed) {
        const message = `${parameter} ${unfit.join(', ')} lets an own picture through`;
        findings.push(contradicts(message, `no ${item}`, 'it is listed', left.answer));
      }
      return findings;
    },
  });
}

/** The finding if a filter that keeps pictures keeps a text file too, because its type is not known or not read. */
async function pictureFilterOnText(
  own: OwnRecords,
  collection: Collection,
  filter: JsonObject,
): Promise<Finding[]> {
  const text = await ownTextFile(own, collection);
  if (!('id' in text)) return [];
  const { listed, answer } = await listsMedia(own.session, text, filter);
  if (!listed) return [];
  const message = `${describeArgs(filter)} lets an own text file through, which was sent as text/plain`;
  return [contradicts(message, `no media item ${text.id}`, 'it is listed', text.created, answer)];
}

function postProcessCheck(resource: Resource, operation: Operation): Check {
  const { id: collection } = resource;
  return pictureCheck(resource, {
    id: checkId(collection, 'post-process'),
    title: 'post-processing of an own picture with create-image-subsizes is accepted',
    basis: 'stated',
    on: operation,
    needs: [serves(operation, 'POST'), declares(operation, 'action')],
    async run(own) {
      const picture = await pictureOf(own, collection);
      const answer = await own.send({
        method: 'POST',
        route: routeFor(operation, picture.id),
        body: { json: { action: 'create-image-subsizes' } },
      });
      must.accept('post-processing of an own picture', answer);
      return evaluateOriginal(own, picture, 'post-processing', answer);
    },
  });
}

/** The finding if what makes other files of a picture changes its fields. */
async function evaluateOriginal(
  own: OwnRecords,
  picture: OwnRecord,
  what: string,
  answer: Observation,
): Promise<Found> {
  const { read, shown } = await readBack(own, picture);
  const [name] = shown === undefined ? [] : changedFields(own, picture, picture.shown, shown);
  if (name === undefined) return [];
  const message = `${what} changes the ${name} of the picture`;
  return differs(message, picture.shown[name], shown?.[name], picture.created, answer, read);
}

const WAYS = { raw: 'the body of a request', multipart: 'the field file of a form' };

/** The own picture, which is sent as the body of a request unless the site only takes it in a form. */
async function pictureAsBody(own: OwnRecords, collection: Collection): Promise<Creation> {
  const picture = await ownPicture(own, collection);
  return own.uploadsByForm ? own.uploadRaw(collection) : picture;
}

function uploadChecks(resource: Resource): Check[] {
  const { id: collection, section } = resource;
  return Object.entries(WAYS).map(([word, what]) =>
    stateCheck(resource, {
      id: checkId(collection, 'upload', word),
      kind: 'writes',
      title: `a picture that is sent as ${what} becomes a media item of its type`,
      section,
      operation: `${collection}.create`,
      needs: [
        checkId(`${collection}.create`, 'method', 'POST'),
        checkId(`${collection}.list`, 'method', 'GET'),
      ],
      after: creationRoots(collection),
      run: (own) => evaluateUpload(own, collection, word === 'multipart', what),
    }),
  );
}

async function evaluateUpload(
  own: OwnRecords,
  collection: Collection,
  isForm: boolean,
  what: string,
): Promise<Found> {
  const texts = isForm ? await textsFor(own, collection) : NO_TEXTS;
  const picture = isForm
    ? await own.uploadByForm(collection, bodyOf(texts.fields, texts.values))
    : await pictureAsBody(own, collection);
  if (!('id' in picture)) return picture.finding ?? notTaken(what, picture.created);
  const types = { media_type: ['image'], mime_type: [imageTypeOf(picture)] };
  const { listed, answer } = await listsMedia(own.session, picture, types);
  if (listed) return isForm ? fieldsFinding(own, picture, texts) : [];
  const message = `a picture that was sent as ${what} is not in the list of pictures`;
  const expected = `media item ${picture.id} of type ${imageTypeOf(picture)}`;
  const lost = failureBy(message, expected, answer, [picture.created.curl, answer.curl]);
  return (await reportedAsRemoved(own, picture)) ?? lost;
}

/** The fields that name the upload, so that each one has others: one comes with every file. */
const MEDIA_TITLE = 'title';
const SLUG = 'slug';

interface Texts {
  readonly fields: readonly WritableField[];
  readonly values: ReadonlyMap<string, unknown>;
}

const NO_TEXTS: Texts = { fields: [], values: new Map() };

/** Fields with values that an upload without a form has taken. */
async function textsFor(own: OwnRecords, collection: Collection): Promise<Texts> {
  const full = await sharedRecord(own, collection, 'main');
  if (!('id' in full)) return NO_TEXTS;
  const fields = own.fieldsOf(collection).filter(
    (field) =>
      // How a form carries members of an object is not stated.
      field.key === undefined &&
      field.name !== MEDIA_TITLE &&
      full.written.has(field.name) &&
      isStored(own.session, field, full.written.get(field.name), full.shown),
  );
  return { fields, values: new Map([...full.written, [SLUG, longSlug(own)]]) };
}

/** A form with a file also has fields as parameters by name (§4, R35). */
function fieldsFinding(own: OwnRecords, { slug, read }: OwnRecord, { fields, values }: Texts): Found {
  const shown = rawOf(read.json, MEDIA_TITLE);
  const title = `${slug} title`;
  const lost = (name: string, expected: unknown, observed: unknown): Found =>
    differs(`the field ${name} of a form with a file is not stored`, expected, observed, read);
  if (shown !== undefined && shown !== title) return lost(MEDIA_TITLE, title, shown);
  const field = fields.find((one) => !isStored(own.session, one, values.get(one.name), read.json));
  return field === undefined ? [] : lost(field.wire, values.get(field.name), shownValue(read.json, field));
}

/** How files are sent is not stated, so refusing one way is only a warning. */
function notTaken(what: string, answer: Observation): Finding {
  const untaken = failureBy(`a picture that is sent as ${what} is not taken`, 'a media item', answer);
  return inconclusiveBy(`a picture sent as ${what}`, answer) ?? { ...untaken, kind: 'warning' };
}

const ARGS = { flip: { horizontal: true, vertical: false } };
const FLIP = { type: 'flip', args: ARGS };

const NO_ARGS = { type: 'flip' };
const OF_MODIFIER = 'modifiers/items/properties';

/** Edits that must be refused, with the check of the same constraint, which reports a site that has none at all. */
const REFUSED: readonly (readonly [word: string, what: string, root: string, edit: Partial<EditBody>])[] = [
  ['src', 'without src', 'src/required', { src: undefined }],
  ['modifier', 'with an empty list of modifiers', 'modifiers/minItems', { modifiers: [] }],
  ['type', 'whose modifier has no type', `${OF_MODIFIER}/type/required`, { modifiers: [{ args: ARGS }] }],
  ['args', 'whose modifier has no args', `${OF_MODIFIER}/args/required`, { modifiers: [NO_ARGS] }],
  [
    'second',
    'whose second modifier has no args',
    `${OF_MODIFIER}/args/required`,
    { modifiers: [FLIP, NO_ARGS] },
  ],
];

interface EditBody {
  readonly src: string | undefined;
  readonly modifiers: readonly object[];
}

function mediaEditChecks(resource: Resource, operation: Operation): Check[] {
  const { id: collection } = resource;
  const needs = [checkId(`${collection}.create`, 'method', 'POST'), serves(operation, 'POST')];
  return [
    pictureCheck(resource, {
      id: checkId(collection, 'flip'),
      title: 'an edit of an own picture that flips it makes another media item',
      basis: 'stated',
      on: operation,
      needs,
      run: (own) => flip(own, operation),
    }),
    ...REFUSED.map(([word, what, root, wrong]) =>
      pictureCheck(resource, {
        id: checkId(collection, 'edit-without', word),
        kind: 'refused',
        title: `an edit ${what} is refused`,
        basis: 'stated',
        on: operation,
        needs,
        after: [checkId(operation.id, root, 'enforced')],
        async run(own) {
          const picture = await pictureOf(own, collection);
          const { answer: invalid } = await edit(own, operation, picture, { ...flipOf(picture), ...wrong });
          const { answer: control } = await flipped(own, operation);
          return evaluateRefusal(`an edit ${what}`, invalid, control);
        },
      }),
    ),
  ];
}

/** The flip of the run's picture, requested once: the control of every edit that must be refused. */
const flipped = ownFixture('own picture flipped by', async (own, operation: Operation) => {
  const picture = await pictureOf(own, operation.resource?.id ?? '');
  return edit(own, operation, picture, flipOf(picture));
});

function flipOf({ created, shown }: OwnRecord): EditBody {
  const src = fileAddressIn(created.json) ?? fileAddressIn(shown);
  if (src !== undefined) return { src, modifiers: [FLIP] };
  throw inconclusiveAbort('the own picture does not show the address of its file');
}

async function flip(own: OwnRecords, operation: Operation): Promise<Found> {
  const { answer, made } = await flipped(own, operation);
  must.conclude('an edit that flips an own picture', answer);
  // The args of a flip are silent (§4.8), so the site may require others.
  if (answer.answer !== 'accepted')
    throw inconclusiveAbort(`the site does not take these args for a flip (${explain(answer)})`);
  if (made === undefined)
    throw inconclusiveAbort(`the edit does not show which media item it made (${explain(answer)})`);
  const record = recordOrAbort(made, 'the edited picture is not known to be own');
  const { listed, answer: list } = await listsMedia(own.session, record);
  if (listed) return evaluateOriginal(own, await pictureOf(own, record.collection), 'a flip', answer);
  const message = `a flipped picture is not in the list of ${record.collection}`;
  return failureBy(message, `media item ${record.id}`, list, [answer.curl, list.curl]);
}

/** Sends an edit. A record with the run's tag that it creates is recorded as own, even if created by mistake. */
async function edit(own: OwnRecords, operation: Operation, picture: OwnRecord, json: object) {
  const { collection } = picture;
  own.intend(collection, picture.slug);
  const route = routeFor(operation, picture.id);
  const answer = await own.send({ method: 'POST', route, body: { json } });
  const id = member(answer.json, 'id');
  const named = answer.answer === 'accepted' && typeof id === 'number' && id !== picture.id;
  return { answer, made: named ? await own.claim(collection, picture.slug, id, answer) : undefined };
}
