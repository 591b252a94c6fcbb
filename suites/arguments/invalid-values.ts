import type { SiteIndex } from '../../client/site-index.ts';
import { checkId } from '../../engine/check.ts';
import type { Session } from '../../engine/session.ts';
import { A_WORD, EMPTY, refusedValues } from '../../generators/constraint-values.ts';
import {
  compareDeclared,
  declaredId,
  type Stated,
  statedIn,
} from '../../probing/declarations/compare-constraint.ts';
import { isText } from '../../probing/records/own/writable-fields.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import type { Basis } from '../../specs/operation-file.ts';
import { wordOutside } from '../../specs/value-hints.ts';

/** The constraints of an operation whose enforcement is asserted. */
export function enforceableIn(operation: Operation): Stated[] {
  return statedIn(operation).filter((stated) => stated.parameter.in !== 'path' && isEnforceable(stated));
}

/**
 * Whether enforcement is asserted. Writable texts are objects that also accept text, and read-only members are silent
 * (R34). Members of other objects have types, which only updates are asked for: a refused creation may leave a record.
 */
export function isEnforceable({ operation, parameter, constraint }: Stated): boolean {
  const { resource, role, effect } = operation;
  if (refusedValues(parameter.schema, constraint).length === 0) return false;
  // The argument for deleting a revision is a rule on its value (R8), checked on the run's own revisions.
  if (resource?.kind === 'revisions' && role === 'delete') return false;
  const writableObject = effect === 'writes' && resource !== undefined && parameter.schema.type === 'object';
  const isMemberOfUpdate =
    role === 'update' && !isText(parameter) && constraint.kind === 'type' && constraint.steps.length > 0;
  return (!writableObject || isMemberOfUpdate) && constraint.schema.readOnly !== true;
}

/**
 * The values that must be refused. For an enum: the first value that a parameter of the same name has elsewhere, for a
 * read another one chosen by the seed, and a likely or an unknown one. None is a word that the site adds to the enum.
 */
export function invalidValuesOf(session: Session, stated: Stated): ReturnType<typeof refusedValues> {
  const { operation, parameter, constraint } = stated;
  const { kind, schema, steps } = constraint;
  const members = kind === 'enum' ? [...(schema.enum ?? []), ...addedWords(session.index, stated)] : [];
  const inner = steps.at(-1);
  const word = wordOutside(inner?.to === 'property' ? inner.name : parameter.name, members);
  const likely = word === undefined ? [] : [{ value: word, why: 'a word that software takes in its place' }];
  const isPlain = steps.every(({ to }, at) => at === 0 && to === 'items');
  // What a site publishes about one operation says nothing about another.
  if (kind !== 'enum' || !isPlain || operation.basis === 'published') {
    const sent = operation.effect === 'reads' ? 'queries' : 'bodies';
    return refusedValues(parameter.schema, constraint, likely).filter(
      ({ unlikelyIn }) => unlikelyIn !== sent,
    );
  }
  const drawn = wordsElsewhere(session, stated, members);
  // Software may know all words of other enums, and read only unknown ones as a default.
  const unknown = drawn.length > 0 && steps.length === 0 ? [A_WORD] : [];
  const words = [
    ...drawn.map((value) => ({ value, why: `a member of the enum of another ${parameter.wire}` })),
    ...(likely.length === 0 ? unknown : likely),
  ];
  // Lists have enough parameters to send it in no further request. Among items it may stand for an empty list.
  const isFree = operation.role === 'list' && operation.strict && steps.length === 0;
  const outside = [...(words.length === 0 ? [A_WORD] : words), ...(isFree ? [EMPTY] : [])];
  return refusedValues(parameter.schema, constraint, outside);
}

/** Words of the enums of parameters with the same name: the first, and for a read another one that the seed draws. */
function wordsElsewhere(
  { contract, seed }: Session,
  { operation, parameter }: Stated,
  members: readonly unknown[],
): unknown[] {
  const { namespace } = operation.route;
  const elsewhere = contract.operations
    .filter(({ route, basis }) => route.namespace === namespace && basis !== 'published')
    .flatMap(({ parameters }) => parameters.filter(({ name }) => name === parameter.name))
    .flatMap((one) => one.schema.enum ?? one.schema.items?.enum ?? []);
  const [first, ...further] = [...new Set(elsewhere)].filter((member) => !members.includes(member));
  // Software accepts the current status of a record, such as that of uploads, even if it does not list it.
  const another = operation.effect === 'reads' ? further[seed % further.length] : undefined;
  return [first, another].filter((value) => value !== undefined);
}

function addedWords(index: SiteIndex, stated: Stated): readonly string[] {
  const outcomes = compareDeclared(index, stated).map(({ outcome }) => outcome);
  return outcomes.flatMap((outcome) => (typeof outcome === 'object' ? (outcome.adds ?? []) : []));
}

/** The id of the check that a constraint is enforced. */
export function enforcedId(stated: Stated): string {
  return checkId(declaredId(stated), 'enforced');
}

/** Namespaces that are not strict need not enforce a declared type: accepting another type is only a warning (R34). */
export function basisOf({ operation, constraint: { schema, kind } }: Stated): Basis {
  if (schema['x-doubtful']?.includes(kind) === true) return 'doubtful';
  return (kind === 'type' || kind === 'format') && !operation.strict ? 'doubtful' : 'implied';
}

/** A value that must be refused; `undefined` stands for leaving the parameter out. */
export interface InvalidArgument {
  readonly parameter: Parameter;
  readonly value: unknown;
}

/** The values of an operation that the checks of a run expect to be refused. */
export function invalidArgumentsOf(session: Session, operation: Operation): InvalidArgument[] {
  if (deletesRecords(operation)) return [];
  return enforceableIn(operation)
    .filter((one) => session.runs(enforcedId(one)))
    .flatMap((one) =>
      invalidValuesOf(session, one).map(({ value }) => ({ parameter: one.parameter, value })),
    );
}

/** Whether an invalid call could delete a record: then only the run's own records are risked. */
export function deletesRecords({ methods, strict, effect, basis }: Operation): boolean {
  if (!methods.includes('DELETE')) return false;
  return basis === 'published' ? effect === 'writes' : strict;
}
