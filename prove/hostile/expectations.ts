import { create } from 'xmlbuilder2';
import { isObject, member } from '../../client/json.ts';
import type { RunMode } from '../../client/mode.ts';
import type { Seen } from '../../sites/hostile/exchange.ts';
import { type Census, changedIn, madeIn, SAFE, writtenRecords } from '../../sites/hostile/open-server.ts';
import type { Ending, HostileServer } from '../../sites/hostile/server.ts';
import type { Ran } from './run-watched.ts';

/** What is known about a run. */
interface Facts {
  readonly server: Pick<HostileServer, 'mode' | 'expected'>;
  readonly evidence: Evidence;
  /** The most seconds and bytes, and texts that must not appear anywhere. */
  readonly bounds: { readonly seconds: number; readonly bytes: number; readonly secrets: readonly string[] };
  readonly result: Result | undefined;
}

/** The reasons for which a run does not meet an expectation, by its name. */
const CHECKS: Readonly<Record<string, (facts: Facts) => string[]>> = {
  'exit code': ({ server, evidence }) => checkCode(server.expected.codes, evidence.ran.code),
  ending: ({ server, result }) => checkEnding(server.expected.endings, result),
  reports: ({ evidence, result }) => checkReports(evidence.ran.code, evidence.files, result),
  time: ({ evidence: { ran }, bounds }) =>
    above(ran.seconds, bounds.seconds, (value) => `${value.toFixed(1)} s`),
  memory: ({ evidence: { ran }, bounds }) =>
    above(ran.bytes, bounds.bytes, (value) => `${Math.round(value / 1_000_000)} MB`),
  secrets: ({ evidence, bounds }) => checkSecrets(evidence, bounds.secrets),
  texts: ({ evidence }) => checkTexts(evidence.ran),
  methods: ({ server, evidence }) => checkMethods(server.mode, evidence.seen),
  origin: ({ evidence }) =>
    evidence.misdirected.map(({ method, url }) => `${method} ${url} reached another origin`),
  'foreign records': ({ evidence }) => checkTouched(evidence),
  'left records': ({ evidence, result }) => checkLeftovers(evidence, result),
  processes: ({ evidence: { ran } }) => (ran.survivors > 0 ? [`${ran.survivors} outlived the run`] : []),
};

/** The names of the expectations of a run. */
export const EXPECTATIONS: readonly string[] = Object.keys(CHECKS);

/** Evaluates a run against a server by the expectations for that server and for every run. @returns the unmet ones */
export function missesOf(
  server: Facts['server'],
  evidence: Evidence,
  bounds: Facts['bounds'],
): { readonly expectation: string; readonly why: string }[] {
  const facts = { server, evidence, bounds, result: readResult(evidence.files) };
  return Object.entries(CHECKS).flatMap(([expectation, reasons]) => {
    const whys = reasons(facts);
    return whys.length === 0 ? [] : [{ expectation, why: summary(whys) }];
  });
}

function above(value: number, limit: number, print: (value: number) => string): string[] {
  return value > limit ? [`${print(value)}, ${print(limit)} at most`] : [];
}

function checkCode(codes: readonly number[], code: number | undefined): string[] {
  if (code !== undefined && codes.includes(code)) return [];
  return [`${code ?? 'none: ended by force'} in place of ${codes.join(' or ')}`];
}

function checkSecrets({ ran, files }: Evidence, secrets: readonly string[]): string[] {
  const places = new Map(files).set('standard output', ran.stdout).set('standard error', ran.stderr);
  return [...places].flatMap(([place, bytes]) => {
    // The secret itself is not printed.
    const at = secrets.findIndex((secret) => place.includes(secret) || bytes.includes(secret));
    return at < 0 ? [] : [`spelling ${at + 1} of ${secrets.length} in ${place}`];
  });
}

const SHOWN = 3;

function summary(whys: readonly string[]): string {
  const rest = whys.length - SHOWN;
  return `${whys.slice(0, SHOWN).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

const OVERRIDE_HEADER = /^x[-_]http[-_]method/i;

/** Requests that the mode does not allow: unsafe methods in mode `read`, an override in any mode. */
function checkMethods(mode: RunMode, seen: readonly Seen[]): string[] {
  return seen.flatMap((request) => {
    const wrong = [
      ...(mode === 'read' && !SAFE.has(request.method) ? [`${request.method} ${request.url}`] : []),
      ...(overrides(request) ? [`an override of the method: ${request.method} ${request.url}`] : []),
    ];
    return wrong.map((text) => text.slice(0, 200));
  });
}

function overrides({ url, headers, body }: Seen): boolean {
  const mark = url.indexOf('?');
  const pairs = [mark < 0 ? '' : url.slice(mark + 1)];
  if (headers['content-type']?.includes('x-www-form-urlencoded')) pairs.push(body.toString('latin1'));
  return Object.keys(headers).some((name) => OVERRIDE_HEADER.test(name)) || pairs.some(namesMethod);
}

/** PHP reads blanks and dots in a name as underscores, and ends it at a bracket or NUL. */
function namesMethod(query: string): boolean {
  return query
    .split(/[&;]/)
    .map((pair) => decode(decode(pair.split('=')[0] ?? '')))
    .map((name) => name.trimStart().replaceAll(/[ .[]/g, '_').toLowerCase())
    .some((name) => /^_*_method(?:$|[^a-z])/.test(name));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

const LONGEST_LINE = 4000;
const MOST_PRINTED = 5_000_000;

/** What a line must not hold, by its effect. */
const ATTACKS: Readonly<Record<string, RegExp>> = {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  'a control character': /[\0-\x08\x0b-\x1f\x7f-\x9f]/,
  'a change of direction': /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/,
  'a line separator': /[\u2028\u2029]/,
  'a command for a CI service': /##(?:vso)?\[|^\s*::/,
};

/** Output that a terminal or the log of a CI service would act on, or that nobody could read. */
function checkTexts({ stdout, stderr }: Pick<Ran, 'stdout' | 'stderr'>): string[] {
  return Object.entries({ 'standard output': stdout, 'standard error': stderr }).flatMap(([place, bytes]) => {
    const text = bytes.toString('utf8');
    const lines = text.split('\n');
    const found = Object.entries(ATTACKS).filter(([, attack]) => lines.some((line) => attack.test(line)));
    return [
      ...found.map(([what]) => `${what} in ${place}`),
      ...(lines.some(({ length }) => length > LONGEST_LINE) ? [`an endless line in ${place}`] : []),
      ...(bytes.length > MOST_PRINTED ? [`${bytes.length} bytes in ${place}`] : []),
    ];
  });
}

/** Every spelling of a password that might be sent back. Independent of the masking, so that no gap is in both. */
export function spellings(user: string, password: string): readonly string[] {
  const plain = [password, password.replaceAll(' ', '')];
  const all = [
    ...plain.flatMap((secret) => [
      secret,
      ...percent(secret),
      ...json(secret),
      ...html(secret),
      ...base64(secret),
    ]),
    ...plain.flatMap((secret) => base64(`${user}:${secret}`)),
    // A text that is cut before masking leaves a fragment.
    ...plain.map((secret) => secret.slice(0, FRAGMENT)),
  ];
  return [...new Set(all)].toSorted((one, other) => other.length - one.length);
}

const FRAGMENT = 12;

function percent(text: string): string[] {
  const usual = encodeURIComponent(text);
  const strict = usual.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const bytes = [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const forms = [usual, strict, bytes].flatMap((form) => [form, form.replaceAll('%20', '+')]);
  return forms.flatMap((form) => [form, recase(form, 'toLowerCase'), recase(form, 'toUpperCase')]);
}

function recase(form: string, to: 'toLowerCase' | 'toUpperCase'): string {
  return form.replaceAll(/%[0-9a-f]{2}/gi, (byte) => byte[to]());
}

function json(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const ascii = escaped.replaceAll(/[^\0-\x7f]/g, unicode);
  const careful = ascii.replaceAll(/[<>&']/g, unicode);
  return [escaped, ascii, careful]
    .flatMap((form) => [form, form.replaceAll('/', '\\/')])
    .flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
}

function unicode(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function html(text: string): string[] {
  const named = text.replaceAll(/[&<>"]/g, (sign) => NAMED[sign] ?? sign);
  const numbered = text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const apostrophes = ['&#39;', '&#039;', '&#x27;', '&apos;'];
  return [named, numbered, ...apostrophes.map((entity) => named.replaceAll("'", entity))];
}

function base64(text: string): string[] {
  const usual = Buffer.from(text).toString('base64');
  return [usual, usual.replace(/=+$/, ''), Buffer.from(text).toString('base64url')];
}

/** The evidence about a run, collected from outside. */
interface Evidence {
  readonly ran: Ran;
  readonly seen: readonly Seen[];
  readonly misdirected: readonly Seen[];
  readonly before: Census;
  readonly after: Census;
  /** The files of the output folder, by path. */
  readonly files: ReadonlyMap<string, Buffer>;
}

interface Result {
  readonly conclusion: unknown;
  readonly ending: Ending;
  /** Checks that ended with a fault of the suite. */
  readonly faults: number;
  /** Remaining records, and whether something could not be verified. */
  readonly left: readonly unknown[];
  readonly doubts: number;
}

function readResult(files: ReadonlyMap<string, Buffer>): Result | undefined {
  const text = files.get('results.json')?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const document: unknown = JSON.parse(text);
    return isObject(document) ? summarise(document) : undefined;
  } catch {
    return undefined;
  }
}

function summarise(document: unknown): Result {
  const checks = listOf(member(document, 'checks'));
  const writing = member(document, 'writing');
  const verdicts = checks.map((check) => member(check, 'verdict'));
  const evaluated = verdicts.some((verdict) => ['pass', 'fail', 'warn'].includes(String(verdict)));
  const early =
    member(member(document, 'run'), 'ended') !== undefined ||
    checks.some(
      (check) => member(check, 'cut') === true || member(member(check, 'skip'), 'kind') === 'over-budget',
    );
  return {
    conclusion: member(document, 'conclusion'),
    ending: evaluated ? (early ? 'early' : 'whole') : 'unreached',
    faults: verdicts.filter((verdict) => verdict === 'error').length,
    left: [
      ...listOf(member(writing, 'left')).map((one) => member(one, 'id')),
      // A creation without an answer names no record.
      ...listOf(member(writing, 'census')).flatMap((one) =>
        typeof member(one, 'unanswered') === 'number' ? listOf(member(one, 'appeared')) : [],
      ),
    ],
    doubts: listOf(member(writing, 'doubts')).length,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a run came as far as expected. The existence of a result document is checked elsewhere. */
function checkEnding(endings: readonly Ending[], result: Result | undefined): string[] {
  if (result === undefined || endings.includes(result.ending)) return [];
  return [`${result.ending} in place of ${endings.join(' or ')}`];
}

const CONCLUSIONS: Readonly<Record<number, string>> = {
  0: 'conformant',
  1: 'nonconformant',
  2: 'inconclusive',
  3: 'inconclusive',
};
const MOST_BYTES = 30_000_000;
/** This file holds text of the target, which is limited elsewhere. */
const COPY = 'index.json';

function checkReports(
  code: number | undefined,
  files: ReadonlyMap<string, Buffer>,
  result: Result | undefined,
): string[] {
  const large = [...files].filter(([name, { length }]) => name !== COPY && length > MOST_BYTES);
  const wrong = large.map(([name, { length }]) => `${name} has ${length} bytes`);
  const expected = CONCLUSIONS[code ?? -1];
  if (result === undefined) wrong.push('no results.json that can be read');
  else if (expected !== undefined && result.conclusion !== expected)
    wrong.push(`results.json says ${String(result.conclusion).slice(0, 40)} and the exit code ${code}`);
  if (result !== undefined && result.faults > 0)
    wrong.push(`${result.faults} checks ended in faults of the suite`);
  const junit = files.get('junit.xml');
  if (junit === undefined) wrong.push('no junit.xml');
  else if (!isXml(junit.toString('utf8'))) wrong.push('junit.xml is no XML');
  return wrong;
}

const NO_CHARACTER = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

function isXml(text: string): boolean {
  // The parser closes open elements, so a truncated file would pass.
  if (NO_CHARACTER.test(text) || !/(?:<\/testsuites>|<testsuites[^<>]*\/>)\s*$/.test(text)) return false;
  try {
    create(text);
    return true;
  } catch {
    return false;
  }
}

/** Earlier records that changed, and requests with credentials that would have changed one. */
function checkTouched({ seen, before, after }: Evidence): string[] {
  const changed = changedIn(before, after);
  const aimed = seen
    .filter((request) => request.headers.authorization !== undefined)
    .flatMap((request) => writtenRecords(request).map((place) => ({ request, place })))
    .filter(({ place }) => before.has(place));
  return [
    ...changed.map((place) => `${place} ${after.has(place) ? 'was changed' : 'is gone'}`),
    ...aimed.map(({ request, place }) => `${request.method} for ${place}, which was there before`),
  ];
}

/** Remaining records of the run that its result document does not name. */
function checkLeftovers(
  { before, after, ran }: { before: Census; after: Census; ran: Evidence['ran'] },
  result: Result | undefined,
): string[] {
  const left = madeIn(before, after);
  if (left.length === 0) return [];
  const named = new Set(result?.left.map(String));
  const silent = left.filter((place) => !named.has(place.split('/')[1] ?? ''));
  const hushed = result?.doubts ? [] : silent;
  return [
    ...hushed.map((place) => `${place} is still there and not listed`),
    ...(ran.code === 0 || ran.code === 3
      ? [`${left.length} records are left, and the exit code is ${ran.code}`]
      : []),
  ];
}
