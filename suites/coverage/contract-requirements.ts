import { checkId } from '../../engine/check.ts';
import { show } from '../../engine/findings.ts';
import { placeId } from '../../probing/declarations/compare-constraint.ts';
import type { AbsentParameter, Contract, Operation, Parameter } from '../../specs/model.ts';
import { type Constraint, constraintsOf, describePlace } from '../../specs/schema.ts';
import type { Requirement } from '../../specs/texts.ts';

/**
 * What the contract states for each operation, as requirements: its methods, and every constraint of its parameters.
 * They come from the contract and not from the checks, so that one without a check shows. The id is the id of the check
 * that has to be there; where enforcement or effect is tried, that check is below it.
 */
export function statedConstraints(contract: Contract): Requirement[] {
  return contract.operations.flatMap((operation) => [
    ...operation.methods.map((method) => methodOf(operation, method)),
    ...operation.parameters.flatMap((parameter) =>
      constraintsOf(parameter.schema, parameter.required).map((constraint) =>
        requirementOf(operation, parameter, constraint),
      ),
    ),
    ...operation.absent.map((absent) => absenceOf(operation, absent)),
  ]);
}

function methodOf({ id, section, basis, route }: Operation, method: string): Requirement {
  const check = checkId(id, 'method', method);
  return { id: check, section, basis, statement: `${route.wire} serves ${method}.`, checks: [check] };
}

function absenceOf({ id }: Operation, { name, wire, section, basis, reason }: AbsentParameter): Requirement {
  const check = checkId(id, name, 'absent');
  const statement = `${wire} is no parameter of ${id} (${reason}).`;
  return { id: check, section, basis, statement, checks: [check] };
}

function requirementOf(operation: Operation, parameter: Parameter, constraint: Constraint): Requirement {
  const { kind, steps, schema } = constraint;
  const id = checkId(placeId(operation, parameter, steps), kind);
  return {
    id,
    section: schema['x-section'] ?? parameter.section,
    basis:
      schema['x-doubtful']?.includes(kind) === true
        ? 'doubtful'
        : constraint.required === false
          ? 'implied'
          : (schema['x-basis'] ?? parameter.basis),
    statement: `${describePlace(parameter.wire, steps)} of ${operation.id} ${predicateOf(constraint)}.`,
    checks: [id],
  };
}

function predicateOf({ kind, schema, required }: Constraint): string {
  switch (kind) {
    case 'declared':
      return 'is a parameter';
    case 'required':
      return required === true ? 'is required' : 'is optional';
    case 'default/absent':
      return 'has no default';
    case 'absent':
      return 'is stated to be absent';
    case 'contexts':
      return `appears in the contexts ${show(schema['x-contexts'])}, where contexts are declared`;
    case 'variants':
      return `has the variants ${show(schema['x-variants'])}, where variants are declared`;
    case 'published':
      return `has ${Object.keys(schema['x-published'] ?? {}).join(', ')} as published`;
    case 'default':
      return `has the default ${show(schema.default)}`;
    case 'uniqueItems':
      return 'has unique items';
    case 'additionalProperties':
      return schema.additionalProperties === false ? 'has no other members' : 'may have other members';
    case 'enum':
      return `is one of ${show(schema.enum)}`;
    default:
      return `has the ${kind} ${show(schema[kind])}`;
  }
}

const ABOUT = { section: 'published', basis: 'published' } as const;

/** What a site publishes of itself beyond what files state, as requirements: it is the whole, and its records are as published. */
export function publishedRequirements({ operations, namespaces }: Contract): Requirement[] {
  return [
    ...namespaces
      .filter(({ basis }) => basis === 'published')
      .map(({ name, wire }): Requirement => {
        const checks = ['served', 'root', 'enforced'].map((aspect) => checkId('namespaces', name, aspect));
        return {
          ...ABOUT,
          id: checkId('namespaces', name),
          statement: `${wire} is served and enforced.`,
          checks,
        };
      }),
    ...operations.filter(({ basis }) => basis === 'published').flatMap(ofOperation),
  ];
}

function ofOperation({ id, answer, effect, role, batchable }: Operation): Requirement[] {
  const more = checkId(id, 'method', 'asks-no-more');
  const requirements: Requirement[] = [
    { ...ABOUT, id: more, statement: `${id} asks no more of its callers than it did.`, checks: [more] },
    {
      ...ABOUT,
      id: checkId(id, 'behaviour'),
      statement: `${id} ${batchable ? 'is' : 'is not'} for batches, and answers without a server error.`,
      checks: ['batch-mark', 'answers', 'fuzz', 'form', 'own-record'].map((aspect) => checkId(id, aspect)),
    },
  ];
  if (answer !== undefined && effect === 'reads') {
    const statement = `The records of ${id} are as the site publishes them (${answer.name}).`;
    requirements.push({ ...ABOUT, id: checkId('records', id), statement, checks: [checkId('records', id)] });
  }
  if (role === 'list') {
    const statement = `${id} holds its records on pages, each once.`;
    requirements.push({ ...ABOUT, id: checkId(id, 'lists'), statement, checks: [`${id}/*/filters/**`] });
  }
  return requirements;
}
