import { asObject, member } from '../../client/json.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import type { Calls, Change, IndexPlace } from '../change.ts';
import type { AffectedCall, AffectedClient, CallChange, Comparison } from '../comparison.ts';
import { type Surface, surfaceOf } from '../declared/surface.ts';
import { rootOf } from '../groups/causes.ts';
import { saidOf } from '../groups/words.ts';
import type { Kind } from '../law.ts';
import type { Side } from '../side.ts';
import { describeUse, type NamedClient, type SentParameter, type Use } from './uses.ts';

/** Matches a comparison with the calls of clients. @param before the earlier side, which may already refuse a call */
export function affectedClients(
  comparison: Comparison,
  clients: readonly NamedClient[],
  before: Side,
): AffectedClient[] {
  const surface = before.index === undefined ? undefined : surfaceOf(before.index, before.url);
  const causes = new Map(
    comparison.groups.flatMap((group) =>
      [...group.changes, ...group.hanging].map((id) => [id, group] as const),
    ),
  );
  const known = new Map(comparison.changes.map((change) => [change.id, change]));
  // Compatible changes affect nobody.
  const changes = comparison.changes.filter(
    (change) => change.class !== 'compatible' && change.accepted === undefined && causes.has(change.id),
  );
  // Dependents are reported with their cause, unless only they affect a call.
  const isShown = (change: Change, all: readonly Change[]): boolean => {
    const group = causes.get(change.id);
    if (group?.changes.includes(change.id)) return true;
    // Of several members that changed in the same way, only one may be the reason.
    const { subject } = rootOf(change, known);
    const isOfCause = (other: Change): boolean =>
      group?.changes.includes(other.id) === true && other.subject === subject;
    return change.class === 'breaking' && !change.kind.startsWith('check-') && !all.some(isOfCause);
  };
  return clients.map(({ name, uses }) => {
    const affected = { breaking: [] as AffectedCall[], unknown: [] as AffectedCall[] };
    const refused: { call: string; why: string }[] = [];
    for (const use of uses) {
      const call = describeUse(use);
      const why = refusedBefore(use, surface);
      if (why !== undefined) {
        refused.push({ call, why });
        continue;
      }
      const affecting = changes
        .filter((change) => affects(change, use))
        .filter((change, _, all) => isShown(change, all) && !isOfRecord(change, use, all))
        .map((change): CallChange => {
          const { digest: cause = '', advice = '' } = causes.get(change.id) ?? {};
          const found = change.class === 'breaking' && !isSmaller(change, use) ? change.class : 'unknown';
          const instead = (found === 'breaking' ? insteadOf(change) : undefined) ?? advice;
          return { id: change.id, cause, class: found, says: saidOf(change), instead };
        });
      const kind = affecting.some((change) => change.class === 'breaking') ? 'breaking' : 'unknown';
      if (affecting.length > 0) affected[kind].push({ call, changes: affecting });
    }
    return { name, calls: uses.length, ...affected, refused };
  });
}

function isOfRecord({ kind, subject, calls }: Change, { route }: Use, all: readonly Change[]): boolean {
  const isAbove = calls?.below === true && shapeOf(calls.route) !== shapeOf(route);
  const isSame = (other: Change): boolean =>
    other.kind === kind && other.subject === subject && other.calls !== calls;
  return isAbove && all.some(isSame);
}

/** The names of the clients that some changes affect. */
export function clientsAffectedBy(changes: readonly Change[], clients: readonly NamedClient[]): string[] {
  return clients
    .filter(({ uses }) =>
      uses.some((use) => changes.some((change) => change.class !== 'compatible' && affects(change, use))),
    )
    .map(({ name }) => name);
}

/** Why the earlier site refuses a call; undefined if it accepts it or that is unknown. */
function refusedBefore(use: Use, surface: Surface | undefined): string | undefined {
  if (use.answers?.includes('accepted') === false && use.answers.includes('refused')) {
    return 'each time that it was recorded';
  }
  if (surface === undefined) return undefined;
  const routes = [...surface.routes.values()].filter(({ key }) => shapeOf(key) === shapeOf(use.route));
  if (routes.length === 0) return 'the site before has no such route';
  const call = routes.map(({ calls }) => calls.get(methodOf(use))).find((one) => one !== undefined);
  if (call === undefined) return 'the route does not take the method';
  const parts = routes.flatMap(({ route }) => route.parts);
  const inPath = new Set(parts.map((part) => ('pathParameter' in part ? part.pathParameter : undefined)));
  const missing = Object.entries(call.args).find(
    ([name, declared]) =>
      asObject(declared)?.required === true &&
      member(declared, 'default') === undefined &&
      !inPath.has(name) &&
      !sends(use, name),
  );
  return missing === undefined || use.answers !== undefined ? undefined : `it requires ${missing[0]}`;
}

/** Whether a call is known to send less than what is refused now, or than what pages end at. */
function isSmaller({ kind, subject, after, calls }: Change, { parameters }: Use): boolean {
  const { most } = parameters[calls?.parameter ?? ''] ?? {};
  const refused = kind === 'answer-refused' ? /^with \w+=(\d+)$/.exec(subject)?.[1] : undefined;
  const least = kind === 'answer-fewer' ? Number(after) + 1 : Number(refused);
  return most !== undefined && most < least;
}

/** HEAD works wherever GET does. */
function methodOf({ method }: Use): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** Kinds of changes that affect no caller who had access before. */
const COMPATIBLE: ReadonlySet<string> = new Set(['right-gained', 'right-exposed', 'methods-listed']);

function affects(change: Change, use: Use): boolean {
  const { kind, about, calls } = change;
  if (COMPATIBLE.has(kind)) return false;
  if (kind.startsWith('authentication-')) return use.caller === 'user';
  if (calls !== undefined) return affectsByAnswers(change, calls, use);
  if (about !== undefined) return affectsByDeclaration(change, about, use);
  return use.route === '/' && change.owner === 'site' && reads(use, change.subject.split('/')[0] ?? '');
}

function affectsByAnswers(change: Change, calls: Calls, use: Use): boolean {
  const { kind } = change;
  if (kind.startsWith('refusal-') && use.answers?.includes('refused') !== true) return false;
  if (kind === 'right-lost' && calls.callers?.includes(use.caller) === false) return false;
  if (kind === 'answer-fewer' && isSmaller(change, use)) return false;
  const { parameter, ...others } = calls;
  if (kind !== 'default' || parameter === undefined) return isAmong(use, calls);
  return isAmong(use, others) && concerns(change, parameter, use);
}

function affectsByDeclaration(change: Change, about: IndexPlace, use: Use): boolean {
  const { namespace, route, method, parameter } = about;
  if (route === undefined) return use.route === `/${namespace}` || use.route.startsWith(`/${namespace}/`);
  if (!isAt(use, route, false)) return false;
  if (method !== undefined && method !== methodOf(use)) return false;
  return parameter === undefined || concerns(change, parameter, use);
}

/** Whether a use is one of the calls of a change. */
export function isAmong(
  use: Use,
  { route, below, methods, contexts, parameter, member: path }: Calls,
): boolean {
  if (!isAt(use, route, below === true) || !methods.includes(methodOf(use))) return false;
  if (use.context !== undefined && contexts?.includes(use.context) === false) return false;
  if (parameter !== undefined && !sends(use, parameter)) return false;
  return path === undefined || reads(use, path);
}

/** @param below whether a change of a list also holds for each of its records */
function isAt({ route }: Use, place: string, below: boolean): boolean {
  const [shape, other] = [shapeOf(route), shapeOf(place)];
  return shape === other || (below && shape === `${other}/{}`);
}

function sends({ parameters, route, context }: Use, name: string): boolean {
  return (
    Object.hasOwn(parameters, name) ||
    route.includes(`{${name}}`) ||
    (name === 'context' && context !== undefined)
  );
}

/** Whether a call sends something that is no longer accepted, or has another meaning now. */
function concerns(change: Change, name: string, use: Use): boolean {
  if (change.kind === 'required-parameter-added') return !sends(use, name);
  if (change.kind === 'default') return !sends(use, name) && methodOf(use) === 'GET';
  if (!sends(use, name)) return false;
  const sent = Object.hasOwn(use.parameters, name) ? use.parameters[name] : undefined;
  return sent === undefined || change.kind !== 'constraint' || isHit(change, sent);
}

/** Whether a changed constraint affects the sent values, as far as they are known; otherwise it does. */
function isHit({ subject, before, after, lost }: Change, { words, least, most }: SentParameter): boolean {
  const keyword = subject.split(/[ /]/).at(-1);
  const bound = after === undefined ? Number.NaN : Number(after);
  if (!Number.isNaN(bound)) {
    if (keyword === 'maximum' && most !== undefined) return most > bound;
    if (keyword === 'minimum' && least !== undefined) return least < bound;
  }
  if (keyword === 'enum' && words !== undefined && lost !== undefined) {
    return words.some((word) => lost.includes(JSON.stringify(word)));
  }
  return before !== after || lost !== undefined;
}

function reads({ members }: Use, path: string): boolean {
  if (members === 'unknown') return true;
  const wanted = partsOf(path);
  return members.some((one) =>
    partsOf(one).every((part, at) => {
      const other = wanted[at] ?? part;
      return part === other || part === ANY_NAME || other === ANY_NAME;
    }),
  );
}

/** Stands for any name of a map in a path. */
const ANY_NAME = '*';

function partsOf(path: string): string[] {
  return path.replaceAll('[]', '.[]').split('.');
}

/** What a client should send or read instead; undefined if there is only the general advice. */
function insteadOf({ kind, subject, before, after, about, calls }: Change): string | undefined {
  const keyword = subject.split(/[ /]/).at(-1) ?? '';
  const name = about?.parameter ?? calls?.parameter ?? subject;
  const limits: Readonly<Record<string, string>> = {
    maximum: `Send ${name} of at most ${after}.`,
    minimum: `Send ${name} of at least ${after}.`,
    enum: `Send one of ${after} as ${name}.`,
  };
  const asTold = `Read ${subject} as ${after ?? 'nothing'} too.`;
  const words: Partial<Record<Kind, string | false>> = {
    constraint: after !== undefined && (limits[keyword] ?? `Send ${name} with ${keyword} ${after}.`),
    default: before !== undefined && `Send ${name}=${before}, which it was without.`,
    'parameter-removed': `Leave out ${name}, which does nothing any more.`,
    'required-parameter-added': `Send ${name} too.`,
    'answer-type': asTold,
    'answer-value': asTold,
    'field-moved': `Ask in the context ${after}, which shows ${subject}.`,
    'right-lost': 'Send credentials of somebody who has the right.',
  };
  return words[kind] || undefined;
}
