import { type JsonObject, member, numberedList } from '../../client/json.ts';
import {
  type Check,
  check,
  checkId,
  declares,
  type Finding,
  type Found,
  serves,
} from '../../engine/check.ts';
import type { Difference } from '../../engine/equal.ts';
import { blocked, enoughAlike, list, notApplicable, sharedFinding, show } from '../../engine/findings.ts';
import { fixture, type Session } from '../../engine/session.ts';
import { plural } from '../../engine/text.ts';
import {
  compareDeclared,
  type DeclaredOutcome,
  declaredBasis,
  declaredId,
  describeStated,
  placeId,
  type Stated,
  statedBy,
  statedIn,
} from '../../probing/declarations/compare-constraint.ts';
import { compareKeywordShape, KEYWORDS } from '../../probing/declarations/compare-keywords.ts';
import { readDescriptor } from '../../probing/declarations/descriptor.ts';
import { declarationIn, findRoute, servedMethods } from '../../probing/declarations/find-route.ts';
import type { AbsentParameter, Operation, Parameter } from '../../specs/model.ts';
import { type Constraint, constraintsOf, describePlace, placeOf, type Step } from '../../specs/schema.ts';
import { alikeTo, methodId } from './declared-alike.ts';
import { indexCurl, indexFailure, operationFragment, readableRoute, unservedFor } from './route-checks.ts';

/** Checks the declaration of an operation in the index: its methods, batch mark (§4.2) and parameters. */
export function operationChecks(operation: Operation): Check[] {
  const own = [
    ...operation.methods.map((method) => methodCheck(operation, method)),
    batchMarkCheck(operation),
  ];
  const fragment = (): string => operationFragment(operation);
  return [
    ...own.map((check) => ({ ...check, fragment })),
    ...operation.parameters.flatMap((parameter) => parameterChecks(operation, parameter)),
    ...operation.absent.map((absent) => absentCheck(operation, absent)),
  ];
}

function methodCheck(operation: Operation, method: string): Check {
  const { route } = operation;
  return check({
    id: serves(operation, method),
    kind: 'listed',
    title: `serves ${method} on ${route.wire}`,
    basis: operation.basis,
    on: operation,
    needs: readableRoute(route),
    async run(session) {
      const match = findRoute(session.index, route);
      if (match === undefined) return [];
      const { key, endpoints } = match.route;
      const methods = new Set(endpoints.flatMap((endpoint) => endpoint.methods));
      if (methods.has(method)) return [];
      const served = [...methods].join(', ');
      const id = serves(operation, method);
      const respelt = await respeltMethods(session);
      const isRespelt = respelt.includes(id);
      const { methods: unserved, alike } = await unservedFor(session, id, route.namespace);
      const isOne = isRespelt || unserved.length < 2;
      const message = `the route ${route.wire} does not serve ${method}${isOne ? '' : `, as its namespace serves none of ${unserved.join(', ')}`}`;
      const expected = operation.methods.join(', ');
      const path = ['routes', key, 'methods'];
      const found = indexFailure(session, message, expected, served || 'no methods', ...path);
      return sharedFinding(session, id, isRespelt ? respelt : alike, found);
    },
  });
}

/** The ids of the selected checks of methods that the index names in other letter case, which a site does everywhere. */
const respeltMethods = fixture('methods in another case', async (session) => {
  const { contract, index } = session;
  const respelt = contract.operations.flatMap((operation) => {
    const named = findRoute(index, operation.route)?.route.endpoints.flatMap((one) => one.methods) ?? [];
    const upper = named.map((one) => one.toUpperCase());
    return operation.methods
      .filter((method) => !named.includes(method) && upper.includes(method))
      .map((method) => serves(operation, method));
  });
  return enoughAlike(session, respelt);
});

const NO_MARK = 'no batch mark';

function batchMarkCheck(operation: Operation): Check {
  const { route, batchable } = operation;
  return check({
    id: batchMarkId(operation),
    kind: 'listed',
    title: `${operation.id} ${batchable ? 'carries' : 'does not carry'} the batch mark`,
    section: '4.2',
    basis: 'stated',
    on: operation,
    needs: readableRoute(route),
    async run(session) {
      const served = servedMethods(session.index, operation);
      const [first] = served;
      if (first === undefined) return blocked(serves(operation));
      const wrong = served.flatMap(({ endpoints }) => endpoints).find(({ batch }) => batch !== batchable);
      if (wrong === undefined) return [];
      const { key, endpoints: all } = first.route;
      const mark = member(wrong.raw, 'allow_batch');
      const message = batchable
        ? `${operation.id} does not carry the batch mark: callers that batch it break`
        : `${operation.id} carries the batch mark, which the contract does not give it`;
      const expected = batchable ? 'allow_batch with v1 true' : NO_MARK;
      const observed = mark === undefined ? NO_MARK : `allow_batch ${show(mark)}`;
      const path = ['routes', key, 'endpoints', all.indexOf(wrong), 'allow_batch'];
      const found = indexFailure(session, message, expected, observed, ...path);
      const everywhere = await wrongMarks(session, '');
      const alike = everywhere.length > 0 ? everywhere : await wrongMarks(session, route.namespace);
      return sharedFinding(session, batchMarkId(operation), alike, found);
    },
  });
}

function batchMarkId({ id }: Operation): string {
  return checkId(id, 'batch-mark');
}

/** The ids of the selected checks of batch marks that fail, if all operations, or those of a namespace, carry it or none does. */
const wrongMarks = fixture('batch marks', async (session, within: string) => {
  const { contract, index } = session;
  const all = contract.operations.filter(({ route }) => ['', route.namespace].includes(within));
  const marks = (one: Operation): boolean[] =>
    servedMethods(index, one).flatMap(({ endpoints }) => endpoints.map(({ batch }) => batch));
  const isSame = new Set(all.flatMap(marks)).size === 1;
  const wrong = all.filter((one) => marks(one).includes(!one.batchable)).map(batchMarkId);
  return isSame ? enoughAlike(session, wrong) : [];
});

/** Checks that the index declares a parameter, and each constraint of the contract with equal meaning. */
function parameterChecks(operation: Operation, parameter: Parameter): Check[] {
  const declared = [declares(operation, parameter.name)];
  let at: readonly Step[] | undefined;
  let place = '';
  return statedBy(operation, parameter).map((stated) => {
    const { steps } = stated.constraint;
    // Constraints of one place share its text: a large site has hundreds of thousands of them.
    if (steps !== at) place = describeStated(stated);
    at = steps;
    return constraintCheck(stated, declared, place);
  });
}

function constraintCheck(stated: Stated, declared: readonly string[], place: string): Check {
  const { operation, parameter, constraint } = stated;
  const { kind, steps, schema } = constraint;
  return check({
    id: declaredId(stated),
    kind: kind === 'absent' || kind === 'default/absent' ? 'absent' : 'declared',
    title: titleOf(constraint, place),
    section: schema['x-section'] ?? parameter.section,
    basis: declaredBasis(stated),
    on: operation,
    parameter,
    needs: kind === 'declared' && steps.length === 0 ? readableRoute(operation.route) : declared,
    fragment: () => operationFragment(operation, [parameter]),
    run: (session) => evaluate(session, stated),
  });
}

function kindOf(session: Session, stated: Stated, different: Difference): Finding['kind'] {
  if (different.undecided === true) return 'inconclusive';
  return different.advisory === true || isRegistered(session, stated, different) ? 'warning' : 'failure';
}

async function evaluate(session: Session, stated: Stated): Promise<Found> {
  const { operation, parameter, constraint } = stated;
  const { kind, steps } = constraint;
  const outcomes = compareDeclared(session.index, stated);
  if (outcomes.length === 0) return blocked(serves(operation));
  const different = outcomes.filter(({ outcome }) => outcome !== undefined);
  const [conclusive] = different;
  const first = conclusive?.outcome;
  if (conclusive === undefined || first === undefined) return [];
  if (first === 'undeclared') return notApplicable(`declares no ${kind} there, which it need not`);
  if (first === 'blocked') {
    const holder = kind === 'declared' || kind === 'absent' ? steps.slice(0, -1) : steps;
    return blocked(checkId(placeId(stated, holder), 'declared'));
  }
  const typed = first.mistyped === true ? typeCheckOf(stated) : undefined;
  if (typed !== undefined && session.runs(typed)) return blocked(typed);
  const names = different.map(({ method }) => method).join(', ');
  const methods = different.length < outcomes.length ? `${names}: ` : '';
  const alike = await alikeTo(session, stated, methodId(operation, conclusive));
  return sharedFinding(session, declaredId(stated), alike, {
    kind: kindOf(session, stated, first),
    message: `${methods}${describePlace(parameter.wire, steps)} ${first.message}`,
    expected: first.expected,
    observed: first.observed,
    ...(first.adds !== undefined && { adds: first.adds }),
    reproduce: [indexCurl(session, ...pathTo(conclusive, parameter.wire))],
  });
}

/** Whether the site adds the same members for all resources, as where a plugin registers them (R43). */
function isRegistered(
  { contract, index }: Session,
  { operation, parameter, constraint }: Stated,
  { adds }: Difference,
): boolean {
  const isMeant = ({ kind, schema }: Constraint): boolean =>
    kind === constraint.kind && schema['x-registered'] === true;
  if (adds === undefined || !isMeant(constraint)) return false;
  const outcomes = contract.operations
    .filter(({ id, role }) => id !== operation.id && role === operation.role)
    .flatMap(statedIn)
    .filter((one) => one.parameter.name === parameter.name && isMeant(one.constraint))
    .flatMap((one) => compareDeclared(index, one));
  const words = adds.toSorted().join();
  return (
    outcomes.length > 0 &&
    outcomes.every(({ outcome }) => typeof outcome === 'object' && outcome.adds?.toSorted().join() === words)
  );
}

/** The id of the check of the type that a part or a keyword needs; undefined if the contract states no type. */
function typeCheckOf({ operation, parameter, constraint: { kind, steps } }: Stated): string | undefined {
  const holder = placeOf(kind === 'declared' ? steps.slice(0, -1) : steps);
  const typed = statedBy(operation, parameter).find(
    ({ constraint }) => constraint.kind === 'type' && placeOf(constraint.steps) === holder,
  );
  return typed && declaredId(typed);
}

function pathTo({ route, endpoints }: DeclaredOutcome, name: string): (string | number)[] {
  const declaring = endpoints.find(({ args }) => member(args, name) !== undefined) ?? endpoints[0];
  if (declaring === undefined) return ['routes'];
  return ['routes', route.key, 'endpoints', route.endpoints.indexOf(declaring), 'args', name];
}

function titleOf({ kind, schema, required }: Constraint, place: string): string {
  switch (kind) {
    case 'declared':
      return `declares ${place}`;
    case 'required':
      return `declares ${place} as ${required === true ? 'required' : 'optional'}`;
    case 'default/absent':
      return `declares no default for ${place}`;
    case 'absent':
      return `does not declare ${place}`;
    case 'contexts':
      return `declares ${place} for no other contexts than ${list(schema['x-contexts'] ?? [])}`;
    case 'variants':
      return `declares the stated variants of ${place}, where it declares any`;
    case 'published':
      return `declares ${Object.keys(schema['x-published'] ?? {}).join(', ')} of ${place} as published`;
    case 'default':
    case 'type':
    case 'enum':
    case 'format':
    case 'pattern':
      return `declares the ${kind} ${show(schema[kind])} of ${place}`;
    case 'uniqueItems':
      return `declares the items of ${place} as unique`;
    case 'additionalProperties':
      return `declares ${place} ${schema.additionalProperties === false ? 'closed to' : 'open for'} other members`;
    default:
      return `declares ${kind} ${schema[kind]} for ${place}`;
  }
}

/** The check that the index does not declare a parameter that the contract excludes for an operation (R40). */
function absentCheck(operation: Operation, absent: AbsentParameter): Check {
  const { name, wire, section, basis, reason } = absent;
  return check({
    id: checkId(operation.id, name, 'absent'),
    kind: 'absent',
    title: `does not declare ${wire} of ${operation.id} (${reason})`,
    section,
    basis,
    on: operation,
    parameter: name,
    needs: readableRoute(operation.route),
    run(session) {
      const served = servedMethods(session.index, operation);
      if (served.length === 0) return blocked(serves(operation));
      const declaring = served.filter(({ endpoints }) => declarationIn(endpoints, wire) !== undefined);
      const [first] = declaring;
      if (first === undefined) return [];
      const own = filterOfItsOwn(first.endpoints, operation, absent);
      if (own !== undefined) return notApplicable(`comes with ${own}, a filter of the site's own`);
      const declaration = declarationIn(first.endpoints, wire);
      const methods = declaring.map(({ method }) => method).join(', ');
      const message = `${methods} of ${operation.id} declares ${wire}, which the contract excludes (${reason})`;
      return indexFailure(session, message, 'no declaration', show(declaration));
    },
  });
}

/** An unknown filter that is declared with its opposite, as when a plugin adds a taxonomy. */
function filterOfItsOwn(
  endpoints: DeclaredOutcome['endpoints'],
  { parameters, absent: excluded }: Operation,
  { unlessBeside }: AbsentParameter,
): string | undefined {
  if (unlessBeside === undefined) return undefined;
  const known = new Set([...parameters, ...excluded].map(({ wire }) => wire));
  const declared = endpoints.flatMap(({ args }) => Object.keys(args ?? {}));
  return declared.find((name) => !known.has(name) && declared.includes(`${name}${unlessBeside}`));
}

/**
 * Checks the form of what no other check reads: parameters beyond the contract, and keywords that it does not state for
 * a parameter (§1). §1 gives the type of `required` alone, so that another one is a warning.
 */
export function descriptionChecks(): Check[] {
  return [
    check({
      id: checkId('index', 'routes', 'descriptions'),
      kind: 'listed',
      title: 'parameters are described in the stated form',
      section: '1',
      basis: 'stated',
      operation: 'index.read',
      needs: [checkId('index', 'routes', 'type')],
      run: evaluateDescriptions,
    }),
  ];
}

/** A keyword or a whole description of another form. */
type Fault = Pick<Finding, 'kind' | 'message' | 'expected' | 'observed'>;

function evaluateDescriptions(session: Session): Found {
  const { contract, index } = session;
  const stated = statedKeywords(session);
  const served = new Set(contract.routes.map((route) => findRoute(index, route)?.route));
  const found = index.routes
    .filter((route) => served.has(route))
    .flatMap(({ key, endpoints }) =>
      endpoints.flatMap(({ args = {} }, at) =>
        Object.entries(args).flatMap(([name, declared]): Finding[] => {
          const fault = faultOf(declared, stated.get(args)?.get(name));
          if (fault === undefined) return [];
          const reproduce = [indexCurl(session, 'routes', key, 'endpoints', at, 'args', name)];
          return [{ ...fault, message: `${name} of ${key} ${fault.message}`, reproduce }];
        }),
      ),
    );
  const first = found.find(({ kind }) => kind === 'failure') ?? found[0];
  const others = found.length < 2 ? '' : `; ${plural(found.length - 1, 'other description')} too`;
  return first && { ...first, message: `${first.message}${others}` };
}

/** The keywords with checks of their own, by declared arguments and parameter. */
function statedKeywords({ contract, index }: Session): Map<JsonObject, Map<string, Set<string>>> {
  const stated = new Map<JsonObject, Map<string, Set<string>>>();
  for (const operation of contract.operations) {
    for (const { args } of servedMethods(index, operation).flatMap(({ endpoints }) => endpoints)) {
      if (args === undefined) continue;
      const known = stated.get(args) ?? new Map<string, Set<string>>();
      stated.set(args, known);
      for (const { wire, schema, required } of operation.parameters) {
        const own = constraintsOf(schema, required).flatMap(({ kind, steps }) => {
          const [step] = steps;
          return step === undefined ? [kind] : steps.length === 1 && step.to === 'items' ? ['items'] : [];
        });
        known.set(wire, new Set(own));
      }
    }
  }
  return stated;
}

/** @param stated the keywords that other checks read; undefined for a parameter beyond the contract */
function faultOf(declared: unknown, stated: ReadonlySet<string> | undefined): Fault | undefined {
  const descriptor = readDescriptor(declared);
  if (descriptor === undefined) {
    if (stated !== undefined) return undefined;
    return {
      kind: 'failure',
      message: 'has no description',
      expected: 'an object',
      observed: show(declared),
    };
  }
  const wrong = Object.keys(KEYWORDS).flatMap((keyword): Fault[] => {
    const isNumbered = numberedList(descriptor.keyword(keyword)) !== undefined;
    const isStated = stated?.has(keyword) === true && !isNumbered;
    const difference = isStated ? undefined : compareKeywordShape(keyword, descriptor);
    if (difference === undefined) return [];
    const { message, expected, observed } = difference;
    return [{ kind: keyword === 'required' ? 'failure' : 'warning', message, expected, observed }];
  });
  return wrong.find(({ kind }) => kind === 'failure') ?? wrong[0];
}
