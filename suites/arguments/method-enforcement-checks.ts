import { encodePart } from '../../client/address.ts';
import { namesRefused, saysGone } from '../../client/answer.ts';
import type { Method } from '../../client/observation.ts';
import { isFinding, orAbort } from '../../engine/aborted.ts';
import { type Check, check, checkId, type Finding, type Found, serves } from '../../engine/check.ts';
import { evaluateRefusal, explain, failureBy, inconclusive, list, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import {
  declaredId,
  describeStated,
  type Stated,
  statedBy,
} from '../../probing/declarations/compare-constraint.ts';
import { ownCheck, roots, updateMethodsOf } from '../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../probing/records/own/own-records.ts';
import { collectionsWith, type WritableCollection } from '../../probing/records/own/writable-fields.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { byOtherMethods, sendProbe } from './calls/call.ts';
import { baselineOf, controlOf } from './calls/control.ts';
import { probeAsUser, probedRecord } from './calls/probe-as-user.ts';
import { argumentsRefused, enforcementOf } from './enforcement.ts';
import {
  basisOf,
  enforceableIn,
  enforcedId,
  type InvalidArgument,
  invalidValuesOf,
} from './invalid-values.ts';

/** Checks that an operation refuses by its other methods what it refuses by the first: software may validate each for itself. */
export function methodEnforcementChecks(contract: Contract): Check[] {
  const updates = collectionsWith(contract, 'update').flatMap((about) =>
    updateMethodsOf(about.operation)
      .slice(1)
      .map((method) =>
        ownCheck({
          ...refusing(about.operation, method),
          needs: [roots.update(about.operation.id, method)],
          run: (own) => evaluate(own, about, method),
        }),
      ),
  );
  return [...updates, ...contract.operations.flatMap(callChecks)];
}

function refusing(operation: Operation, method: string | undefined) {
  const { id, methods } = operation;
  return {
    id: checkId(id, 'method', method, 'enforced'),
    kind: 'refused',
    title: `${method} of ${id} refuses what ${methods[0]} refuses`,
    on: operation,
  } as const;
}

/** The checks of an operation that alters the site. What it publishes of itself, it validates at one place. */
function callChecks(operation: Operation): Check[] {
  const { id, effect, basis } = operation;
  const stated = enforceableIn(operation).filter((one) => basisOf(one) !== 'doubtful');
  if (effect !== 'alters-site' || basis === 'published' || stated.length === 0) return [];
  return byOtherMethods(operation).map((other) =>
    check({
      ...refusing(operation, other.methods[0]),
      effect: 'validates',
      needs: [serves(other)],
      after: [checkId(id, 'answers', 'user')],
      run: (session) => evaluateCalls(session, stated, other),
    }),
  );
}

async function evaluateCalls(
  session: Session,
  stated: readonly Stated[],
  operation: Operation,
): Promise<Found> {
  const found: Finding[] = [];
  let refused = 0;
  for (const one of stated) {
    // What the first method takes has a check of its own.
    if (!session.runs(enforcedId(one)) || (await enforcementOf(session, one)).length > 0) continue;
    refused += 1;
    found.push(...(await enforcementOf(session, { ...one, operation })));
  }
  if (refused === 0) return inconclusive('no value is known that another method refuses');
  return found.map((one) => ({ ...one, message: `${operation.methods[0]}: ${one.message}` }));
}

async function evaluate(
  own: OwnRecords,
  { collection, operation }: WritableCollection,
  method: Method,
): Promise<Found> {
  const record = await probedRecord(own, collection);
  if (record === undefined) return inconclusive('no record of its own could be made');
  const invalid = await argumentsRefused(own.session, operation);
  if (invalid.length === 0) return inconclusive('no value is known that it refuses');
  const send = async (values: readonly InvalidArgument[]) => {
    const args = Object.fromEntries(values.map(({ parameter, value }) => [parameter.wire, value]));
    return { values, answer: await own.update(record, args, method) };
  };
  const together = await send(invalid);
  // A refusal only proves the values that it names, or the single one that was sent.
  const named = namesRefused(together.answer);
  const isOpen = ({ parameter }: InvalidArgument): boolean =>
    invalid.length > 1 && !named.includes(parameter.wire);
  const sent = [together];
  for (const value of together.answer.answer === 'refused' ? invalid.filter(isOpen) : [])
    sent.push(await send([value]));
  const taken = sent.find(({ answer }) => answer.answer !== 'refused');
  if (taken === undefined) {
    const gone = sent.find(({ answer }) => saysGone(answer));
    // A site may refuse a value with such a status too.
    const isGone = gone !== undefined && (await own.read(record)).answer !== 'accepted';
    return isGone ? inconclusive(`the own record is gone (${explain(gone.answer)})`) : [];
  }
  const { answer } = taken;
  if (answer.answer !== 'accepted' && answer.answer !== 'broken')
    return inconclusive(`${method} is not refused (${explain(answer)})`);
  const values = taken.values.map(({ parameter, value }) => `${parameter.wire} as ${show(value)}`);
  const message = `${method} of ${operation.id} takes what another method refuses: ${list(values)}`;
  return failureBy(message, 'refused', answer);
}

/** Checks that a path is refused if its only parameter is none of the stated words (R33). */
export function pathEnforcementChecks(operation: Operation): Check[] {
  const { effect, basis, route, parameters } = operation;
  if (effect === 'writes' || basis === 'published' || route.pathParameters.length !== 1) return [];
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap((parameter) => statedBy(operation, parameter))
    .filter(({ constraint: { kind, steps } }) => kind === 'enum' && steps.length === 0)
    .map((stated) =>
      check({
        id: enforcedId(stated),
        kind: 'refused',
        title: `refuses a word outside the enum for ${describeStated(stated)}`,
        ...(effect !== 'reads' && { effect: 'validates' }),
        on: operation,
        parameter: stated.parameter,
        needs: [serves(operation), declaredId(stated)],
        run: (session) => evaluatePaths(session, stated),
      }),
    );
}

async function evaluatePaths(session: Session, stated: Stated): Promise<Found> {
  const words = invalidValuesOf(session, stated).flatMap(({ value, why }) =>
    typeof value === 'string' && value !== '' ? [{ word: value, why }] : [],
  );
  const found: (Finding | undefined)[] = [];
  for (const { word, why } of words) {
    found.push(await probe(session, stated, word, `${describeStated(stated)} as ${show(word)} (${why})`));
  }
  return found;
}

/** Sends a call with an excluded word in its path, and again as the user where a denial says nothing about the word. */
async function probe(
  session: Session,
  { operation }: Stated,
  word: string,
  what: string,
): Promise<Finding | undefined> {
  const route = operation.route.wire.replace(/\{\w+\}/, encodePart(word));
  const baseline = orAbort(await baselineOf(session, operation));
  const invalid = await sendProbe(session, { ...baseline, route });
  const isDenied = operation.effect !== 'reads' && invalid.answer === 'denied';
  if (!isDenied)
    return evaluateRefusal(what, invalid, await controlOf(session, baseline, baseline.args), baseline.search);
  const known = session.client.hasUser ? orAbort(await baselineOf(session, operation, 'user')) : baseline;
  const ask = await probeAsUser(session, { ...known, route });
  if (isFinding(ask)) return evaluateRefusal(what, invalid, ask);
  const control = await controlOf(session, known, known.args);
  return evaluateRefusal(what, await ask(known.args), control, known.search);
}
