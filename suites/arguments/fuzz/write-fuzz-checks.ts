import type { Observation, RequestBody } from '../../../client/observation.ts';
import { Aborted, isFinding, orAbort, orFinding } from '../../../engine/aborted.ts';
import { type Check, check, checkId, type Found, serves } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { isDeclaredAsStated } from '../../../probing/declarations/compare-constraint.ts';
import { PIXEL } from '../../../probing/records/own/file-bytes.ts';
import { ownCheck, roots } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { isText } from '../../../probing/records/own/writable-fields.ts';
import {
  asFree,
  drawSets,
  type Free,
  type FuzzSet,
  partOf,
  type Search,
  setOf,
  sharesOf,
  turned,
} from '../../../probing/search/fuzz-sets.ts';
import { search } from '../../../probing/search/search.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import type { Operation, Parameter } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { sendProbe } from '../calls/call.ts';
import { baselineOf } from '../calls/control.ts';
import { probeAsUser, probeOwnBody, probeOwnRecord } from '../calls/probe-as-user.ts';
import { invalidSets } from './drawn-sets.ts';
import { FEWEST_PARAMETERS, refused, robust, type SendSet } from './properties.ts';
import { sharingRefusals } from './refused-together.ts';
import { oneOfEach, strangeSets, strangestOf, unrelatedIds } from './strange-sets.ts';

/** More characters than a usual text column holds. Only updates send them: shrinking creates no records then. */
const LONGEST = 70_000;
/** Records are deleted one by one at the end. */
const MOST_CREATED = 100;
/** Fields that identify an own record. */
export const IDENTIFYING: ReadonlySet<string> = new Set(['slug', 'title', 'id']);

/** Property-based checks of writes: an invalid argument is always refused, and no value causes a server error. */
export function writeFuzzChecks(operation: Operation): Check[] {
  const { id, effect, strict, methods, role } = operation;
  if (effect !== 'writes' || !strict || methods.includes('DELETE')) return [];
  const open = operation.parameters.filter(({ in: place }) => place !== 'path');
  // What a writable text field accepts other than text is silent (R34).
  const free = open.filter(({ schema }) => schema.type !== 'object' && schema.readOnly !== true);
  if (free.length < FEWEST_PARAMETERS) return [];
  const about = {
    kind: 'drawn',
    on: operation,
    needs: [serves(operation)],
    after: plainWrites(operation),
  };
  const invalid = checkId(id, 'fuzz', 'refused');
  const strange = checkId(id, 'fuzz', 'robust');
  const checks: Check[] = [
    check({
      id: invalid,
      title: `${id} refuses any invalid argument`,
      ...about,
      effect: 'validates',
      run: (session) => fuzzInvalid(aboutOf(session, invalid, operation, free), operation),
    }),
  ];
  if (role === 'update' || role === 'create') {
    const isUpload = operation.resource?.kind === 'uploads' && role === 'create';
    const fields = open.filter(({ name, schema }) => {
      // An upload with an invalid date leaves a file that no route shows, and one with an unknown author may lose the
      // title that identifies it, so only updates send these.
      if (isUpload && (schema.format === 'date-time' || name === 'author')) return false;
      // An own record is identified by its slug and may have any title; an upload is only identified by its title.
      return !IDENTIFYING.has(name) || (name === 'title' && !isUpload);
    });
    checks.push(
      ownCheck({
        id: strange,
        title: `${id} returns no 5xx for malformed input`,
        ...about,
        run: (own) => fuzzStrange(own, aboutOf(own.session, strange, operation, fields), operation),
      }),
    );
  }
  return [...checks, ...draftChecks(operation, open)];
}

/** The checks of plain writes of an operation: malformed ones fail like these, and may change what these compare. */
function plainWrites({ id, role, resource }: Operation): string[] {
  if (role === 'update') return [roots.update(id, 'POST')];
  return [roots.creation(resource?.id ?? ''), checkId(id, 'alone')];
}

/** Autosaves of a draft change the draft itself, which is other code than separate autosaves of published records. */
function draftChecks(operation: Operation, open: readonly Parameter[]): Check[] {
  if (operation.role !== 'create' || operation.resource?.kind !== 'autosaves') return [];
  const id = checkId(operation.id, 'fuzz', 'robust-of-drafts');
  const fields = open.filter(({ name }) => !IDENTIFYING.has(name) || name === 'title');
  return [
    ownCheck({
      id,
      title: `${operation.id} of a draft returns no 5xx for malformed input`,
      kind: 'drawn',
      on: operation,
      needs: [serves(operation)],
      after: [checkId(operation.id, 'fuzz', 'robust')],
      async run(own) {
        const { session } = own;
        const probe = await probeOwnRecord(own, operation, 'draft');
        const about = aboutOf(session, id, operation, fields);
        const sets = drawSets(session, id, (examples, seed) => {
          const [emptied, ...alone] = draftSets(about.free);
          const some = turned(alone, partOf(examples), seed);
          return emptied === undefined || examples === 0 ? [] : [emptied, ...some];
        });
        // Each autosave needs a new draft, because changes of the previous one remain.
        const send: SendSet = (args) => probe(args, true);
        const what = `${operation.id} of a draft`;
        return search(about, sets, robust(about, operation, send, what));
      },
    }),
  ];
}

/** First all texts empty, which leaves nothing to save, then the strangest value of each parameter alone. */
function draftSets(free: readonly Free[]): FuzzSet[] {
  return [
    ...oneOfEach(free.filter(isText), 'an empty text', () => ''),
    ...free.flatMap((one) => oneOfEach([one], 'the strangest value', strangestOf)),
  ];
}

/** What a search for parameters is about. Other declarations of the target are already reported. */
function aboutOf(
  session: Session,
  check: string,
  operation: Operation,
  parameters: readonly Parameter[],
): Search {
  const free = asFree(parameters.filter((one) => isDeclaredAsStated(session.index, operation, one)));
  return { session, check, free };
}

async function fuzzInvalid(about: Search, operation: Operation): Promise<Found> {
  const { session, check, free } = about;
  const baseline = orAbort(await baselineOf(session, operation));
  const send: SendSet = async (given) => {
    const args = { ...baseline.args, ...given };
    const denied = baseline.open === true ? undefined : await sendProbe(session, { ...baseline, args });
    if (denied !== undefined && denied.answer !== 'denied') return denied;
    // A denial without credentials does not evaluate the argument; a call on own records does.
    const ask = await probeAsUser(session, baseline);
    if (!isFinding(ask)) return ask(args);
    if (denied === undefined) throw new Aborted(ask);
    return denied;
  };
  // Unrelated ids are refused for their meaning, which would hide that another argument is accepted.
  const beside = free.filter(({ schema }) => !namesSomething(schema));
  const sets = drawSets(session, check, (examples, seed) =>
    invalidSets(free, sharesOf(examples), seed, beside),
  );
  // If an accepted call would change the site, sets are not combined.
  const sending = baseline.open === true ? send : sharingRefusals(session.fuzz, sets, send);
  return search(about, sets, refused({ ...about, baseline }, sending));
}

function namesSomething(schema: Parameter['schema']): boolean {
  if (schema.enum !== undefined) return false;
  return [...typesOf(schema), ...typesOf(schema.items ?? {})].some((type) => type === 'integer');
}

async function fuzzStrange(own: OwnRecords, about: Search, operation: Operation): Promise<Found> {
  const { session, check, free } = about;
  const probe = await probeOwnRecord(own, operation);
  const { resource, role } = operation;
  const isUpload = resource?.kind === 'uploads' && role === 'create';
  const update = isUpload ? operationFor(session.contract, resource.id, 'update') : undefined;
  const updating = update && (await orFinding(probeOwnRecord(own, update)));
  let isDenied = true;
  const send = async (args: Readonly<Record<string, unknown>>): Promise<Observation> => {
    // Software may keep the file of a failed upload, which no route shows: what fails an update is not uploaded.
    const updated = typeof updating === 'function' ? await updating(args, false) : undefined;
    const answer = updated?.answer === 'broken' ? updated : await probe(args, false);
    isDenied &&= answer.answer === 'denied';
    return answer;
  };
  const what = update === undefined ? operation.id : `${operation.id} or ${update.id}`;
  const ids = await unrelatedIds(session, operation);
  const most = role === 'create' ? MOST_CREATED : Number.POSITIVE_INFINITY;
  const sets = drawSets(
    session,
    check,
    (examples, seed) =>
      strangeSets(free, Math.min(examples, most), seed, {
        ids,
        ...(role === 'update' && { textLength: LONGEST }),
      }),
    ids,
  );
  const found = await search(about, sets, robust(about, operation, send, what));
  if (found.length > 0 || !isDenied) return found;
  return inconclusive(`${what} is denied to this user, whatever the arguments`);
}

/** A malformed whole, the name of its part in a set, and its possible values. */
interface Malformed {
  readonly name: string;
  readonly what: string;
  readonly values: readonly unknown[];
  body(value: unknown, slug: string): RequestBody;
}

/** Software that reads arguments from a body may assume an object. */
const BODY: Malformed = {
  name: 'json-body',
  what: 'a JSON body that is no object',
  values: ['sample', true, null, 7, '', [], ['sample'], [[]]],
  body: (value) => ({ json: value }),
};

/** Software may decode a body before it parses it, and expect neither to fail. */
const CUT: Malformed = {
  name: 'cut-body',
  what: 'JSON that ends too early, after a byte that is no UTF-8',
  values: ['{"title":"\\xff'],
  body: () => ({ bytes: Buffer.from('{"title":"\xff', 'latin1'), type: 'application/json' }),
};

/** Software whose parser of JSON does not run reads arguments from nothing. */
const UNREAD: Malformed = {
  name: 'plain-body',
  what: 'a body of another type than JSON',
  values: ['sample'],
  body: (value) => ({ bytes: Buffer.from(String(value)), type: 'text/plain' }),
};

function malformedBy(
  name: string,
  what: string,
  bodies: Readonly<Record<string, (slug: string) => RequestBody>>,
): Malformed {
  const [first = () => ({ json: {} })] = Object.values(bodies);
  return {
    name,
    what,
    values: Object.keys(bodies),
    body: (value, slug) => (bodies[String(value)] ?? first)(slug),
  };
}

function pictureNamed(name: string, bytes: Uint8Array = PIXEL): RequestBody {
  return { bytes, type: 'image/png', disposition: `attachment; filename="${name}"` };
}

/** Files by what is wrong with them. The content shows the type better than the name or the declared type. */
const FILE = malformedBy('file', 'a file that is not what its name says', {
  'a text that is called a picture': (slug) => pictureNamed(`${slug}.png`, Buffer.from('sample')),
  'a picture that is called a program': (slug) => pictureNamed(`${slug}.exe`),
  'a picture without an extension': (slug) => pictureNamed(slug),
  'half a picture': (slug) => pictureNamed(`${slug}.png`, PIXEL.subarray(0, PIXEL.length / 2)),
  'an empty file': (slug) => pictureNamed(`${slug}.png`, Buffer.alloc(0)),
});

const BOUNDARY = 'sc-part';

function formWith(field: string, name: string): RequestBody {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head), PIXEL, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return { bytes, type: `multipart/form-data; boundary=${BOUNDARY}` };
}

/** Software that expects one file in a form may get several, none, or one without a name. */
const FORM = malformedBy('form', 'a form without the one file', {
  'a list of files': (slug) => formWith('file[]', `${slug}.png`),
  'a file under another name': (slug) => formWith('sample', `${slug}.png`),
  'a file without a name': () => formWith('file', ''),
});

/** Checks that no malformed body causes a server error: changes of own records, and uploads of another type. */
export function malformedWriteChecks(operation: Operation): Check[] {
  const malformed = malformedOf(operation);
  const [first] = malformed;
  if (first === undefined) return [];
  const id = checkId(operation.id, 'fuzz', 'malformed');
  return [
    ownCheck({
      id,
      kind: 'drawn',
      // One parser reads the bodies of all.
      groups: [`malformed ${first.name}`, `malformed ${first.name} ${operation.role}`],
      title: `${operation.id} returns no 5xx for ${first.what}`,
      on: operation,
      needs: [serves(operation)],
      after: plainWrites(operation),
      about: 'answer',
      run: (own) => evaluate(own, id, operation, malformed),
    }),
  ];
}

function malformedOf({ effect, strict, role, resource }: Operation): readonly Malformed[] {
  if (effect !== 'writes' || !strict || resource === undefined) return [];
  if (role === 'create' && resource.kind === 'uploads') return [FILE, FORM];
  const changes = role === 'update' || (role === 'create' && resource.kind === 'autosaves');
  return changes ? [BODY, CUT, UNREAD] : [];
}

async function evaluate(
  own: OwnRecords,
  check: string,
  operation: Operation,
  malformed: readonly Malformed[],
): Promise<Found> {
  const { session } = own;
  const probe = await probeOwnBody(own, operation);
  const sets = drawSets(session, check, (examples, seed) => {
    const sets = malformed.map(({ name, what, values }) =>
      values.map((value) => setOf('boundary', { [name]: value }, what)),
    );
    const others = sets.flatMap((some) => some.slice(1));
    return examples === 0
      ? []
      : [...sets.flatMap(([first]) => first ?? []), ...turned(others, partOf(examples), seed)];
  });
  const send: SendSet = (args) => {
    const meant = malformed.find(({ name }) => Object.hasOwn(args, name));
    return probe((slug) => meant?.body(args[meant.name], slug) ?? { json: {} });
  };
  const about: Search = { session, check, free: [] };
  const property = robust(about, operation, send);
  // None of these can be simplified, and without it the request is a plain one.
  return search(about, sets, { ...property, keepsSubject: true, simpler: () => [] });
}
