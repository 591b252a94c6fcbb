import { asObject, isObject, type JsonObject, member } from '../../client/json.ts';
import { meaningOf, sameMeaning } from '../../engine/equal.ts';
import type { ChangeSpec } from '../change.ts';
import type { Effect } from '../law.ts';
import { namesOf } from './surface.ts';
import { WORDS } from './value-schema.ts';
import { effectOfSchemas } from './value-sets.ts';

interface SchemaChange extends Pick<ChangeSpec, 'before' | 'after' | 'example' | 'lost' | 'gained'> {
  /** The path of the keyword, such as `items/enum`; several keywords that changed together are separated by commas. */
  readonly path: string;
  readonly effect: Effect;
}

interface Walk {
  /** Whether values are sent as text, as in a query. */
  readonly isText: boolean;
  readonly path?: string;
  readonly depth?: number;
}

/** Deeper than any real software declares. */
const DEEPEST = 12;
const SETS: ReadonlySet<string> = new Set(['enum', 'type', 'oneOf', 'anyOf']);

/**
 * Compares the descriptions of one parameter in two indexes. All changes to the accepted values at one
 * place are one change with one effect, however many keywords express them. A changed default affects
 * answers, everything else requests.
 */
export function compareSchemas(
  before: unknown,
  after: unknown,
  { isText, path = '', depth = 0 }: Walk,
): SchemaChange[] {
  const [was, is] = [asObject(before), asObject(after)];
  if (was === undefined || is === undefined || depth === DEEPEST) {
    return sameMeaning(before, after) ? [] : [{ path: path || 'value', effect: 'unknown', before, after }];
  }
  // An absent keyword differs from an empty one.
  const changed = namesOf(was, is).filter(
    (name) => Object.hasOwn(was, name) !== Object.hasOwn(is, name) || !sameMeaning(was[name], is[name]),
  );
  const apart = changed.filter(isApart);
  const values = changed.filter((name) => !isApart(name));
  const at = (name: string): string => (path === '' ? name : `${path}/${name}`);
  const alone = apart.flatMap((name): SchemaChange[] => {
    const [then, now] = [member(was, name), member(is, name)];
    const isPlain = [then, now].every((value) => value !== undefined && typeof value !== 'object');
    if (name === 'default' && isText && isPlain && String(then) === String(now)) return [];
    return [{ path: at(name), effect: effectApart(name, then, now), before: then, after: now }];
  });
  const inner = values.map((name) => insideOf(name, was, is, { isText, path: at(name), depth: depth + 1 }));
  if (inner.every((one) => one !== undefined)) return [...alone, ...inner.flat()];
  const [name = '', ...others] = values;
  const of = (schema: JsonObject): unknown =>
    others.length === 0
      ? member(schema, name)
      : Object.fromEntries(values.flatMap((one) => (Object.hasOwn(schema, one) ? [[one, schema[one]]] : [])));
  const one = {
    path: at(values.join(',')),
    ...effectOfSchemas(was, is, isText),
    before: of(was),
    after: of(is),
  };
  return [...alone, SETS.has(name) && others.length === 0 ? { ...one, ...setsOf(one) } : one];
}

function insideOf(name: string, was: JsonObject, is: JsonObject, walk: Walk): SchemaChange[] | undefined {
  const [then, now] = [member(was, name), member(is, name)];
  if (name === 'properties') {
    const [before, after] = [asObject(then), asObject(now)];
    return before && after && compareMembers(before, after, walk);
  }
  if (name !== 'items' && name !== 'additionalProperties') return undefined;
  return isObject(then) && isObject(now) ? compareSchemas(then, now, walk) : undefined;
}

/** A member is treated like a parameter: an added one is accepted now, a removed one has lost its meaning. */
function compareMembers(before: JsonObject, after: JsonObject, walk: Walk): SchemaChange[] {
  return namesOf(before, after).flatMap((name): SchemaChange[] => {
    const [was, is] = [member(before, name), member(after, name)];
    const path = `${walk.path}/${name}`;
    if (was !== undefined && is !== undefined) return compareSchemas(was, is, { ...walk, path });
    const isNeeded = asObject(is)?.required === true;
    return [{ path, effect: was === undefined && !isNeeded ? 'widens' : 'narrows', before: was, after: is }];
  });
}

/** Whether a keyword does not concern the accepted values, or is compared by itself. */
function isApart(keyword: string): boolean {
  return WORDS.has(keyword) || keyword === 'required' || keyword === 'readonly';
}

/** Another default changes unchanged requests. An added or removed one may have been the behaviour before. */
function effectApart(keyword: string, before: unknown, after: unknown): Effect {
  if (keyword === 'default') {
    // A default of null says what none says.
    if ([before, after].every((value) => value === undefined || value === null)) return 'none';
    return before === undefined || after === undefined ? 'unknown' : 'incomparable';
  }
  if (keyword !== 'required' && keyword !== 'readonly') return 'none';
  const [was, is] = [demandsOf(before), demandsOf(after)];
  const [went, came] = [without(was, is).length > 0, without(is, was).length > 0];
  if (went && came) return 'incomparable';
  return came ? 'narrows' : went ? 'widens' : 'none';
}

function demandsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === true ? [true] : [];
}

function setsOf({ before, after }: SchemaChange): Pick<SchemaChange, 'lost' | 'gained'> {
  const list = (value: unknown): unknown[] | undefined =>
    isObject(value) ? Object.values(value) : value === undefined ? undefined : [value].flat();
  const [was, is] = [list(before), list(after)];
  return was === undefined || is === undefined ? {} : { lost: without(was, is), gained: without(is, was) };
}

function without(set: readonly unknown[], other: readonly unknown[]): unknown[] {
  const known = new Set(other.map(meaningOf));
  return set.filter((value) => !known.has(meaningOf(value)));
}
