import { isObject, member } from '../client/json.ts';
import { type Change, change } from './change.ts';
import { compareMembers } from './compare-members.ts';
import { compareSchemas } from './compare-schemas.ts';
import { type Call, namesOf, type SurfaceRoute } from './surface.ts';

/** The changes of one method of a route: its parameters, their keywords, its batch mark. */
export function compareCalls(before: Call, after: Call, { key, namespace }: SurfaceRoute): Change[] {
  const { method } = before;
  const about = { id: `index/routes/${key}/${method}`, owner: namespace, place: `${method} ${key}` };
  const changes = namesOf(before.args, after.args).flatMap((name): Change[] => {
    const [was, is] = [member(before.args, name), member(after.args, name)];
    const place = { namespace, route: key, method, parameter: name };
    const told = { ...about, id: `${about.id}/${name}`, subject: name, about: place };
    if (was === undefined) {
      const isNeeded = isObject(is) && is.required === true && is.default === undefined;
      return [
        change({ ...told, kind: isNeeded ? 'required-parameter-added' : 'parameter-added', after: is }),
      ];
    }
    if (is === undefined) return [change({ ...told, kind: 'parameter-removed', before: was })];
    return compareSchemas(was, is, method === 'GET').map((one) =>
      change({
        ...one,
        ...about,
        id: `${about.id}/${name}/${one.path}`,
        kind: /(^|\/)default$/.test(one.path) ? 'default' : 'constraint',
        subject: `${name} ${one.path}`,
        about: place,
      }),
    );
  });
  if (before.batch !== after.batch) {
    const kind = after.batch ? 'batch-added' : 'batch-removed';
    changes.push(change({ ...about, id: `${about.id}/batch`, kind, subject: 'batch mark' }));
  }
  const members = { ...about, id: `${about.id}/members` };
  return [...changes, ...compareMembers(before.rest, after.rest, members)];
}
