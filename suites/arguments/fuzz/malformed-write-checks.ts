import type { RequestBody } from '../../../client/observation.ts';
import { type Check, checkId, type Found, servedBy } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import { PIXEL } from '../../../probing/records/own/file-bytes.ts';
import { ownCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { drawSets, type FuzzSet, partOf, turned } from '../../../probing/search/note-tried.ts';
import { search } from '../../../probing/search/search.ts';
import type { Operation } from '../../../specs/model.ts';
import { probeOwnBody } from '../probe-as-user.ts';
import { robust, type SendSet } from './properties.ts';

/** From this many examples on, all are tried; below, the first and some others. */
const ALL_MALFORMED = 40;

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
  values: ['sample', 5, true, null, '', [], ['sample'], [[]]],
  body: (json) => ({ json }),
};

/** Files by what is wrong with them. The content shows the type better than the name or the declared type. */
const FILES: ReadonlyMap<unknown, { readonly bytes: Uint8Array; readonly extension: string }> = new Map([
  ['a text that is called a picture', { bytes: Buffer.from('sample'), extension: '.png' }],
  ['a picture that is called a program', { bytes: PIXEL, extension: '.exe' }],
  ['a picture without an extension', { bytes: PIXEL, extension: '' }],
  ['half a picture', { bytes: PIXEL.subarray(0, PIXEL.length / 2), extension: '.png' }],
  ['an empty file', { bytes: Buffer.alloc(0), extension: '.png' }],
]);

const FILE: Malformed = {
  name: 'file',
  what: 'a file that is not what its name says',
  values: [...FILES.keys()],
  body: (value, slug) => {
    const { bytes, extension } = FILES.get(value) ?? { bytes: Buffer.alloc(0), extension: '' };
    return { bytes, type: 'image/png', disposition: `attachment; filename="${slug}${extension}"` };
  },
};

const BOUNDARY = 'sc-part';

function formWith(field: string, name: string): RequestBody {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head), PIXEL, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return { bytes, type: `multipart/form-data; boundary=${BOUNDARY}` };
}

/** Software that expects one file in a form may get several, none, or one without a name. */
const FORMS: ReadonlyMap<unknown, (slug: string) => RequestBody> = new Map<
  unknown,
  (slug: string) => RequestBody
>([
  ['a list of files', (slug) => formWith('file[]', `${slug}.png`)],
  ['a file under another name', (slug) => formWith('sample', `${slug}.png`)],
  ['a file without a name', () => formWith('file', '')],
]);

const FORM: Malformed = {
  name: 'form',
  what: 'a form without the one file',
  values: [...FORMS.keys()],
  body: (value, slug) => FORMS.get(value)?.(slug) ?? formWith('file', ''),
};

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
      title: `${operation.id} returns no 5xx for ${first.what}`,
      on: operation,
      needs: servedBy(operation),
      about: 'answer',
      run: (own) => evaluate(own, id, operation, malformed),
    }),
  ];
}

function malformedOf({ effect, strict, role, resource }: Operation): readonly Malformed[] {
  if (effect !== 'writes' || !strict || resource === undefined) return [];
  if (role === 'create' && resource.kind === 'uploads') return [FILE, FORM];
  const changes = role === 'update' || (role === 'create' && resource.kind === 'autosaves');
  return changes ? [BODY] : [];
}

async function evaluate(
  own: OwnRecords,
  check: string,
  operation: Operation,
  malformed: readonly Malformed[],
): Promise<Found> {
  const { session } = own;
  const probe = await probeOwnBody(own, operation);
  if (typeof probe === 'string') return inconclusive(probe);
  const sets = drawSets(session, check, (examples, seed) => {
    const sets = malformed.map(setsOf);
    const others = sets.flatMap((some) => some.slice(1));
    return examples === 0
      ? []
      : [...sets.flatMap(([first]) => first ?? []), ...turned(others, partOf(examples, ALL_MALFORMED), seed)];
  });
  const send: SendSet = (args) => {
    const meant = malformed.find(({ name }) => Object.hasOwn(args, name));
    return probe((slug) => meant?.body(args[meant.name], slug) ?? { json: {} });
  };
  const property = robust({ session, operation }, [], send);
  // None of these can be simplified, and without it the request is a plain one.
  return search(session, check, [], sets, { ...property, keepsSubject: true, simpler: () => [] });
}

function setsOf({ name, what, values }: Malformed): FuzzSet[] {
  return values.map((value) => ({
    phase: 'boundary',
    args: { [name]: value },
    about: [{ name, keyword: what }],
  }));
}
