import { asObject, member } from '../client/json.ts';
import { type Change, change } from './change.ts';
import { compareMembers } from './compare-members.ts';
import { parametersOf } from './compare-path-parameters.ts';
import { compareSchemas } from './compare-schemas.ts';
import { type Call, namesOf, type SurfaceRoute } from './surface.ts';

/**
 * The changes of one method of a route: its parameters, their keywords, its batch mark.
 * @param causes the changes of path parameters, by name: what is declared of one otherwise is part of the same change
 */
export function compareCalls(
  before: Call,
  after: Call,
  route: SurfaceRoute,
  causes: ReadonlyMap<string, string>,
): Change[] {
  const { key, namespace } = route;
  const { method } = before;
  const about = { id: `index/routes/${key}/${method}`, owner: namespace, place: `${method} ${key}` };
  const inPath = new Set(parametersOf(route).map(({ name }) => name));
  const changes = namesOf(before.args, after.args).flatMap((name): Change[] => {
    const [was, is] = [member(before.args, name), member(after.args, name)];
    const place = { namespace, route: key, method, parameter: name };
    const told = { ...about, id: `${about.id}/${name}`, subject: name, about: place };
    const because = causes.get(name);
    if (was === undefined || is === undefined) {
      const kind = was === undefined ? addedKind(is) : 'parameter-removed';
      return [withCause(change({ ...told, kind, before: was, after: is }), because)];
    }
    return compareSchemas(was, is, method === 'GET' || inPath.has(name)).map((one) =>
      withCause(
        change({
          ...one,
          ...about,
          id: `${about.id}/${name}/${one.path}`,
          kind: /(^|\/)default$/.test(one.path) ? 'default' : 'constraint',
          subject: `${name} ${one.path}`,
          about: place,
        }),
        because,
      ),
    );
  });
  if (before.batch !== after.batch) {
    const kind = after.batch ? 'batch-added' : 'batch-removed';
    changes.push(change({ ...about, id: `${about.id}/batch`, kind, subject: 'batch mark' }));
  }
  const members = { ...about, id: `${about.id}/members` };
  return [...changes, ...compareMembers(before.rest, after.rest, members)];
}

function addedKind(description: unknown): 'required-parameter-added' | 'parameter-added' {
  const { required, default: value } = asObject(description) ?? {};
  return required === true && value === undefined ? 'required-parameter-added' : 'parameter-added';
}

function withCause(found: Change, cause: string | undefined): Change {
  return cause === undefined ? found : { ...found, cause };
}
