import { numberedList } from '../../client/json.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { checkId } from '../../engine/check.ts';
import { type Difference, sameMeaning } from '../../engine/equal.ts';
import { list, show } from '../../engine/findings.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import type { Basis } from '../../specs/operation-file.ts';
import type { Constraint, Schema, Step } from '../../specs/schema.ts';
import {
  constraintsOf,
  describePlace,
  namedMembers,
  placeOf,
  typeOfKeyword,
  typesOf,
} from '../../specs/schema.ts';
import { compareDefault, compareKeywordShape, compareLimit, compareSets } from './compare-keywords.ts';
import { type Descriptor, readDescriptor } from './descriptor.ts';
import { declarationIn, isInPath, type ServedMethod, servedMethods } from './find-route.ts';
import { comparePattern } from './patterns.ts';

/** Compares a constraint with what `args` holds for a parameter; `'blocked'` where another check reports its lack. */
export function compareConstraint(
  constraint: Constraint,
  declaration: unknown,
): Difference | 'blocked' | 'undeclared' | undefined {
  const { kind, steps, schema } = constraint;
  const whole = readDescriptor(declaration);
  const last = steps.at(-1);
  const parent = steps.slice(0, -1).reduce((at, step) => at && take(at, step), whole);
  const here = last === undefined ? whole : parent && take(parent, last);
  if (kind === 'absent') return compareAbsent(constraint, parent, here);
  if (kind === 'declared') return here === undefined ? compareLacking(parent, last) : undefined;
  if (here === undefined) return 'blocked';
  const misshapen = compareShape(kind, here);
  if (misshapen !== undefined) return misshapen;
  if (kind === 'required') {
    const isRequired =
      last?.to === 'property' && parent !== undefined
        ? parent.requires(last.name)
        : here.keyword('required') === true;
    return compareRequired(constraint.required === true, isRequired);
  }
  const difference = compareKeyword(kind, schema, here);
  const holder = ['array', 'object'].find((type) => type === typeOfKeyword(kind));
  if (typeof difference !== 'object' || allows(here, holder)) return difference;
  return { ...difference, mistyped: true };
}

/** The violation in the shape of a keyword. The form of an enum is not stated (§1), only its members. */
function compareShape(kind: Constraint['kind'], here: Descriptor): Difference | undefined {
  const isRead = kind === 'enum' && numberedList(here.keyword(kind)) !== undefined;
  return isRead ? undefined : compareKeywordShape(kind, here);
}

function compareAbsent(
  { absent }: Constraint,
  parent: Descriptor | undefined,
  here: Descriptor | undefined,
): Difference | 'blocked' | undefined {
  if (parent === undefined) return 'blocked';
  if (here === undefined) return undefined;
  const message = `is declared, which the contract excludes (${absent?.reason ?? ''})`;
  return { message, expected: 'no declaration', observed: 'a declaration' };
}

/** What the lack of a declaration is. @param step from the parent to it; undefined for the parameter itself */
function compareLacking(parent: Descriptor | undefined, step: Step | undefined): Difference | 'blocked' {
  const lacking = { message: 'is not declared', expected: 'a declaration', observed: 'nothing' };
  if (step === undefined) return lacking;
  if (parent === undefined) return 'blocked';
  return allows(parent, TYPE_OF_STEP[step.to]) ? lacking : { ...lacking, mistyped: true };
}

const TYPE_OF_STEP = { property: 'object', items: 'array', members: 'object' } as const;

/** Whether a declaration allows a type: it does unless it names only others. */
function allows(here: Descriptor, type: string | undefined): boolean {
  const types = here.types();
  return type === undefined || types.length === 0 || types.includes(type);
}

function compareKeyword(
  kind: Exclude<Constraint['kind'], 'declared' | 'required' | 'absent'>,
  schema: Schema,
  here: Descriptor,
): Difference | 'undeclared' | undefined {
  switch (kind) {
    case 'type':
      return compareTypes(schema, here.types());
    case 'default':
      return compareDefault(schema, here.keyword('default'));
    case 'default/absent':
      return compareValue(here.keyword('default') ?? undefined, undefined, NO_DEFAULT);
    case 'enum':
      return compareSets('enum', schema.enum ?? [], here.listed('enum'));
    case 'format':
      return compareValue(here.keyword('format'), schema.format, 'declares another format');
    case 'pattern':
      return comparePattern(schema.pattern ?? '', here.keyword('pattern'));
    case 'uniqueItems':
      return compareValue(here.keyword('uniqueItems'), true, 'does not declare that items are unique');
    case 'additionalProperties':
      return schema.additionalProperties === false
        ? compareClosed(schema, here)
        : compareOpen(here.keyword('additionalProperties'));
    case 'contexts':
      return compareContexts(schema['x-contexts'] ?? [], here.keyword('context'));
    case 'published':
      return comparePublished(schema['x-published'] ?? {}, here);
    case 'variants':
      return compareVariants(schema['x-variants'] ?? [], here);
    default:
      return compareLimit(kind, schema, here);
  }
}

/** The words of types; a site that spells one otherwise, such as `String`, spells each so. */
const TYPE_WORDS = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function compareTypes(schema: Schema, declared: readonly string[]): Difference | undefined {
  const stated = typesOf(schema).toSorted();
  // Where null is the stated default, the site may name its type (R23).
  const isNullFree = schema.default === null && !stated.includes('null');
  const observed = isNullFree ? declared.filter((type) => type !== 'null') : declared;
  const difference = compareSets('type', stated, observed.length === 0 ? undefined : observed);
  const isWord = observed.every((type) => TYPE_WORDS.includes(type));
  return difference && { ...difference, ...(!isWord && { malformed: true }) };
}

/**
 * Compares stated variants with `oneOf`, `anyOf`, or an enum of the distinguishing member (R44). More are allowed.
 */
function compareVariants(
  expected: readonly Schema[],
  here: Descriptor,
): Difference | 'undeclared' | undefined {
  const declared = here.variants();
  for (const variant of expected) {
    const [member, word] = distinguishingMember(variant);
    const words = declared.map((one) => declaredWords(one, member));
    if (words.every((one) => one.length === 0)) return 'undeclared';
    const found = declared.filter((_, at) => words[at]?.some((one) => sameMeaning(one, word)) === true);
    if (found.length === 0) {
      const message = `declares no variant with ${member} ${show(word)}`;
      return { message, expected: show(word), observed: list(words.flat()) };
    }
    const wrong = found.map((one) => differingMember(variant, one)).find((one) => one !== undefined);
    if (wrong !== undefined) return { ...wrong, message: `the variant ${show(word)} ${wrong.message}` };
  }
  return undefined;
}

/** The member whose enum has a single word, which names the variant, and that word. */
function distinguishingMember({ properties = {} }: Schema): [string, unknown] {
  const found = Object.entries(properties).find(([, schema]) => schema.enum?.length === 1);
  return found === undefined ? ['', undefined] : [found[0], found[1].enum?.[0]];
}

function declaredWords(variant: Descriptor, member: string): readonly unknown[] {
  const declared = variant.property(member);
  const single = declared?.keyword('const');
  return single === undefined ? (declared?.listed('enum') ?? []) : [single];
}

function differingMember(variant: Schema, declared: Descriptor): Difference | undefined {
  for (const [name, schema] of Object.entries(variant.properties ?? {})) {
    const observed = declared.property(name)?.types() ?? [];
    const expected = typesOf(schema);
    // A variant without a type takes the type of the object around it.
    if (observed.length === 0 || expected.every((type) => observed.includes(type))) continue;
    const message = `declares ${name} as another type`;
    return { message, expected: list(expected), observed: list(observed) };
  }
  return undefined;
}

/** Compares keywords as once published with those declared now. @returns the first difference */
function comparePublished(
  published: Readonly<Record<string, unknown>>,
  here: Descriptor,
): Difference | undefined {
  for (const [keyword, value] of Object.entries(published)) {
    const observed = here.keyword(keyword);
    if (sameMeaning(value, observed)) continue;
    if (keyword === 'pattern' && typeof value === 'string') {
      const difference = comparePattern(value, observed);
      if (difference !== undefined) return difference;
      continue;
    }
    const message =
      observed === undefined ? `declares no ${keyword} any more` : `declares another ${keyword}`;
    return { message, expected: show(value), observed: show(observed) };
  }
  return undefined;
}

const NO_DEFAULT = 'declares a default where the contract has none';

function compareValue(observed: unknown, expected: unknown, message: string): Difference | undefined {
  return observed === expected ? undefined : { message, expected: show(expected), observed: show(observed) };
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

/** Members excluded by name have checks of their own. */
function compareClosed(schema: Schema, here: Descriptor): Difference | undefined {
  const message = 'is declared open: members that the contract excludes are allowed';
  const open = compareValue(here.keyword('additionalProperties'), false, message);
  if (open !== undefined) return open;
  const stated = namedMembers(schema);
  const others = here.members().filter((name) => !stated.has(name));
  if (others.length === 0) return undefined;
  return {
    message: `declares ${list(others)}: the contract has no other members`,
    expected: list(Object.keys(schema.properties ?? {})),
    observed: list(here.members()),
  };
}

function compareOpen(observed: unknown): Difference | undefined {
  const message = 'is declared closed: callers that send members of their own break';
  return observed === false ? { message, expected: 'any members', observed: 'false' } : undefined;
}

/** Contexts need not be declared. Contexts beyond the stated ones are a warning (R46). */
function compareContexts(
  expected: readonly string[],
  observed: unknown,
): Difference | 'undeclared' | undefined {
  if (observed === undefined) return 'undeclared';
  const difference = compareSets('set of contexts', expected, [observed].flat());
  return difference && { ...difference, advisory: true };
}

function take(from: Descriptor, step: Step): Descriptor | undefined {
  if (step.to === 'property') return from.property(step.name);
  return step.to === 'items' ? from.items() : from.additional();
}

/** A constraint that the contract states for a parameter of an operation. */
export interface Stated {
  readonly operation: Operation;
  readonly parameter: Parameter;
  readonly constraint: Constraint;
}

/** All constraints of a parameter. */
export function statedBy(operation: Operation, parameter: Parameter): Stated[] {
  const { schema, required } = parameter;
  return constraintsOf(schema, required).map((constraint) => ({ operation, parameter, constraint }));
}

/** All constraints of an operation. */
export function statedIn(operation: Operation): Stated[] {
  return operation.parameters.flatMap((parameter) => statedBy(operation, parameter));
}

/** The result for the declaration of one method; `undefined` if the constraint is met. */
export interface DeclaredOutcome extends ServedMethod {
  readonly outcome: ReturnType<typeof compareConstraint>;
}

/** Compares a constraint with the declaration for each method of the operation that the target serves. */
export function compareDeclared(
  index: SiteIndex,
  { operation, parameter, constraint }: Stated,
): DeclaredOutcome[] {
  const isParameter = constraint.kind === 'declared' && constraint.steps.length === 0;
  return servedMethods(index, operation).map((served) => {
    const declaration = declarationIn(served.endpoints, parameter.wire);
    const respelt = isParameter && declaration === undefined ? respeltIn(served, parameter.wire) : undefined;
    return { ...served, outcome: respelt ?? compareConstraint(constraint, declaration) };
  });
}

/** The difference of a name that is declared in another spelling, such as `perPage`; a site spells all names alike. */
function respeltIn({ endpoints }: ServedMethod, name: string): Difference | undefined {
  const plain = (spelt: string): string => spelt.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
  const names = endpoints.flatMap(({ args }) => Object.keys(args ?? {}));
  const other = names.find((one) => plain(one) === plain(name));
  if (other === undefined) return undefined;
  return { message: `is spelt ${show(other)}`, expected: name, observed: other, malformed: true };
}

/** Whether the target's declaration of a parameter meets every constraint for every method, and no path holds its value. */
export function isDeclaredAsStated(index: SiteIndex, operation: Operation, parameter: Parameter): boolean {
  if (isInPath(index, operation.route, parameter.wire)) return false;
  return statedBy(operation, parameter).every((stated) => {
    const outcomes = compareDeclared(index, stated);
    return (
      outcomes.length > 0 &&
      outcomes.every(({ outcome }) => outcome === undefined || outcome === 'undeclared')
    );
  });
}

/** How certain a constraint of a declaration is. That a parameter may be left out is only implied. */
export function declaredBasis({ parameter, constraint: { kind, required, schema } }: Stated): Basis {
  if (schema['x-doubtful']?.includes(kind) === true) return 'doubtful';
  return required === false ? 'implied' : (schema['x-basis'] ?? parameter.basis);
}

/** What the ids of all checks of one place in a parameter begin with: `posts.list/status/items`. */
export function placeId({ operation, parameter }: Stated, steps: readonly Step[]): string {
  return checkId(operation.id, parameter.name, placeOf(steps));
}

/** The id of the check that the target declares a constraint; ids of other checks of it begin with this. */
export function declaredId(stated: Stated): string {
  const { kind, steps } = stated.constraint;
  return checkId(placeId(stated, steps), kind);
}

/** The place of a constraint for a reader: `per_page of posts.list`. */
export function describeStated({ operation, parameter, constraint }: Stated): string {
  return `${describePlace(parameter.wire, constraint.steps)} of ${operation.id}`;
}
