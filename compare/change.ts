import { hash } from 'node:crypto';
import { defined } from '../client/json.ts';
import { plainRoute } from '../client/route-pattern.ts';
import { show } from '../engine/findings.ts';
import type { AcceptedChange } from '../specs/waivers.ts';
import { type ChangeClass, classOfKind, type Direction, type Effect, KINDS, type Kind } from './law.ts';

/** The first members of every document: format, kind, and the tool that wrote it. */
export interface DocumentHead<Kind extends string> {
  readonly format: 1;
  readonly kind: Kind;
  readonly tool: { readonly name: string; readonly version: string };
}

/** The comparison of one part of two runs. */
export interface Compared {
  readonly changes: readonly Change[];
  /** How many kinds of answers, or fields of resources, were compared. */
  readonly compared: number;
  /** What could not be compared, in sentences. */
  readonly notes: readonly string[];
}

/** The part of an index that a change is about. */
export interface IndexPlace {
  readonly namespace?: string;
  readonly route?: string;
  readonly method?: string;
  readonly parameter?: string;
}

/** The request that shows a change, for each side. */
export interface Exchange {
  readonly before: string;
  readonly after: string;
}

/** The calls that show a change, if it is not one of a declaration. */
export interface Calls {
  /** Path parameters as `{name}` or `{}`. */
  readonly route: string;
  /** Whether a change of a list also holds for each of its records. */
  readonly below?: true;
  readonly methods: readonly string[];
  /** Absent for all; so are callers. */
  readonly contexts?: readonly string[];
  readonly callers?: readonly ('anonymous' | 'user')[];
  /** The part of the call or its answer. */
  readonly parameter?: string;
  readonly member?: string;
}

/** The acceptance of a change. */
export interface Accepted extends Pick<AcceptedChange, 'id' | 'reason' | 'owner' | 'link'> {
  /** The last day on which it applies. */
  readonly until: string;
}

/** One difference. */
export interface Change {
  /** The same for the same thing in every comparison, because it contains neither values nor addresses. */
  readonly id: string;
  /** A short id without the expressions of routes. People use it to accept and explain the change. */
  readonly digest: string;
  readonly kind: Kind;
  readonly class: ChangeClass;
  readonly effect: Effect;
  readonly side: Direction;
  /** The namespace, or `site`. */
  readonly owner: string;
  /** The place in words, such as `GET /wp/v2/posts`. */
  readonly place: string;
  /** What changed, such as `per_page maximum`; equal for one cause in many places. */
  readonly subject: string;
  readonly about?: IndexPlace;
  readonly calls?: Calls;
  /** Bounded JSON or text; absent if there was nothing. */
  readonly before?: string;
  readonly after?: string;
  /** A value that is no longer accepted, as JSON. */
  readonly example?: string;
  /** For a set of values: those removed and added, as JSON. */
  readonly lost?: readonly string[];
  readonly gained?: readonly string[];
  /** For a verdict that cannot be compared: the reason, in words shared by many checks. */
  readonly reason?: string;
  /** How often it was seen on each side, in words. */
  readonly evidence?: string;
  /** The callers who are affected, in words, if others are not. */
  readonly whom?: string;
  readonly cause?: string;
  /** A shell command for each side that shows it, without credentials. */
  readonly exchange?: Exchange;
  readonly accepted?: Accepted;
  /** What was removed or added with it, and is not listed separately. */
  readonly with?: readonly string[];
}

/** The input for a change; the rest follows from its kind. */
export type ChangeSpec = Pick<Change, 'id' | 'kind' | 'owner' | 'place' | 'subject'> & {
  /** Only if the effect depends on the values. */
  readonly effect?: Effect | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly isText?: boolean;
  readonly example?: unknown;
  readonly lost?: readonly unknown[];
  readonly gained?: readonly unknown[];
} & {
  readonly [Name in 'about' | 'calls' | 'evidence' | 'whom' | 'exchange' | 'reason' | 'cause' | 'with']?:
    | Change[Name]
    | undefined;
};

const LONGEST_TEXT = 300;
/** More than any enum of real software. */
const MOST_VALUES = 100;

/** Makes a change with its class. @throws Error if neither kind nor caller gives the effect, a fault of the suite */
export function change({ isText, with: others = [], ...said }: ChangeSpec): Change {
  const { id, kind, effect = KINDS[kind].effect, before, after, example, lost, gained } = said;
  if (effect === undefined) throw new Error(`the effect of ${id} (${kind}) is not known`);
  const shown = (value: unknown): string | undefined => {
    if (value === undefined) return undefined;
    return isText === true ? String(value).slice(0, LONGEST_TEXT) : show(value);
  };
  const values = (all: readonly unknown[] = []): string[] | undefined =>
    all.length === 0 ? undefined : all.slice(0, MOST_VALUES).map(show);
  return defined({
    ...said,
    digest: `chg-${changeDigest([kind, plainRoute(id)])}`,
    class: classOfKind(kind, effect),
    effect,
    side: KINDS[kind].side,
    before: shown(before),
    after: shown(after),
    example: example === undefined ? undefined : isText === true ? String(example) : show(example),
    lost: values(lost),
    gained: values(gained),
    with: others.length > 0 ? others : undefined,
  });
}

const LENGTH = 12;

/** The end of the id of a change or a cause, the same in every comparison: no expressions, values or wording count. */
function changeDigest(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, LENGTH);
}

/** Whether a path of keywords, such as `meta properties/price/type`, ends in the type of a value. */
export function isOfType(path: string): boolean {
  const [, keywords = ''] = /([^/ ]*)$/.exec(path) ?? [];
  return keywords.split(',').includes('type');
}

/** The parameter, or the member of it, that a path of keywords is about: `meta.price`. */
export function declaredMember(subject: string): string {
  const [name = '', path = ''] = subject.split(' ');
  return [name, ...Array.from(path.matchAll(/(?:^|\/)properties\/([^/]+)/g), ([, inner]) => inner)].join('.');
}

const OF_MEMBER = /[ /]properties\/[^/ ]+$/;

/** Whether nobody may send a member of a parameter any more. */
export function isRemovedMember({ kind, subject, after }: Change): boolean {
  return kind === 'constraint' && OF_MEMBER.test(subject) && after === undefined;
}

/** Whether callers may send a new member of a parameter, and need not. */
export function isAddedMember({ kind, subject, before, class: found }: Change): boolean {
  return kind === 'constraint' && OF_MEMBER.test(subject) && before === undefined && found === 'compatible';
}

/** The digest of the cause of one change. @param places distinguishes it from others of the same kind and subject */
export function digestFor({ kind, owner, subject, reason }: Change, places: readonly Change[] = []): string {
  const first = places.map(({ digest }) => digest).sort();
  const whose = reason === undefined ? owner : '';
  return `cause-${changeDigest([kind, whose, plainRoute(reason ?? subject), ...first.slice(0, 1)])}`;
}
