import type { JsonObject } from '../../client/json.ts';
import { type Check, check, checkId, type Finding, type Found } from '../../engine/check.ts';
import { show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { plural } from '../../engine/text.ts';
import { compareKeywordShape, KEYWORDS } from '../../probing/declarations/compare-keywords.ts';
import { readDescriptor } from '../../probing/declarations/descriptor.ts';
import { findRoute, servedMethods } from '../../probing/declarations/find-route.ts';
import type { Operation } from '../../specs/model.ts';
import { constraintsOf } from '../../specs/schema.ts';
import { indexCurl } from './route-checks.ts';

/**
 * Checks what no other check reads: parameters beyond the contract, and the form of keywords that it does not state for
 * a parameter (§1). §1 gives the type of `required` alone, so that another one is a warning. A parameter beyond the
 * contract may not be required (R9).
 */
export function descriptionChecks(): Check[] {
  return [
    check({
      id: checkId('index', 'routes', 'descriptions'),
      kind: 'listed',
      title: 'parameters are described in the stated form, and none beyond the contract is required',
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
  const stated = statedIn(session);
  const served = new Set(contract.routes.map((route) => findRoute(index, route)?.route));
  const found = index.routes
    .filter((route) => served.has(route))
    .flatMap(({ key, parts, endpoints }) =>
      endpoints.flatMap(({ args = {} }, at) =>
        Object.entries(args).flatMap(([name, declared]): Finding[] => {
          const known = stated.get(args);
          const isInPath = parts.some((part) => 'pathParameter' in part && part.pathParameter === name);
          const fault =
            faultOf(declared, known?.keywords.get(name)) ??
            (isInPath || known?.isWhole !== true || known.names.has(name) ? undefined : demandOf(declared));
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

/** What the contract states of declared arguments. */
interface StatedArgs {
  /** The keywords with checks of their own, by parameter. */
  readonly keywords: Map<string, Set<string>>;
  /** The parameters with checks of their own, excluded ones too. */
  readonly names: Set<string>;
  /** Whether other parameters are beyond the contract, instead of stated ones under another name. */
  isWhole: boolean;
}

function statedIn({ contract, index }: Session): Map<JsonObject, StatedArgs> {
  const stated = new Map<JsonObject, StatedArgs>();
  for (const operation of contract.operations) {
    for (const { args } of servedMethods(index, operation).flatMap(({ endpoints }) => endpoints)) {
      if (args === undefined) continue;
      const known = stated.get(args) ?? { keywords: new Map(), names: new Set(), isWhole: true };
      stated.set(args, known);
      addTo(known, operation, args);
    }
  }
  return stated;
}

function addTo(known: StatedArgs, { parameters, absent, basis }: Operation, args: JsonObject): void {
  for (const { wire, schema, required } of parameters) {
    const own = constraintsOf(schema, required).flatMap(({ kind, steps }) => {
      const [step] = steps;
      return step === undefined ? [kind] : steps.length === 1 && step.to === 'items' ? ['items'] : [];
    });
    known.keywords.set(wire, new Set(own));
  }
  for (const { wire } of [...parameters, ...absent]) known.names.add(wire);
  // What a site publishes is no promise of completeness.
  const isRenamed = parameters.some(({ wire, required }) => required === true && !Object.hasOwn(args, wire));
  if (basis === 'published' || isRenamed) known.isWhole = false;
}

/** The fault of a parameter beyond the contract that is required, and for which a default does not stand in. */
function demandOf(declared: unknown): Fault | undefined {
  const descriptor = readDescriptor(declared);
  const isDue = descriptor?.keyword('required') === true && (descriptor.keyword('default') ?? null) === null;
  if (!isDue) return undefined;
  return {
    kind: 'failure',
    message: 'is required, which the contract does not have: calls that keep to the contract are refused',
    expected: 'optional, or no declaration',
    observed: 'required',
  };
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
    const difference = stated?.has(keyword) === true ? undefined : compareKeywordShape(keyword, descriptor);
    if (difference === undefined) return [];
    const { message, expected, observed } = difference;
    return [{ kind: keyword === 'required' ? 'failure' : 'warning', message, expected, observed }];
  });
  return wrong.find(({ kind }) => kind === 'failure') ?? wrong[0];
}
