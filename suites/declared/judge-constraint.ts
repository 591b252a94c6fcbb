import type { Constraint, Step } from '../../specs/constraints.ts';
import { typesOf } from '../../specs/schema.ts';
import { compareDefault } from '../compare/compare-default.ts';
import { compareLimit } from '../compare/compare-limit.ts';
import { comparePattern } from '../compare/compare-pattern.ts';
import { compareSets } from '../compare/compare-sets.ts';
import { type Descriptor, readDescriptor } from '../compare/descriptor.ts';
import type { Difference } from '../compare/difference.ts';
import { show } from '../show.ts';
import { patternSamples } from './pattern-samples.ts';

/**
 * Judges one constraint against a parameter's declaration.
 * @param declaration what `args` holds for the parameter, undefined when it has no such parameter
 * @returns undefined when it is met; `'blocked'` when the place is not declared at all, which another check reports.
 */
export function judgeConstraint(
  constraint: Constraint,
  declaration: unknown,
): Difference | 'blocked' | undefined {
  const last = constraint.steps.at(-1);
  const parent = descend(declaration, constraint.steps.slice(0, -1));
  const here = last === undefined ? readDescriptor(declaration) : parent && take(parent, last);
  if (constraint.kind === 'declared') {
    if (here !== undefined) return undefined;
    if (last !== undefined && parent === undefined) return 'blocked';
    return { message: 'is not declared', expected: 'a declaration', observed: 'nothing' };
  }
  if (here === undefined) return 'blocked';
  if (constraint.kind === 'required') {
    const observed =
      last?.to === 'property' && parent !== undefined
        ? parent.requires(last.name)
        : here.keyword('required') === true;
    return compareRequired(constraint.required === true, observed);
  }
  return judgeKeyword(constraint, here);
}

function judgeKeyword({ kind, schema }: Constraint, here: Descriptor): Difference | undefined {
  switch (kind) {
    case 'declared':
    case 'required':
      return undefined;
    case 'type':
      return compareTypes(typesOf(schema), here.types());
    case 'default':
      return compareDefault(schema, here.keyword('default'));
    case 'default/absent':
      return (here.keyword('default') ?? null) === null
        ? undefined
        : {
            message: 'declares a default where the contract has none',
            expected: 'no default',
            observed: show(here.keyword('default')),
          };
    case 'enum':
      return compareSets('enum', schema.enum ?? [], here.listed('enum'));
    case 'format':
      return here.keyword('format') === schema.format
        ? undefined
        : {
            message: 'declares another format',
            expected: show(schema.format),
            observed: show(here.keyword('format')),
          };
    case 'pattern': {
      const pattern = schema.pattern ?? '';
      return comparePattern(pattern, here.keyword('pattern'), patternSamples(pattern), false);
    }
    case 'uniqueItems':
      return here.keyword('uniqueItems') === true
        ? undefined
        : {
            message: 'does not declare that items are unique',
            expected: 'true',
            observed: show(here.keyword('uniqueItems')),
          };
    case 'additionalProperties':
      return compareClosed(schema.additionalProperties === false, here.keyword('additionalProperties'));
    default:
      return compareLimit(kind, schema, here);
  }
}

function compareTypes(expected: readonly string[], observed: readonly string[]): Difference | undefined {
  return compareSets('type', [...expected].sort(), observed.length === 0 ? undefined : observed);
}

function compareRequired(expected: boolean, observed: boolean): Difference | undefined {
  if (expected === observed) return undefined;
  return {
    message: expected
      ? 'is not declared as required: nothing promises to refuse a request without it'
      : 'is declared as required: callers that leave it out break',
    expected: expected ? 'required' : 'optional',
    observed: observed ? 'required' : 'optional',
  };
}

function compareClosed(closed: boolean, observed: unknown): Difference | undefined {
  if (closed && observed !== false) {
    return {
      message: 'is declared open: members that the contract excludes are allowed',
      expected: 'false',
      observed: show(observed),
    };
  }
  if (!closed && observed === false) {
    return {
      message: 'is declared closed: callers that send members of their own break',
      expected: 'any members',
      observed: 'false',
    };
  }
  return undefined;
}

function descend(declaration: unknown, steps: readonly Step[]): Descriptor | undefined {
  return steps.reduce<Descriptor | undefined>(
    (at, step) => at && take(at, step),
    readDescriptor(declaration),
  );
}

function take(from: Descriptor, step: Step): Descriptor | undefined {
  if (step.to === 'property') return from.property(step.name);
  return step.to === 'items' ? from.items() : from.additional();
}
