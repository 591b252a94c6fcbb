import { type JsonObject, numberedList } from '../../client/json.ts';
import { type Check, check, checkId, type Finding, type Found } from '../../engine/check.ts';
import { show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { plural } from '../../engine/text.ts';
import { compareKeywordShape, KEYWORDS } from '../../probing/declarations/compare-keywords.ts';
import { readDescriptor } from '../../probing/declarations/descriptor.ts';
import { findRoute, servedMethods } from '../../probing/declarations/find-route.ts';
import { constraintsOf } from '../../specs/schema.ts';
import { indexCurl } from './route-checks.ts';

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
