import type { ObservedNames } from '../../specs/texts.ts';
import { byName, byText, defined, isObject, member } from '../json.ts';
import { isSafe } from '../mode.ts';
import type { Observation, RequestSpec } from '../observation.ts';
import type { Redactor } from '../redact.ts';
import { whatIsAround } from './around.ts';
import { Counter } from './counter.ts';
import type { RefusalKind, RefusalNotes } from './document.ts';
import type { Template } from './find-template.ts';
import { typeOf } from './shape.ts';

const MOST_REFUSALS = 2000;
/** From this status on, an answer is no redirect. */
const LEAST_FAILURE = 400;
const LONGEST_CODE = 80;
const LONGEST_ASKED = 300;
const MOST_WORDS = 1000;
const NO_ROUTE = '*';
/** Values that are not content of the site: numbers and our own words. */
const OURS = /^(?:-?\d{1,9}|site-conformance[\w-]*|_?embed|view|edit)$/;

/** How often something was noted, and how often when it was last reported. */
interface Counted {
  noted: number;
  reported: number;
}

/** Whether there are enough notes to report again. @param isLast whether this is the last time */
export function isDue({ noted, reported }: Counted, isLast: boolean): boolean {
  return noted > reported && (isLast || noted >= 2 * reported);
}

class Refused implements Counted {
  readonly about: Pick<
    RefusalNotes,
    'route' | 'namespace' | 'method' | 'caller' | 'kind' | 'status' | 'code'
  >;
  readonly members = new Counter();
  readonly values = new Counter();
  readonly types = new Counter();
  readonly headers = new Counter();
  readonly around = new Counter();
  asked: string | undefined;
  noted = 0;
  reported = 0;

  constructor(about: Refused['about']) {
    this.about = about;
  }
}

type Names = Pick<ObservedNames, 'code' | 'refused' | 'totals'>;

/** From this number on, a page is beyond the last one of any list that a run reads. */
const FAR = 1000;

/** Whether a read asks for such a page. */
function isFar({ method, query = [] }: RequestSpec, { totals }: Pick<Names, 'totals'>): boolean {
  return method === 'GET' && query.some(([name, value]) => name === totals.page && Number(value) >= FAR);
}

/** Whether a page beyond the last one of a list with records is answered, as empty, in place of a refusal. */
export function isBeyond(spec: RequestSpec, { json, headers }: Observation, names: Names): boolean {
  const isEmpty = Array.isArray(json) && json.length === 0;
  return isEmpty && isFar(spec, names) && Number(headers[names.totals.records]) > 0;
}

/** Notes the form of refusals. */
export class RefusalRecorder {
  readonly #names: Names;
  readonly #redact: Redactor;
  readonly #words = new Map<string, string>();
  readonly #refusals = new Map<string, Refused>();

  constructor(names: Names, redact: Redactor) {
    this.#names = names;
    this.#redact = redact;
  }

  /** Notes one refusal. @param template undefined if there is no such route */
  note(spec: RequestSpec, template: Template | undefined, answer: Observation): void {
    const { status, json, headers } = answer;
    const { route = NO_ROUTE, namespace = '' } = template ?? {};
    const { method, as = 'anonymous', caller = as } = spec;
    const kind = refusalKind(spec, template, answer, this.#names);
    const said = member(json, this.#names.code);
    const code = typeof said === 'string' || typeof said === 'number' ? this.#shown(String(said)) : undefined;
    const key = JSON.stringify([route, method, caller, kind, status, code ?? '']);
    const known = this.#refusals.get(key);
    if (known === undefined && this.#refusals.size >= MOST_REFUSALS) return;
    const place = { route: this.#redact(route), namespace: this.#redact(namespace) };
    const refused = known ?? new Refused(defined({ ...place, method, caller, kind, status, code }));
    this.#refusals.set(key, refused);
    refused.noted += 1;
    refused.asked = simpler(refused.asked, askedOf(spec, template));
    refused.types.add(this.#shown(headers['content-type'] ?? 'none').toLowerCase());
    for (const name of this.#names.refused) if (headers[name]) refused.headers.add(name);
    for (const [name, value] of membersOf(json)) {
      refused.members.add(this.#shown(name));
      refused.values.add(`${this.#shown(name)} ${typeOf(value)}`);
    }
    // A connection that broke (status 0) had no body.
    const hasBody = status > 0 && method !== 'HEAD';
    if (json === undefined && hasBody) refused.around.add(whatIsAround(answer.text));
  }

  /** The refusals to report, according to {@link isDue}. */
  take(isLast: boolean): RefusalNotes[] {
    const due = [...this.#refusals].filter(([, refused]) => isDue(refused, isLast)).sort(byName);
    return due.map(([, refused]) => {
      refused.reported = refused.noted;
      const { about, noted, members, values, types, headers, around, asked } = refused;
      return defined({
        ...about,
        answers: noted,
        asked: asked && this.#redact(asked),
        members: members.tallies() ?? {},
        values: values.tallies(),
        types: types.tallies() ?? {},
        headers: headers.tallies(),
        around: around.tallies(),
      });
    });
  }

  /** A word of the site, masked and then shortened, because half a secret would not be recognised. */
  #shown(text: string): string {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const shown = this.#redact(text).slice(0, LONGEST_CODE);
    if (this.#words.size < MOST_WORDS) this.#words.set(text, shown);
    return shown;
  }
}

/** Path and query to repeat a refused read; undefined for a write. Content of the site becomes a placeholder. */
function askedOf(
  { method, route, query = [], rawQuery }: RequestSpec,
  template: Template | undefined,
): string | undefined {
  if (!isSafe(method) || rawQuery !== undefined) return undefined;
  if (template === undefined) return OURS.test(route.slice(1)) ? route : undefined;
  const [parts, known] = [route.split('/'), template.route.split('/')];
  const filled = known.map((part, at) => (OURS.test(parts[at] ?? '') ? parts[at] : part));
  const path = parts.length === known.length ? filled.join('/') : template.route;
  const pairs = query.map(([name, value]) => `${name}=${OURS.test(value) ? value : name.toUpperCase()}`);
  const asked = [path, ...(pairs.length === 0 ? [] : [pairs.join('&')])].join('?');
  return asked.length > LONGEST_ASKED ? undefined : asked;
}

/** The shorter one, so that two runs show the same. */
function simpler(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (one.length - other.length || byText(one, other)) < 0 ? one : other;
}

/** Why a request was refused, by the request and the class of the answer. */
function refusalKind(
  spec: RequestSpec,
  template: Template | undefined,
  { answer, status }: Observation,
  names: Names,
): RefusalKind {
  const { method, body } = spec;
  if (template === undefined) return 'unknown route';
  if (answer === 'denied') return 'denied';
  if (answer === 'broken') return 'server error';
  if (!(template.methods.has(method) || (isSafe(method) && template.methods.has('GET'))))
    return 'wrong method';
  if (body !== undefined && 'bytes' in body && /json/.test(body.type)) return 'broken JSON';
  if (isFar(spec, names)) return 'page beyond the last';
  // Some software sends callers elsewhere if there is no such record.
  const isElsewhere = status < LEAST_FAILURE && template.route.includes('{');
  return status === 404 || isElsewhere ? 'unknown record' : 'invalid argument';
}

const MOST_MEMBERS = 20;

/** The members of a body and of the objects in it, by name. Deeper ones depend on the request. */
function membersOf(json: unknown): [name: string, value: unknown][] {
  if (!isObject(json)) return [];
  const first = Object.entries(json).slice(0, MOST_MEMBERS);
  return first.flatMap(([name, value]): [string, unknown][] => {
    const inside = isObject(value) ? Object.entries(value).slice(0, MOST_MEMBERS) : [];
    return [[name, value], ...inside.map(([inner, one]): [string, unknown] => [`${name}.${inner}`, one])];
  });
}
