import { member } from '../../client/json.ts';
import { isFinding } from '../../engine/aborted.ts';
import { type Check, checkId, declares, type Finding, serves } from '../../engine/check.ts';
import { failure, hasFailure, inconclusive, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import type { Pair } from '../../generators/wire-forms.ts';
import { isProtected, type SiteRecord } from '../../probing/records/reading/record.ts';
import { idsOf } from '../../probing/records/reading/trials.ts';
import { operationFor, takes, wireOf } from '../../specs/find-resource.ts';
import type { Context, Contract, Resource } from '../../specs/model.ts';
import {
  fieldOf,
  fieldsOf,
  readAlone,
  readContext,
  readInList,
  rootCheckOf,
  type Shown,
  seenOrAbort,
  shownCheck,
} from './read-context.ts';

/** Checks that a password protects content and excerpt (§2): without it, their rendered text is empty. */
export function protectedChecks(
  contract: Contract,
  { id: collection, operations: { list }, protects }: Resource,
): Check[] {
  const fields = fieldsOf(contract, collection).map(({ name }) => name);
  if (list === undefined || !takes(list, 'context') || protects !== true || !fields.includes('password'))
    return [];
  const root = rootCheckOf(contract, collection, 'list');
  return PROTECTED.filter((field) => fields.includes(field)).map((field) => {
    const id = checkId('protected', collection, field);
    return shownCheck({
      id,
      kind: 'contexts',
      groups: [`protected ${field}`],
      title: `${field} of ${collection} with a password is empty without it`,
      on: list,
      needs: [serves(list, 'GET'), declares(list, 'context')],
      after: [
        // Protected text is read without credentials.
        checkId(`${collection}.read`, 'answers', 'anonymous'),
        // What shows one text shows the others.
        PROTECTED.slice(0, PROTECTED.indexOf(field)).map((one) => checkId('protected', collection, one)),
      ],
      async run(session) {
        let found = await lookForLeaks(session, collection, field, [id, root]);
        const again: Session = { ...session, ask: (spec) => session.client.request(spec) };
        // The owner may have removed the password between two answers.
        for (let look = 0; look < MOST_AGAIN && hasFailure(found); look += 1) {
          found = await lookForLeaks(again, collection, field, [id, root]);
        }
        return found;
      },
    });
  });
}

/** What a password protects (§2). */
const PROTECTED: readonly string[] = ['content', 'excerpt'];
const MOST_AGAIN = 2;

/** Reads without credentials, because which users need no password is not stated. */
async function lookForLeaks(
  session: Session,
  collection: string,
  field: string,
  [id, root]: readonly [id: string, root: string],
): Promise<Finding[]> {
  const [view, edit] = await Promise.all([
    readContext(session, collection, 'list', 'view'),
    readContext(session, collection, 'list', 'edit'),
  ]);
  seenOrAbort(view, root, id);
  // The records with a password: those marked as protected, and those that show one in the edit context.
  const locked = new Set(
    [view, edit]
      .flatMap((shown) => (isFinding(shown) ? [] : shown.records))
      .filter((record) => isProtected(record) || member(fieldOf(record, field), 'protected') === true)
      .map((record) => record.id),
  );
  if (locked.size === 0)
    return [inconclusive(`none of the visible ${collection} is protected by a password`)];
  const as = 'anonymous';
  const reporting = checkId(`${collection}.list`, 'filters', as);
  const listed = await readInList(session, collection, 'view', as);
  const list = seenOrAbort(listed, session.runs(reporting) ? reporting : id, id);
  const visible = list.records.find((record) => locked.has(record.id));
  if (visible === undefined)
    return [inconclusive(`the ${collection} with a password are visible to users only`)];
  const read = operationFor(session.contract, collection, 'read');
  const withArgument = (name: string, value: string): Pair[] =>
    read !== undefined && takes(read, name) ? [[wireOf(read, name), value]] : [];
  const look = (context: Context, beside: readonly Pair[] = []): Promise<Shown> =>
    readAlone(session, collection, context, { id: visible.id, as, beside });
  const alone = await look('view');
  if (isFinding(alone) && alone.kind === 'failure') return [alone];
  // A text that is shortened as asked may be another one than usual.
  const embed = await look('embed', withArgument('excerpt_length', '20'));
  const guessed = await look('view', withArgument('password', 'a guess'));
  // Another check evaluates content in lists in embed for all records (R12).
  const more = field === 'excerpt' ? [await readInList(session, collection, 'embed', as)] : [];
  const written = isFinding(edit) ? [] : edit.records;
  const notices = noticesIn(list.records, field, written);
  return [list, alone, embed, guessed, ...more].flatMap((shown) => leaks(shown, locked, field, notices));
}

/**
 * Texts in place of what is protected, which no record holds: one that stands for several records, or one that shares
 * few words with the stored texts of its records, as far as they are known.
 * @param written the records as editors read them, as far as they are known
 * @returns for each text, whether it is known what all of those records hold
 */
export function noticesIn(
  records: readonly SiteRecord[],
  field: string,
  written: readonly SiteRecord[],
): ReadonlyMap<unknown, boolean> {
  const raw = new Map(written.map((record) => [record.id, plain(member(fieldOf(record, field), 'raw'))]));
  const words = new Map(written.map((record) => [record.id, [wordsIn(record)]]));
  const alike = Map.groupBy(records, (record) => member(fieldOf(record, field), 'rendered'));
  const notices = [...alike].flatMap(([text, all]): [unknown, boolean][] => {
    const ids = [...new Set(all.map(({ id }) => id))];
    const stored = ids.flatMap((id) => words.get(id) ?? []);
    if (stored.length > 0 && stored.every((some) => isForeign(wordsOf(text), some))) return [[text, true]];
    const texts = ids.map((id) => raw.get(id) ?? '');
    const isNotice = texts.length > 1 && !texts.some((one) => one.includes(plain(text)));
    return isNotice ? [[text, texts.every((one) => one !== '')]] : [];
  });
  return new Map(notices);
}

/** The words of all that a password protects, as an editor reads it: an excerpt may be made of the content. */
function wordsIn(record: SiteRecord): string[] {
  return PROTECTED.flatMap((field) => wordsOf(member(fieldOf(record, field), 'raw')));
}

function wordsOf(text: unknown): string[] {
  const spoken = String(text ?? '').replaceAll(/<[^<>]*>/g, ' ');
  return spoken.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}

/** Whether most words of a text are none of what is stored, so that it tells something else. */
function isForeign(words: readonly string[], stored: readonly string[]): boolean {
  return stored.length > 0 && words.filter((word) => !stored.includes(word)).length * 2 > words.length;
}

/** A text without markup and white space, in linear time whatever it is. */
function plain(text: unknown): string {
  return String(text ?? '').replace(/<[^<>]*>|\s/g, '');
}

/** The records of an answer that show a protected text. */
export function leaks(
  shown: Shown,
  locked: ReadonlySet<number>,
  field: string,
  notices: ReadonlyMap<unknown, boolean>,
): Finding[] {
  if (isFinding(shown)) return [];
  const textOf = (record: SiteRecord): unknown => member(fieldOf(record, field), 'rendered');
  // The check of types reports null, which shows nothing.
  const texts = shown.records.filter(
    (record) => locked.has(record.id) && !['', null, undefined].some((none) => none === textOf(record)),
  );
  const wrong = texts.filter((record) => !notices.has(textOf(record)));
  const [first] = wrong;
  if (first === undefined) {
    const isSure = texts.every((record) => notices.get(textOf(record)) === true);
    return isSure ? [] : [inconclusive(`several records show one text, which may be the ${field} of them`)];
  }
  return [
    failure(`${field}.rendered of a record with a password is shown without it`, {
      expected: 'an empty text',
      observed: `${show(textOf(first))} in ${idsOf(wrong)}`,
      reproduce: [shown.curl],
    }),
  ];
}
