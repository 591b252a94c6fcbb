import { goodValue } from '../../generators/good-value.ts';
import type { Operation, Parameter } from '../../specs/model.ts';

/** Values that the schema alone does not tell: the names of things that every site has, or has not to have. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  // No template of a theme is sure to exist; the empty one is.
  template: '',
  // A batch whose only part leads nowhere changes nothing.
  requests: [{ path: '/no-such-route' }],
  // Without it a deletion may be a move into the trash, or not supported at all.
  force: true,
  // The one variant that §4.8 shows.
  modifiers: [{ type: 'flip', args: { flip: { horizontal: true, vertical: false } } }],
};

/** A wrong password is denied, and no password is known: it is left out. */
const LEFT_OUT_OF_READS: ReadonlySet<string> = new Set(['password']);

/** One value that a parameter accepts on every site; `undefined` where it is better left out. */
export function goodArgument(operation: Operation, parameter: Parameter): unknown {
  if (operation.effect === 'reads' && LEFT_OUT_OF_READS.has(parameter.name)) return undefined;
  return Object.hasOwn(BY_NAME, parameter.name) ? BY_NAME[parameter.name] : goodValue(parameter.schema);
}
