import { defined } from '../client/json.ts';
import type { RunMode } from '../client/mode.ts';
import type { Operation, Parameter } from '../specs/model.ts';
import type { Basis } from '../specs/operation-file.ts';
import { type CheckKind, loadCheckKinds } from '../specs/texts.ts';
import type { Witnesses } from './fuzz-options.ts';
import { selectorOf } from './glob.ts';
import type { About, CheckResult, FieldPlace } from './result.ts';
import type { Session } from './session.ts';

/**
 * What a check found. `failure` contradicts the contract; `warning` is advisory; `inconclusive` shows nothing either way;
 * `blocked` depends on something that another check reports. No finding at all is a pass.
 */
export interface Finding {
  readonly kind: 'failure' | 'warning' | 'inconclusive' | 'blocked' | 'not-applicable';
  readonly message: string;
  readonly expected?: string;
  readonly observed?: string;
  readonly reproduce?: readonly string[];
  /** The check that reports what a `blocked` finding depends on. */
  readonly blockedBy?: string;
  /** False for a failure that says nothing about its soft dependents, such as a value that is refused when it is sent. */
  readonly blocks?: false;
  /** Of a fuzz check: the smallest set of arguments that shows it, by the names of the target. */
  readonly replay?: Readonly<Record<string, unknown>>;
  /** Beside `replay`: what matters in the set, and how many others show it. */
  readonly witnesses?: Witnesses;
  /** Where nothing else differs: the words that a declared enum has beside those of the contract. */
  readonly adds?: readonly string[];
  /** Of an inconclusive finding: what was tried where the site takes no valid call that is known. */
  readonly controls?: ControlSearch;
}

/** What a check returns: nothing is a pass. */
export type Found = Finding | undefined | readonly (Finding | undefined)[];

/** A search for a valid call that a site takes, which found none. */
export interface ControlSearch {
  /** How many valid calls were refused. */
  readonly tried: number;
  /** The parameters and path parameters, by neutral name, of which a hints file may name good values. */
  readonly wanted: readonly string[];
}

/** What a check does to the site at most. */
type Effect = 'reads' | 'validates' | 'writes' | 'alters-site';

/** One requirement on one subject. The id is stable across runs, machines and versions. */
export interface Check {
  readonly id: string;
  /** What reports group it under, such as `posts` or `routes`. */
  readonly area: string;
  /** What it asks, whatever it asks it of: a word of `specs/texts/check-kinds.json`; none for a kind that the data do not know. */
  readonly kind?: string | undefined;
  /** A sentence in the present tense. */
  readonly title: string;
  readonly section: string;
  readonly basis: Basis;
  readonly effect: Effect;
  readonly about?: About | undefined;
  /** Whether the site is held to what it publishes; only beside the basis `published`. */
  readonly binding?: true | undefined;
  /** Whether it draws its arguments: `--examples` says how many sets. */
  readonly fuzz?: true | undefined;
  readonly operation?: string | undefined;
  readonly parameter?: string | undefined;
  /** The neutral route that it is about, where it is about no operation. */
  readonly place?: string | undefined;
  /** The namespace of that route, in the words of the target. */
  readonly namespace?: string | undefined;
  /** Of a check of what the index declares: the JSON that it holds where it conforms. */
  readonly fragment?: (() => string) | undefined;
  /** Of a check of what records show. */
  readonly field?: FieldPlace | undefined;
  /** Ids of checks: unless they pass, this one is skipped as blocked. */
  readonly dependsOn?: readonly string[] | undefined;
  /** Ids of checks whose failure, and nothing less, blocks this one; `{caller}` stands for who the run asks as. */
  readonly buildsOn?: readonly string[] | undefined;
  /** The mode that the run must have; `read` unless given. */
  readonly mode?: RunMode | undefined;
  /** Whether it is inconclusive without the credentials of a user. */
  readonly needsUser?: boolean | undefined;
  run(session: Session): Promise<Found> | Found;
}

/** What a check finds, one after the other. */
export async function foundBy(check: Check, session: Session): Promise<Finding[]> {
  return [await check.run(session)].flat().filter((one) => one !== undefined);
}

/** Characters that a glob of --only, a waiver or a baseline would read. */
const GLOB = /[*?[\]{}!()\\\s]/;

/**
 * The id of a check: its parts joined by `/`, in neutral words; parts that are empty or undefined are left out. It is stable across runs, machines
 * and versions, so no part may hold a record, an address or a seed.
 * @throws Error for a part with a character that a glob reads
 */
export function checkId(...parts: readonly (string | undefined)[]): string {
  const id = parts.filter((part) => part !== undefined && part !== '').join('/');
  if (GLOB.test(id)) throw new Error(`the check id ${id} holds a character that a glob reads`);
  return id;
}

/** Characters that a shell or a glob reads, or that join the parts of an id. */
const NOT_PLAIN = /[^\w.-]/g;

/**
 * The id of one finding of a fuzz check: the check, the arguments that matter, and the kind of violation. It is as stable as
 * the id of the check.
 */
export function findingId(check: string, parameters: readonly string[], kind: string): string {
  const names = parameters.map((name) => name.replaceAll(NOT_PLAIN, '_')).sort();
  return `${check}#${names.join('+')}:${kind}`;
}

/** A check as its family writes it down; what follows from its operation and its parameter is left out. */
export interface CheckSpec
  extends Omit<Check, 'area' | 'section' | 'basis' | 'effect' | 'parameter' | 'dependsOn' | 'buildsOn'> {
  /** That of its operation unless given. */
  readonly area?: string;
  /** The word of its kind in `specs/texts/check-kinds.json`. */
  readonly kind: string;
  /** The operation that it is about. */
  readonly on?: Operation;
  /** The parameter that it is about, or the neutral name of one. */
  readonly parameter?: Parameter | string | undefined;
  /** That of the parameter, else that of the operation, unless given. */
  readonly section?: string;
  /** `implied` unless given. */
  readonly basis?: Check['basis'];
  /** `reads` unless given. */
  readonly effect?: Check['effect'];
  /** Ids of checks: unless they pass, this one is skipped as blocked. */
  readonly needs?: readonly string[];
  /** Ids of checks whose failure, and nothing less, blocks this one. */
  readonly after?: readonly string[];
}

/** A check with what follows from its operation and its parameter filled in. @throws Error for one of no area */
export function check({ on, area = on?.area, parameter, section, needs, after, ...spec }: CheckSpec): Check {
  if (area === undefined) throw new Error(`the check ${spec.id} has neither an operation nor an area`);
  const about = typeof parameter === 'object' ? parameter : undefined;
  const operation = spec.operation ?? on?.id;
  const name = about?.name ?? (typeof parameter === 'string' ? parameter : undefined);
  return {
    basis: 'implied',
    effect: 'reads',
    ...spec,
    area,
    section: section ?? about?.section ?? on?.section ?? '',
    ...defined({ operation, parameter: name, dependsOn: needs, buildsOn: after }),
  };
}

/** The check that an operation is served at all, on which whatever asks it depends: one list, shared by all of its checks. */
export function servedBy(operation: Operation): readonly [string] {
  const list = served.get(operation) ?? [checkId(operation.id, 'method', operation.methods[0])];
  served.set(operation, list);
  return list;
}

const served = new WeakMap<Operation, readonly [string]>();

/** The id of the check that the index lists a method of an operation; its first one unless given. */
export function serves(operation: Operation, method?: string): string {
  return method === undefined ? servedBy(operation)[0] : checkId(operation.id, 'method', method);
}

/** The id of the check that the index declares a parameter of an operation. */
export function declares({ id }: Pick<Operation, 'id'>, parameter: string): string {
  return checkId(id, parameter, 'declared');
}

let kinds: readonly CheckKind[] | undefined;

/** Every kind of checks, in the order in which a map of checks shows them. @throws SpecError when the data break their schema */
export function checkKinds(): readonly CheckKind[] {
  kinds ??= loadCheckKinds();
  return kinds;
}

/** The kind that a check or a result names; undefined for none, and for one that the data do not know. */
export function kindNamed(name: string | undefined): CheckKind | undefined {
  return name === undefined ? undefined : checkKinds().find(({ kind }) => kind === name);
}

// The results of earlier versions say neither the kind nor the area of a check: they are read out of its id, here alone.

/** The kind of a result; undefined for one that the data do not know. */
export function kindOf({
  id,
  about,
  kind: own,
}: Pick<Check, 'id' | 'about' | 'kind'>): CheckKind | undefined {
  if (own !== undefined) return kindNamed(own);
  return checkKinds().find(
    (kind) =>
      (kind.about === undefined || kind.about === about) && kind.checks.some((glob) => selectorOf(glob)(id)),
  );
}

/** The area of a result, by which reports group: `posts` for `posts.list/per_page/maximum`, `index` for `index/name/type`. */
export function areaOf({ id, area: own }: Pick<CheckResult, 'id' | 'area'>): string {
  if (own !== undefined) return own;
  const [first = id] = id.split('/', 1);
  const [area = ''] = first.split('.', 1);
  return area === '' ? first : area;
}
