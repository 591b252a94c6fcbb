import { isServerError, lacksJson } from '../../client/answer.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { TemplateFinder } from '../../client/observed/find-template.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { type Check, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { describe, failure, failureBy, inconclusive, saidBy } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { groupsBy } from '../../engine/text.ts';
import { methodStops } from '../../probing/tour/stops.ts';
import { asSent } from '../../probing/tour/tour.ts';
import { collectionsOf } from '../../specs/find-resource.ts';
import { memoized } from '../../specs/memoized.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { textsOf } from '../../specs/texts.ts';

/**
 * Checks that no request of the run to the records of a collection was answered with a server error, or accepted without
 * JSON, that no other check reports. They run last, and send HEAD and a preflight, unless a tour has, and otherwise only
 * what confirms an error.
 */
export function serverErrorChecks(contract: Contract): Check[] {
  return collectionsOf(contract).flatMap((resource) => {
    const { list } = resource.operations;
    if (list === undefined || list.effect !== 'reads' || list.route.pathParameters.length > 0) return [];
    const operations = contract.resources
      .filter(({ id, parent }) => [id, parent].includes(resource.id))
      .flatMap((one) => Object.values(one.operations).filter((operation) => operation !== undefined));
    return [serverErrorCheck(resource.id, list, operations)];
  });
}

function serverErrorCheck(collection: string, list: Operation, operations: readonly Operation[]): Check {
  const id = checkId('records', collection, 'no-server-error');
  return check({
    id,
    kind: 'errors',
    title: `no request to the records of ${collection} is answered with a server error`,
    on: list,
    needs: [serves(list)],
    async run(session) {
      const names = textsOf('observed');
      const answers: Observation[] = [];
      for (const stop of methodStops({ route: list.route.wire }, names)) {
        answers.push(await session.ask(asSent(stop, session.caller, names)));
      }
      const isUnreported = (requests: readonly RequestSpec[]): boolean =>
        requests.every((spec) => [undefined, id].includes(session.reported.get(session.client.curl(spec))));
      const findings: (Finding | undefined)[] = [];
      for (const operation of operations) {
        const finding = operation.effect === 'reads' ? confirmedFailure : written;
        for (const requests of failedOf(session, operation).values().filter(isUnreported))
          findings.push(await finding(session, operation, requests));
      }
      const told = findings.some((finding) => finding !== undefined);
      // That routes answer methods beside the stated ones is not specified.
      const isOpen = answers.some(({ answer, status }) => answer === 'accepted' || status === 405);
      // Who is denied everything, or is answered by something else, has seen no server that could fail.
      return told || isOpen
        ? findings
        : answers.slice(0, 1).map((one) => inconclusive(`HEAD of the list is answered ${describe(one)}`));
    },
  });
}

/** Methods that every route with GET may answer. */
const BESIDE_GET: readonly string[] = ['HEAD', 'OPTIONS'];

/** The requests to an operation that failed, by how they did and by method. */
function failedOf(
  { client, index }: Session,
  { methods, route }: Operation,
): [RequestSpec, ...RequestSpec[]][] {
  const finder = finderOf(index);
  const meant = methods.includes('GET') ? [...methods, ...BESIDE_GET] : methods;
  const isOwn = (one: RequestSpec): boolean =>
    meant.includes(one.method) && shapeOf(finder.find(one.route)?.route ?? '') === shapeOf(route.wire);
  return [client.failed, client.withoutJson].flatMap((all) =>
    groupsBy(all.filter(isOwn), ({ method }) => method),
  );
}

const finderOf = memoized((index: SiteIndex) => new TemplateFinder(index));

const MOST_CONFIRMED = 5;
const UNREPORTED = 'which no other check reports';

/** The first request that fails again. A published operation may answer with a file. */
async function confirmedFailure(
  session: Session,
  { id, basis }: Operation,
  requests: readonly RequestSpec[],
): Promise<Finding | undefined> {
  for (const spec of requests.slice(0, MOST_CONFIRMED)) {
    const answer = await session.client.request(spec);
    const what = `${spec.method} for ${id}`;
    if (isServerError(answer))
      return failureBy(`${what} makes the server fail, ${UNREPORTED}`, 'an answer', answer);
    if (lacksJson(answer) && basis !== 'published')
      return failureBy(`${what} is accepted without JSON, ${UNREPORTED}${saidBy(answer)}`, 'JSON', answer);
  }
  return undefined;
}

/** A write is not sent again: one that failed may come from a disturbance. */
function written(
  { client }: Session,
  { id }: Operation,
  [first, second]: readonly [RequestSpec, ...RequestSpec[]],
): Finding {
  const message = `${first.method} for ${id} made the server fail, ${UNREPORTED}`;
  if (second === undefined) return inconclusive(`${message}: ${client.curl(first)}`);
  return failure(message, {
    expected: 'an answer',
    observed: 'a server error',
    reproduce: [client.curl(first), client.curl(second)],
  });
}
