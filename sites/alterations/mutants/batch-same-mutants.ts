import { isObject, type Json, type JsonObject, mapped } from '../../reference/json.ts';
import type { Contract } from '../../reference/load-contract.ts';
import { typesOf } from '../../reference/schema.ts';
import type { Call } from '../../reference/site.ts';
import type { Mutants } from '../alteration.ts';
import { dropping, mutantsIn, setting } from '../handling.ts';
import { byMethod, isGiven } from '../selecting.ts';

const CHANGES = ['create', 'update', 'delete'];
const LOSSES: Readonly<Record<string, (value: Json) => boolean>> = {
  lists: (value) => Array.isArray(value),
  'other-letters': (value) => JSON.stringify(value).includes('日'),
  backslashes: (value) => JSON.stringify(value).includes('\\'),
};

/** The parts of a batch; its arguments are valid, so all of them are objects. */
export function partsOf({ requests }: JsonObject): JsonObject[] {
  return Array.isArray(requests) ? requests.filter((part) => isObject(part)) : [];
}

/** A site that keeps the last `force` for the requests after it that name none. */
function leakingForce(): (args: JsonObject, call: Call) => JsonObject {
  const last = new WeakMap<Call['site'], Json>();
  return (args, call) => {
    if (isGiven(call, 'force')) last.set(call.site, args.force ?? false);
    return { ...args, force: last.get(call.site) ?? false };
  };
}

/** Operations that do something else as parts of a batch than alone (§4.2). */
export function sameMutants({ operations }: Contract): Mutants {
  const isPart = ({ request: { route, headers } }: Call): boolean =>
    route !== '/batch/v1' && headers.host === undefined;
  const changes = operations.filter(
    ({ batchable, resource, role = '' }) => batchable && resource && CHANGES.includes(role),
  );
  return changes.map(({ id, role, methods, parameters, pathParameters, resource }) => {
    const hasLists = Object.values(parameters.properties).some((one) => typesOf(one).includes('array'));
    const losses = Object.entries(LOSSES).filter(([how]) => how !== 'lists' || hasLists);
    const same = mutantsIn(id, `batch/same/${id}`).where(isPart);
    const forced = same.where(({ request }) => 'force' in request.query);
    return [
      same.args('~other-title', 'does something else inside a batch', (args) =>
        role === 'delete'
          ? { ...args, force: args.force !== true }
          : { ...args, title: { raw: 'Another title' } },
      ),
      role === 'delete' && [
        same.args('~always-for-good', 'does not move to the trash in a batch', setting({ force: true })),
        same.args('~leaks-force', 'takes force from a request before it in a batch', leakingForce()),
        forced.args(
          '~ignores-true-in-the-query',
          'in a batch takes no force from a query',
          dropping('force'),
        ),
        forced.args('~text-is-true', 'takes any text for true inside a batch', setting({ force: true })),
      ],
      (role === 'delete' ? [] : losses).map(([how, loses]) =>
        same.args(`~loses-${how}`, `loses ${how} inside a batch`, (args) =>
          mapped(args, (value) => (loses(value) ? undefined : value)),
        ),
      ),
      role !== 'delete' &&
        ['password', 'slug', 'excerpt'].map((name) =>
          same.args(`~loses-the-${name}`, `loses the ${name} inside a batch`, dropping(name)),
        ),
      resource && mixedMutants(id, role, resource.route),
      role === 'create' && [
        same.made('~shares-slugs', 'gives one slug twice inside a batch', (stored, { args }) => {
          if (typeof args.slug === 'string') stored.slug = args.slug;
        }),
      ],
      role !== 'delete' && same.args('~loses-the-date', 'loses the date inside a batch', dropping('date')),
      (role === 'update' ? methods : []).map((method) => {
        const { args } = same.where(byMethod(method));
        const lost = method === 'POST' ? [] : ['title', 'password', 'slug', 'author', 'status'];
        return [
          args(`~ignores-${method}`, `by ${method} changes nothing inside a batch`, (given) =>
            mapped(given, (value, name) => (name in pathParameters ? value : undefined)),
          ),
          lost.map((name) =>
            args(`~${method}-loses-${name}`, `by ${method} loses the ${name} inside a batch`, dropping(name)),
          ),
        ];
      }),
    ];
  });
}

/** Batches whose parts take something from the one before, or that carry out the later ones in another order. */
function mixedMutants(id: string, role: string | undefined, route: string): Mutants {
  const { args } = mutantsIn('batch.run', `batch/same/${id}`, `a batch with ${id}`);
  const isOwn = ({ path }: JsonObject): boolean => String(path).includes(`${route}/`);
  const bodyOf = ({ body = null }: JsonObject): JsonObject => (isObject(body) ? body : {});
  const takes = (name: string, isMeant: (part: JsonObject) => boolean): Mutants =>
    args(`~takes-${name}-of-the-previous`, `takes ${name} from the part before`, (given) => {
      const parts = partsOf(given);
      const taken = parts.map((part, at): Json => {
        const value = bodyOf(parts[at - 1] ?? {})[name];
        if (!isMeant(part) || value === undefined) return part;
        return { ...part, body: { [name]: value, ...bodyOf(part) } };
      });
      return { ...given, requests: taken };
    });
  if (role === 'delete') return takes('force', (part) => part.method === 'DELETE' && isOwn(part));
  if (role === 'create') {
    const isCreation = ({ path }: JsonObject): boolean => !/\d$/.test(String(path));
    return [takes('meta', isCreation), takes('password', isCreation)];
  }
  return args('~reorders-the-last', 'carries out the parts from the eleventh on in reverse', (given) => {
    const parts = partsOf(given);
    if (!parts.every(isOwn)) return given;
    return { ...given, requests: [...parts.slice(0, 10), ...parts.slice(10).toReversed()] };
  });
}
