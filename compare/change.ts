import { hash } from 'node:crypto';
import { plainRoute } from '../client/route-pattern.ts';
import { show } from '../engine/findings.ts';
import { type ChangeClass, classOfKind, type Direction, type Effect, KINDS, type Kind } from './law.ts';

/** The first members of every document: its format, its kind, and the tool that wrote it. */
export interface DocumentHead<Kind extends string> {
  readonly format: 1;
  readonly kind: Kind;
  readonly tool: { readonly name: string; readonly version: string };
}

/** What came of comparing one part of two runs. */
export interface Compared {
  readonly changes: readonly Change[];
  /** How many kinds of answers, or fields of resources, were compared. */
  readonly compared: number;
  /** What could not be compared, in sentences. */
  readonly notes: readonly string[];
}

/** What of an index a change is about. */
export interface About {
  readonly namespace?: string;
  readonly route?: string;
  readonly method?: string;
  readonly parameter?: string;
}

/** The request that shows a change, on each side. */
export interface Exchange {
  readonly before: string;
  readonly after: string;
}

/** The calls that show a change that is of no declaration. */
export interface Calls {
  /** Path parameters as `{name}` or `{}`. */
  readonly route: string;
  /** Whether what is said of a list holds for each of its records. */
  readonly below?: true;
  readonly methods: readonly string[];
  /** All where it is left out; the same for callers. */
  readonly contexts?: readonly string[];
  readonly callers?: readonly ('anonymous' | 'user')[];
  /** What of the call, or of its answer, it is about. */
  readonly parameter?: string;
  readonly member?: string;
}

/** By whom a change is accepted. */
export interface Accepted {
  /** The id of the entry. */
  readonly id: string;
  readonly reason: string;
  readonly owner: string;
  /** The last day on which it counts. */
  readonly until: string;
  readonly link?: string;
}

/** One thing that is not as it was. */
export interface Change {
  /** The same for the same thing in every comparison: it holds neither values nor addresses. */
  readonly id: string;
  /** The same, short and without expressions of routes: what people accept and explain it by. */
  readonly digest: string;
  readonly kind: Kind;
  readonly class: ChangeClass;
  readonly effect: Effect;
  readonly side: Direction;
  /** The namespace that it belongs to, or `site`. */
  readonly owner: string;
  /** The thing in words, such as `GET /wp/v2/posts`. */
  readonly place: string;
  /** What of it changed, such as `per_page maximum`; equal for one cause in many places. */
  readonly subject: string;
  readonly about?: About;
  readonly calls?: Calls;
  /** Bounded JSON or text, or absent where there was nothing. */
  readonly before?: string;
  readonly after?: string;
  /** A value that was taken and no longer is, as JSON. */
  readonly example?: string;
  /** Of a set of values: those that went and came, as JSON. */
  readonly lost?: readonly string[];
  readonly gained?: readonly string[];
  /** Of a verdict that cannot be compared: why, in words that are the same for many checks. */
  readonly reason?: string;
  /** How often it was seen on each side, in words. */
  readonly evidence?: string;
  /** The id of the change that brought it about. */
  readonly cause?: string;
  /** A request of each side that shows it, as a line for a shell, without credentials. */
  readonly exchange?: Exchange;
  /** Who accepted it, why and until when. */
  readonly accepted?: Accepted;
  /** What went or came with it and is not listed by itself. */
  readonly with?: readonly string[];
}

/** What is said of a change; the rest follows from its kind. */
export interface ChangeSpec
  extends Pick<
    Change,
    'id' | 'owner' | 'place' | 'subject' | 'about' | 'calls' | 'evidence' | 'exchange' | 'with'
  > {
  readonly kind: Kind;
  /** Where the effect depends on the values. */
  readonly effect?: Effect;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Whether these are text for a reader, and no values. */
  readonly isText?: boolean;
  readonly example?: unknown;
  readonly lost?: readonly unknown[];
  readonly gained?: readonly unknown[];
}

const LONGEST_TEXT = 300;
/** More than any enum of real software. */
const MOST_VALUES = 100;

/** A change with its class. @throws Error where neither its kind nor the teller knows its effect: a fault of the suite */
export function change(said: ChangeSpec): Change {
  const {
    kind,
    effect,
    before,
    after,
    isText,
    example,
    lost = [],
    gained = [],
    with: others = [],
    ...rest
  } = said;
  const row = KINDS[kind];
  const known = effect ?? row.effect;
  if (known === undefined) throw new Error(`the effect of ${rest.id} (${kind}) is not known`);
  const shown = (value: unknown): string =>
    isText === true ? String(value).slice(0, LONGEST_TEXT) : show(value);
  const values = (all: readonly unknown[]): string[] => all.slice(0, MOST_VALUES).map(show);
  return {
    ...rest,
    digest: digestOfChange(kind, rest.id),
    kind,
    class: classOfKind(kind, known),
    effect: known,
    side: row.side,
    ...(before !== undefined && { before: shown(before) }),
    ...(after !== undefined && { after: shown(after) }),
    ...(example !== undefined && { example: show(example) }),
    ...(lost.length > 0 && { lost: values(lost) }),
    ...(gained.length > 0 && { gained: values(gained) }),
    ...(others.length > 0 && { with: others }),
  };
}

const LENGTH = 12;

/**
 * The id by which a person names a change: the same in every comparison, on every machine and for every version. It is of what
 * changed and where alone; the expressions of a route do not count, nor do values, addresses and wording.
 */
export function digestOfChange(kind: string, id: string): string {
  return `chg-${digestOf([kind, plainRoute(id)])}`;
}

/** The same of a cause, which is one thing in however many places of a namespace. @param others what distinguishes it from its like */
export function digestOfCause(
  kind: string,
  owner: string,
  subject: string,
  others: readonly string[] = [],
): string {
  return `cause-${digestOf([kind, owner, plainRoute(subject), ...others])}`;
}

function digestOf(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, LENGTH);
}
