import { existsSync } from 'node:fs';
import type { ErrorObject } from 'ajv';
import { asObject, byText, member } from '../../client/json.ts';
import type { GivenWaiver, RunWaivers } from '../../engine/finish.ts';
import { dayOf, shorten } from '../../engine/text.ts';
import { jsonText } from '../../reports/files.ts';
import {
  closest,
  describeError,
  readJson,
  suggestion,
  UsageError,
  validatorOf,
} from '../../specs/validators.ts';
import type { AcceptedChange, Waiver, WaiverFile } from '../../specs/waivers.ts';
import { knownIn, knownWaivers, WAIVERS_SCHEMA, waiverName } from '../../specs/waivers.ts';

const LONGEST_NAME = 200;

/** Reads a file of waivers, including members of the user. @throws UsageError with the place and the nearest name */
export function readWaivers(path: string): WaiverFile {
  const document = readJson(path);
  for (const [at, waiver] of listOf(document, 'waivers').entries()) guardEntry(path, 'waiver', waiver, at);
  for (const [at, one] of listOf(document, 'changes').entries()) guardEntry(path, 'change', one, at);
  const validate = validatorOf<WaiverFile>(WAIVERS_SCHEMA);
  if (!validate(document)) throw invalid(path, validate.errors, ['format', 'waivers', 'changes']);
  const ids = (document.changes ?? []).map(({ id }) => id);
  guardTwice(path, 'waiver', document.waivers.map(waiverName));
  guardTwice(path, 'change', ids);
  return document;
}

function listOf(document: unknown, name: string): readonly unknown[] {
  const all = member(document, name);
  return Array.isArray(all) ? all : [];
}

type EntryKind = 'waiver' | 'change';

function guardEntry(path: string, kind: EntryKind, entry: unknown, at: number): void {
  const validate = validatorOf<unknown>(`${WAIVERS_SCHEMA}#/$defs/${kind}`);
  if (validate(entry)) return;
  const check = member(entry, kind === 'waiver' ? 'check' : 'id');
  const name = typeof check === 'string' ? ` (${shorten(check, LONGEST_NAME)})` : '';
  throw invalid(`${path}: ${kind} ${at + 1}${name}`, validate.errors, entryMembers(kind));
}

function entryMembers(kind: EntryKind): string[] {
  const { schema } = validatorOf(`${WAIVERS_SCHEMA}#/$defs/${kind}`);
  return Object.keys(asObject(member(schema, 'properties')) ?? {});
}

function invalid(
  place: string,
  errors: readonly ErrorObject[] | null | undefined,
  known: string[],
): UsageError {
  return new UsageError(
    `${place}: ${describe(errors ?? [], known)} (schema: specs/schemas/${WAIVERS_SCHEMA})`,
  );
}

/** @throws UsageError for two entries about the same check, finding or change, which could contradict each other */
function guardTwice(path: string, kind: EntryKind, names: readonly string[]): void {
  for (const [at, name] of names.entries()) {
    const first = names.indexOf(name);
    if (first === at) continue;
    throw new UsageError(
      `${path}: ${kind} ${at + 1} (${shorten(name, LONGEST_NAME)}) is about the same as ${kind} ${first + 1}: keep one of them`,
    );
  }
}

/** The requirements of members in words, if the schema only has a pattern. */
const DAY = 'is not a valid day, such as 2027-01-31';
const TEXT = 'is not a text with content';
const WANTED: Readonly<Record<string, string>> = {
  '/check': 'is not the id of a check, nor a glob of ids; the id of a finding belongs into "finding"',
  '/finding':
    'is not the id of a finding, such as posts.list/fuzz/robust#page:broken, nor a glob of such ids',
  '/id': 'is not the id of a change or a cause, such as chg-0123456789ab, as diff shows it',
  '/link': 'is not an http or https address',
  '/reason': TEXT,
  '/owner': TEXT,
  '/expires': DAY,
  '/announced': DAY,
  '/firstSeen': DAY,
  '/lastSeen': DAY,
};

function describe(errors: readonly ErrorObject[], known: readonly string[]): string {
  // A misspelt name causes further errors, which are less helpful.
  const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0];
  if (error === undefined) return 'is not a list of waivers';
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'additionalProperties' && error.instancePath === '') {
    const name = String(params.additionalProperty);
    return `does not know the member "${shorten(name, LONGEST_NAME)}"${suggestion(name, known)} (members of your own begin with x-)`;
  }
  if (params.missingProperty === 'expires') {
    return 'has no "expires": every waiver needs its last day, such as 2027-01-31';
  }
  const wanted = WANTED[error.instancePath];
  return wanted === undefined ? describeError(error) : `"${error.instancePath.slice(1)}" ${wanted}`;
}

/** A file of waivers, sorted: equal waivers give equal bytes, and members of the user are kept. */
export function renderWaiverFile(file: WaiverFile): string {
  const waivers = file.waivers
    .map((one) => inOrder(one, 'waiver'))
    .sort((one, other) => byText(one.check, other.check) || byText(one.finding ?? '', other.finding ?? ''));
  const changes = file.changes
    ?.map((one) => inOrder(one, 'change'))
    .toSorted((one, other) => byText(one.id, other.id));
  return jsonText({ ...file, waivers, ...(changes !== undefined && { changes }) });
}

function inOrder<Entry extends Waiver | AcceptedChange>(entry: Entry, kind: EntryKind): Entry {
  const members = new Map(Object.entries(entry));
  const names = [...new Set([...entryMembers(kind), ...members.keys()])].filter((name) => members.has(name));
  return Object.assign(Object.fromEntries(names.map((name) => [name, members.get(name)])), entry);
}

const KNOWN = 'known';

/** Loads the waivers of a run. @param names paths of files, or `known` @throws UsageError for an unusable file */
export function loadWaivers(
  names: readonly string[],
  about: { readonly vocabulary: string; readonly software: string | undefined },
  now: Date,
): RunWaivers {
  return {
    today: dayOf(now),
    software: about.software,
    // A file of the user is more specific than the built-in list.
    given: [...new Set(names)]
      .toSorted((one, other) => Number(one === KNOWN) - Number(other === KNOWN))
      .flatMap((name) => givenBy(name, about.software)),
    upstream: knownIn(about.vocabulary),
  };
}

function givenBy(name: string, software: string | undefined): GivenWaiver[] {
  if (name !== KNOWN && !existsSync(name) && closest(name, [KNOWN]) !== undefined) {
    throw new UsageError(`--waivers ${name}: there is no such file; did you mean "${KNOWN}"?`);
  }
  const waivers = name === KNOWN ? knownWaivers(software) : readWaivers(name).waivers;
  return waivers.map((waiver) => ({ ...waiver, shipped: name === KNOWN }));
}
