import { type Json, mapped } from '../../reference/json.ts';
import type { Contract } from '../../reference/load-contract.ts';
import { typesOf } from '../../reference/schema.ts';
import type { Call } from '../../reference/site.ts';
import type { Mutants } from '../alteration.ts';
import { dropping, mutantsIn, setting, without } from '../handling.ts';
import { byMethod } from '../selecting.ts';

const CHANGES = ['create', 'update', 'delete'];
const LOSSES: Readonly<Record<string, (value: Json) => boolean>> = {
  lists: (value) => Array.isArray(value),
  'other-letters': (value) => JSON.stringify(value).includes('日'),
  backslashes: (value) => JSON.stringify(value).includes('\\'),
};

/** Operations that do something else as parts of a batch than alone (§4.2). */
export function sameMutants({ operations }: Contract): Mutants {
  const isPart = ({ request: { route, headers } }: Call): boolean =>
    route !== '/batch/v1' && headers.host === undefined;
  const changes = operations.filter(
    ({ batchable, resource, role = '' }) => batchable && resource && CHANGES.includes(role),
  );
  return changes.map(({ id, role, methods, parameters, pathParameters }) => {
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
      role === 'create' && [
        ['password', 'slug'].map((name) =>
          same.args(`~loses-the-${name}`, `loses the ${name} inside a batch`, dropping(name)),
        ),
        same.made('~shares-slugs', 'gives one slug twice inside a batch', (stored, { args }) => {
          if (typeof args.slug === 'string') stored.slug = args.slug;
        }),
      ],
      role !== 'delete' &&
        same.args('~loses-the-date', 'loses the date inside a batch', (args, call) =>
          isPart(call) ? without(args, 'date') : args,
        ),
      (role === 'update' ? methods : []).map((method) =>
        same
          .where(byMethod(method))
          .args(`~ignores-${method}`, `by ${method} changes nothing inside a batch`, (args) =>
            mapped(args, (value, name) => (name in pathParameters ? value : undefined)),
          ),
      ),
    ];
  });
}
