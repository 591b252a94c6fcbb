import type { ObservedNames } from '../../specs/texts.ts';
import { routeOf, siteBase } from '../address.ts';
import { byName, defined, isObject, member } from '../json.ts';
import { isSafe } from '../mode.ts';
import type { Observation, RequestSpec } from '../observation.ts';
import type { Redactor } from '../redact.ts';
import { looksLikeIndex, type SiteIndex, strings } from '../site-index.ts';
import { whatIsAround } from './around.ts';
import { PART, partsOf } from './batch-parts.ts';
import { Counter } from './counter.ts';
import type { AnswerForm, AnswerNotes, MemberNotes, ObservedAnswers } from './document.ts';
import { type Template, TemplateFinder } from './find-template.ts';
import { HeaderRecorder } from './headers.ts';
import { PageNotes } from './pages.ts';
import { isBeyond, isDue, RefusalRecorder } from './refusals.ts';
import { SampleNotes, shortDigest } from './sample.ts';
import { type IsOwn, type Marks, ShapeNotes } from './shape.ts';
import { Measurements, Pace } from './spread.ts';
import { DatesOfChange, fatesOf, isGiven, UnsentNotes } from './unsent.ts';

const MOST_ROWS = 2000;
const MOST_RECORDS = 500;
/** The answer to a conditional request without changes: neither records nor a refusal. */
const NOT_MODIFIED = 304;
/** The status of routes under maintenance, or behind some firewalls. */
const UNAVAILABLE = 503;
const MOST_UNSTABLE = 100;
const WHOLE = '*';
/** The route of the index. It counts its routes as records, because callers may see different ones. */
export const INDEX = '/';
/** A field for a password in markup. */
const PASSWORD = /<input\b[^<>]*\stype=["']?password\b/i;
/** Personal data that any text may hold. */
const MAIL = 'mail addresses';

class Row {
  readonly about: Pick<AnswerNotes, 'route' | 'namespace' | 'method' | 'context' | 'caller' | 'with'>;
  readonly shape: ShapeNotes;
  readonly sample: SampleNotes;
  readonly heads: HeaderRecorder;
  readonly pages: PageNotes;
  readonly statuses = new Counter();
  readonly forms = new Counter<AnswerForm>();
  readonly around = new Counter();
  readonly unsent = new UnsentNotes();
  /** Identities of records, so that each is read once. */
  readonly known = new Set<string>();
  readonly seconds = new Measurements();
  readonly pace = new Measurements();
  readonly byRecords = new Map<string, Pick<Row, 'seconds' | 'pace'>>();
  readonly bytes = new Measurements();
  readonly locked = { hidden: 0, shown: 0 };
  readonly published = { public: 0, hidden: 0 };
  /** Paths that change by themselves. */
  readonly unstable = new Set<string>();
  accepted = 0;
  noted = 1;
  reported = 0;

  constructor(about: Row['about'], reading: RecordReading) {
    const { names, isOwn, neutral, marks } = reading;
    this.about = about;
    this.shape = new ShapeNotes(isOwn, marks);
    this.sample = new SampleNotes(names, neutral);
    this.heads = new HeaderRecorder(reading);
    this.pages = new PageNotes(names);
  }
}

/** How answers of the site are read. */
interface RecordReading {
  readonly names: ObservedNames;
  readonly redact: Redactor;
  readonly isOwn: IsOwn;
  /** Removes the addresses of the site from a text. */
  readonly neutral: (text: string) => string;
  readonly marks: Marks;
}

type Asked = Readonly<Record<string, string>>;

/** Notes the form of the answers of a run: shapes, headers, refusals and times, without values of records. */
export class AnswerRecorder {
  readonly #names: ObservedNames;
  readonly #finder: TemplateFinder;
  readonly #reading: RecordReading;
  readonly neutral: (text: string) => string;
  readonly #isNew: (route: string) => boolean;
  readonly #pace = new Pace();
  readonly #rows = new Map<string, Row>();
  readonly #dates: DatesOfChange;
  readonly #refusals: RefusalRecorder;

  /** @param base the address of the site, which may have another name for itself */
  constructor(parts: {
    readonly names: ObservedNames;
    readonly index: SiteIndex;
    readonly base: URL;
    readonly redact: Redactor;
    /** Whether the record at a route was made since the run began, or belongs to one of the run. */
    readonly isNew?: (route: string) => boolean;
  }) {
    this.#names = parts.names;
    this.#finder = new TemplateFinder(parts.index);
    const own = ownAddresses(parts.index, parts.base);
    const { names, redact } = parts;
    const isOwn = (address: string): boolean =>
      own.some((origin) => address.startsWith(origin) && /^(?:$|[/?#])/.test(address.slice(origin.length)));
    const spellings = own.flatMap((origin) => [origin, encodeURIComponent(origin)]);
    this.neutral = (text) => spellings.reduce((left, address) => left.replaceAll(address, ''), text);
    const marks: Marks = names.marks.map(({ name, pattern }) => [name, new RegExp(pattern)]);
    this.#reading = { names, redact, isOwn, neutral: this.neutral, marks };
    this.#isNew = parts.isNew ?? (() => false);
    this.#dates = new DatesOfChange(names);
    this.#refusals = new RefusalRecorder(names, redact);
  }

  /** Notes one exchange. A throttled answer says nothing about the site, unless it is all that a route answers. */
  note(spec: RequestSpec, answer: Observation): void {
    const isThrottled = answer.answer === 'throttled';
    if ((isThrottled && answer.status !== UNAVAILABLE) || answer.tooLarge === true) return;
    for (const part of partsOf(spec, answer)) this.note(part.spec, part.answer);
    const template = this.#finder.find(spec.route);
    const row = template && this.#rowOf(spec, template);
    if (row !== undefined) row.statuses.add(String(answer.status));
    if (answer.status === NOT_MODIFIED || isThrottled) return;
    // A route that no site has must be refused, so its success belongs to the refusals.
    if (answer.answer === 'accepted' && template !== undefined) {
      if (row !== undefined) this.#accepted(row, template, spec, answer);
    } else if (spec.noted !== PART) this.#refusals.note(spec, template, answer);
  }

  /** Notes differences between two readings of one request. These parts change by themselves. */
  noteAgain(spec: RequestSpec, one: Observation, other: Observation): void {
    const template = this.#finder.find(spec.route);
    const row = template && this.#rowOf(spec, template);
    if (row === undefined) return;
    for (const name of this.#differing(one, other).slice(0, MOST_UNSTABLE)) row.unstable.add(name);
  }

  #differing(one: Observation, other: Observation): string[] {
    if (one.status !== other.status || formOf(one) !== formOf(other)) return [WHOLE];
    const [was, is] = [this.#kindsIn(one), this.#kindsIn(other)];
    return [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  }

  /** The kinds of values that an answer shows, by member and header. */
  #kindsIn({ json, headers }: Observation): Map<string, string> {
    const shape = new ShapeNotes(this.#reading.isOwn);
    for (const record of [json].flat()) shape.note(record);
    const heads = new HeaderRecorder(this.#reading);
    heads.note(headers);
    const members = Object.entries(shape.members(this.#reading.redact));
    const kinds = members.map(([path, { sometimes, types, texts = {}, signs = {} }]) => {
      return [path, [sometimes, ...[types, texts, signs].map(Object.keys)]] as const;
    });
    const all = [...kinds, ...Object.entries(heads.headers())];
    return new Map(all.map(([name, kind]) => [name, JSON.stringify(kind)]));
  }

  /** The notes to report. A row is reported again once it has twice as many, and replaces the earlier one. */
  take(isLast: boolean): ObservedAnswers {
    const due = [...this.#rows].filter(([, row]) => isDue(row, isLast)).sort(byName);
    for (const [, row] of due) row.reported = row.noted;
    return { answers: due.map(([, row]) => this.#answerNotes(row)), refusals: this.#refusals.take(isLast) };
  }

  #rowOf(spec: RequestSpec, template: Template): Row | undefined {
    const names = this.#names;
    const { method, as = 'anonymous', caller = as, query = [] } = spec;
    const asked = Object.fromEntries(query)[names.context];
    const context = contextOf(asked, template.args(method)[names.context]);
    if (context === null) return undefined;
    const named = [...names.shaping, ...names.shapeless].filter((name) => isGiven(spec, name));
    const noted = spec.noted === undefined ? [] : [this.#reading.redact(spec.noted)];
    // Parts of a batch are noted with each other, and as other requests are.
    const shaping = noted.length === 0 || spec.noted === PART ? [...named, ...noted] : noted;
    const { route, namespace } = template;
    const key = JSON.stringify([route, method, context ?? '', caller, shaping]);
    const known = this.#rows.get(key);
    if (known !== undefined) known.noted += 1;
    if (known !== undefined || this.#rows.size >= MOST_ROWS) return known;
    const about = {
      route: this.#reading.redact(route),
      namespace: this.#reading.redact(namespace),
      method,
      context: context && this.#reading.redact(context),
      caller,
      with: shaping.length > 0 ? shaping : undefined,
    };
    const row = new Row(defined(about), this.#reading);
    this.#rows.set(key, row);
    return row;
  }

  #accepted(row: Row, template: Template, spec: RequestSpec, answer: Observation): void {
    const asked = Object.fromEntries(spec.query ?? []);
    const form = formOf(answer);
    row.accepted += 1;
    row.forms.add(form);
    row.heads.note(answer.headers);
    row.bytes.note(answer.bytes);
    if (spec.noted !== PART) this.#noteSeconds(row, answer);
    if (form === 'unreadable') row.around.add(whatIsAround(answer.text));
    if (Array.isArray(answer.json)) this.#noteList(row, template, asked, answer, answer.json);
    if (isBeyond(spec, answer, this.#names)) this.#refusals.note(spec, template, answer);
    this.#noteContent(row, template, asked, answer);
    if (spec.method === 'POST') row.unsent.note(template, spec, answer.json);
    const done = this.#dates.note(spec, answer);
    if (done !== undefined) row.unsent.add(...done);
    if (!isSafe(spec.method)) for (const fate of fatesOf(spec, answer.json)) row.unsent.add(...fate);
  }

  /** Notes how long an answer took, among all of its row and among those of as many records. */
  #noteSeconds(row: Row, { json, seconds }: Observation): void {
    const relative = this.#pace.note(row.about.route, seconds);
    const measure = (into: Pick<Row, 'seconds' | 'pace'>): void => {
      into.seconds.note(seconds);
      if (relative !== undefined) into.pace.note(relative);
    };
    measure(row);
    if (!Array.isArray(json)) return;
    const size = `up to ${10 ** Math.ceil(Math.log10(Math.max(json.length, 1)))}`;
    const sized = row.byRecords.get(size) ?? { seconds: new Measurements(), pace: new Measurements() };
    row.byRecords.set(size, sized);
    measure(sized);
  }

  #noteList(row: Row, template: Template, asked: Asked, answer: Observation, list: readonly unknown[]): void {
    const isPlain = Object.keys(asked).every((name) => name === this.#names.context);
    const at = URL.parse(answer.url);
    const route = at === null ? undefined : routeOf(at);
    const isBelowNew = route !== undefined && this.#isNew(route.slice(0, route.lastIndexOf('/')));
    if (row.about.with === undefined && !isBelowNew)
      row.sample.note(list, isPlain, (id) => this.#isNew(`${route}/${id}`));
    row.pages.note(list, asked, answer.headers, template.args('GET'), route);
  }

  /** Notes records and their shape, or of outlines the names of members alone. */
  #noteContent(row: Row, template: Template, asked: Asked, answer: Observation): void {
    const { json, text, method } = answer;
    const { with: shaping = [] } = row.about;
    const isShapeless = shaping.some((name) => this.#names.shapeless.includes(name));
    const isOutline = method === 'OPTIONS' || shaping.includes(this.#names.tour.envelope);
    // The content of a namespace root is compared with the index. Here only its presence counts.
    const isRoot = template.namespace !== '' && template.route === `/${template.namespace}`;
    const routes = member(json, 'routes');
    if (template.route === INDEX && !isOutline) {
      for (const name of Object.keys(Object(routes)).slice(0, MOST_RECORDS)) row.known.add(name);
      return;
    }
    const isOfIndex = looksLikeIndex(json) || isObject(routes);
    if (isOfIndex && (isOutline || !isRoot)) return;
    if (!isOutline && (isShapeless || isRefusal(json))) return;
    this.#noteShape(row, asked, isOutline || isRoot ? { text, json: outlineOf(json) } : answer);
  }

  #noteShape(row: Row, asked: Asked, { json, text }: Pick<Observation, 'json' | 'text'>): void {
    if (json === undefined) return;
    const isList = Array.isArray(json);
    for (const record of isList ? json : [json]) {
      if (row.known.size >= MOST_RECORDS) return;
      const key = this.#keyOf(record) ?? shortDigest(isList ? JSON.stringify(record) : text);
      if (row.known.has(key)) continue;
      row.known.add(key);
      this.#noteLocks(row, asked, record);
      this.#notePublished(row, asked, record);
      if (!this.#isOfRights(row) && (isObject(record) || !isList)) row.shape.note(record);
    }
  }

  #keyOf(record: unknown): string | undefined {
    const identity = member(record, this.#names.identity);
    return identity === undefined ? undefined : `${typeof identity} ${String(identity)}`;
  }

  /** Notes whether records with a password show their texts without it. */
  #noteLocks({ locked }: Row, asked: Asked, record: unknown): void {
    const { key, member: lock, text } = this.#names.locked;
    const values = Object.values(isObject(record) ? record : {});
    const texts = values.filter((value) => member(value, lock) === true);
    if (asked[key] !== undefined || texts.length === 0) return;
    // A plugin may put tags around each text, and a theme a form for the password in its place.
    const shown = texts.map((value) => String(member(value, text) ?? ''));
    const isShown = (one: string): boolean =>
      /\S/.test(one.replaceAll(/<[^<>]*>/g, '')) && !PASSWORD.test(one);
    locked[shown.some(isShown) ? 'shown' : 'hidden'] += 1;
  }

  /** Notes whether a record is public, if the request did not ask for a status, or only to see who may. */
  #notePublished(row: Row, asked: Asked, record: unknown): void {
    const { published } = row;
    const { member: name, ...known } = this.#names.published;
    const status = member(record, name);
    const isAskedFor = asked[name] !== undefined && !this.#isOfRights(row);
    if (isAskedFor || typeof status !== 'string') return;
    if (known.public.includes(status)) published.public += 1;
    else if (known.hidden.includes(status)) published.hidden += 1;
  }

  /** Whether the request tests access to non-public records, whose form depends on the caller. */
  #isOfRights({ about }: Row): boolean {
    const { parameter } = this.#names.tour.rights;
    return about.with?.some((name) => name.startsWith(`${parameter}=`)) === true;
  }

  #answerNotes(row: Row): AnswerNotes {
    const { about, shape, accepted, locked, published } = row;
    const members = shape.members(this.#reading.redact);
    const personal = personalIn(members, this.#names.personal);
    return defined({
      ...about,
      statuses: row.statuses.tallies() ?? {},
      accepted,
      forms: row.forms.tallies() ?? {},
      records: row.known.size,
      members: Object.keys(members).length > 0 ? members : undefined,
      sample: row.sample.sample(this.#reading.redact, (id) => this.#isNew(`${about.route}/${id}`)),
      personal: personal.length > 0 ? Object.fromEntries(personal) : undefined,
      ...((shape.isCut || row.known.size >= MOST_RECORDS) && { cut: true as const }),
      unstable: row.unstable.size > 0 ? [...row.unstable].sort() : undefined,
      headers: row.heads.headers(),
      totals: row.pages.totals,
      locked: locked.hidden + locked.shown > 0 ? locked : undefined,
      published: published.public + published.hidden > 0 ? published : undefined,
      around: row.around.tallies(),
      unsent: row.unsent.tallies(this.#reading.redact),
      seconds: measured(row, 'seconds', 4),
      pace: measured(row, 'pace', 2),
      bytes: row.bytes.spread(0),
    });
  }
}

/** A measurement of all answers of a row, and those with as many records, where they are of several sizes. */
function measured(row: Row, of: 'seconds' | 'pace', digits: number): AnswerNotes['seconds'] {
  const sized = [...row.byRecords].sort(byName).map(([size, one]) => [size, one[of].spread(digits)]);
  const spreads = sized.filter(([, spread]) => spread !== undefined);
  const all = row[of].spread(digits);
  return all && { ...all, ...(spreads.length > 1 && { byRecords: Object.fromEntries(spreads) }) };
}

/** Personal data in members, by path. A member counts if it has a text. */
function personalIn(
  members: Readonly<Record<string, MemberNotes>>,
  names: ObservedNames['personal'],
): [what: string, paths: string[]][] {
  return Object.entries(names).flatMap(([what, known]): [string, string[]][] => {
    const paths = Object.entries(members).flatMap(([path, { texts = {} }]) => {
      const isFilled = Object.keys(texts).some((kind) => kind !== 'empty');
      const isNamed = isFilled && known.includes(path.slice(path.lastIndexOf('.') + 1));
      return isNamed || (what === MAIL && texts['mail address'] !== undefined) ? [path] : [];
    });
    return paths.length === 0 ? [] : [[what, paths]];
  });
}

/** The requested context: undefined without one, null for one that the route does not have. */
function contextOf(asked: string | undefined, declared: unknown): string | undefined | null {
  const known = strings(member(declared, 'enum'));
  if (asked !== undefined) return known.includes(asked) ? asked : null;
  const usual = member(declared, 'default');
  return typeof usual === 'string' && known.includes(usual) ? usual : undefined;
}

/** Origins of the site: where it was reached, and its own name for itself. */
function ownAddresses({ document }: SiteIndex, base: URL): string[] {
  const said = [member(document, 'url'), member(document, 'home')];
  const origins = [siteBase(base).href, ...said].flatMap((address) =>
    typeof address === 'string' && URL.canParse(address) ? [new URL(address).origin] : [],
  );
  return [...new Set(origins)];
}

function formOf({ json, method, text }: Observation): AnswerForm {
  if (Array.isArray(json)) return json.every(isObject) ? 'list' : 'list of other values';
  if (isRefusal(json)) return 'refusal';
  if (isObject(json)) return 'object';
  if (json !== undefined) return 'value';
  return method === 'HEAD' || text === '' ? 'nothing' : 'unreadable';
}

/** Whether a body is a refusal, whatever the status. */
function isRefusal(json: unknown): boolean {
  const status = member(member(json, 'data'), 'status');
  return typeof member(json, 'code') === 'string' && typeof status === 'number' && status >= 400;
}

function outlineOf(json: unknown): unknown {
  if (!isObject(json)) return undefined;
  return Object.fromEntries(Object.keys(json).map((name) => [name, {}]));
}
