import type { RunMode } from '../../client/mode.ts';
import { type HostileServer, SAFE, type Seen } from '../../sites/hostile/server.ts';
import {
  checkEnding,
  checkLeftovers,
  checkReports,
  checkTouched,
  type Evidence,
  readResult,
} from './check-reports.ts';
import type { Ran } from './run-watched.ts';

/** What a run is evaluated by. */
export const EXPECTATIONS = [
  'exit code',
  'ending',
  'reports',
  'time',
  'memory',
  'secrets',
  'texts',
  'methods',
  'origin',
  'foreign records',
  'left records',
  'processes',
] as const;

export type Expectation = (typeof EXPECTATIONS)[number];

/** Something that is not as it must be. */
export interface Miss {
  readonly expectation: Expectation;
  readonly why: string;
}

/** What a run may take. */
interface ServerBounds {
  readonly seconds: number;
  readonly bytes: number;
  /** What may stand nowhere. */
  readonly secrets: readonly string[];
}

/**
 * Evaluates a run against a server: by what is expected of that server, and by what is expected of every run.
 * @returns what is not as it must be
 */
export function check(
  server: Pick<HostileServer, 'mode' | 'expected'>,
  evidence: Evidence,
  bounds: ServerBounds,
): Miss[] {
  const { ran } = evidence;
  const result = readResult(evidence.files);
  const found: [Expectation, string[]][] = [
    ['exit code', checkCode(server.expected.codes, ran.code)],
    ['ending', checkEnding(server.expected.endings, result)],
    ['reports', checkReports(ran.code, evidence.files, result)],
    [
      'time',
      ran.seconds > bounds.seconds
        ? [`${ran.seconds.toFixed(1)} s, ${bounds.seconds.toFixed(1)} s at most`]
        : [],
    ],
    [
      'memory',
      ran.bytes > bounds.bytes ? [`${megabytes(ran.bytes)}, ${megabytes(bounds.bytes)} at most`] : [],
    ],
    ['secrets', checkSecrets(evidence, bounds.secrets)],
    ['texts', checkTexts(ran)],
    ['methods', checkMethods(server.mode, evidence.seen)],
    ['origin', evidence.strayed.map(({ method, url }) => `${method} ${url} reached another origin`)],
    ['foreign records', checkTouched(evidence)],
    ['left records', checkLeftovers(evidence, result)],
    ['processes', ran.survivors > 0 ? [`${ran.survivors} outlived the run`] : []],
  ];
  return found.flatMap(([expectation, whys]) =>
    whys.length === 0 ? [] : [{ expectation, why: summary(whys) }],
  );
}

function checkCode(codes: readonly number[], code: number | undefined): string[] {
  if (code !== undefined && codes.includes(code)) return [];
  return [`${code ?? 'none: ended by force'} in place of ${codes.join(' or ')}`];
}

function checkSecrets({ ran, files }: Evidence, secrets: readonly string[]): string[] {
  const places = new Map(files).set('standard output', ran.stdout).set('standard error', ran.stderr);
  return [...places].flatMap(([place, bytes]) => {
    // The secret itself is not shown: this is printed.
    const at = secrets.findIndex((secret) => place.includes(secret) || bytes.includes(secret));
    return at < 0 ? [] : [`spelling ${at + 1} of ${secrets.length} in ${place}`];
  });
}

const SHOWN = 3;

function summary(whys: readonly string[]): string {
  const rest = whys.length - SHOWN;
  return `${whys.slice(0, SHOWN).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

const OVERRIDE_HEADER = /^x[-_]http[-_]method/i;

/** What was sent that the mode does not allow: other methods than safe ones in mode `read`, an override in any mode. */
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

/** PHP reads blanks and dots in a name as underscores, and cuts it at a bracket or a NUL. */
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

/** What a line may not hold, by what it would do. */
const ATTACKS: Readonly<Record<string, RegExp>> = {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  'a control character': /[\0-\x08\x0b-\x1f\x7f-\x9f]/,
  'a change of direction': /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/,
  'a line separator': /[\u2028\u2029]/,
  'a command for a CI service': /##(?:vso)?\[|^\s*::/,
};

/** What was printed that a terminal or the log of a CI service would act on, or that nobody could read. */
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

/**
 * Every spelling of a user's password that a server might send back and that a reader could read it from.
 * Written apart from what masks them, so that both cannot have the same gap.
 */
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
    // What is cut before it is masked leaves a part.
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
