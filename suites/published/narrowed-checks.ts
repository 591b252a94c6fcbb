import { asObject, member } from '../../client/json.ts';
import { type Check, check, checkId, type Finding, servedBy, serves } from '../../engine/check.ts';
import { blocked, failure, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { endpointsFor, findRoute } from '../../probing/declarations/find-route.ts';
import type { Operation, Parameter } from '../../specs/model.ts';

/** Keywords that narrow what a parameter takes, where the contract has none of them. */
const NARROWING = [
  ...(['type', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength'] as const),
  ...(['pattern', 'format', 'minItems', 'maxItems'] as const),
];

/**
 * The check that a published operation asks no more of its callers than it did: no further parameter is required, and no
 * further keyword narrows one that is known. What a stated contract leaves out is silent; a published one is the whole.
 */
export function narrowedChecks(operation: Operation): Check[] {
  if (operation.basis !== 'published') return [];
  return [
    check({
      id: checkId(operation.id, 'method', 'asks-no-more'),
      kind: 'listed',
      title: `${operation.id} asks no more of its callers than it did`,
      basis: 'published',
      on: operation,
      needs: servedBy(operation),
      run: (session) => judge(session, operation),
    }),
  ];
}

function judge(session: Session, operation: Operation): Finding[] {
  const match = findRoute(session.index, operation.route);
  const [endpoint] = match === undefined ? [] : endpointsFor(match.route, operation.methods[0] ?? '');
  if (endpoint === undefined) return [blocked(serves(operation))];
  const known = new Map(operation.parameters.map((parameter) => [parameter.wire, parameter]));
  return Object.entries(endpoint.args ?? {}).flatMap(([name, raw]) => {
    const parameter = known.get(name);
    if (parameter !== undefined) return narrowed(parameter, raw);
    if (member(raw, 'required') !== true || (member(raw, 'default') ?? null) !== null) return [];
    const details = { expected: 'no further required parameter', observed: show(raw) };
    return [failure(`requires ${name}, a new parameter: callers that do not know it break`, details)];
  });
}

function narrowed({ wire, schema }: Parameter, raw: unknown): Finding[] {
  const declared = asObject(raw) ?? {};
  return NARROWING.filter((keyword) => {
    const isKnown = schema[keyword] !== undefined || schema['x-published']?.[keyword] !== undefined;
    const isSilent = schema['x-silent']?.includes(keyword) === true;
    return (declared[keyword] ?? '') !== '' && !isKnown && !isSilent;
  }).map((keyword) =>
    failure(`declares a ${keyword} of ${wire}, which had none: callers that send another value break`, {
      expected: `no ${keyword}`,
      observed: show(declared[keyword]),
    }),
  );
}
