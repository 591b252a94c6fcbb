import { encodePart } from '../../client/address.ts';
import { isFinding, orAbort } from '../../engine/aborted.ts';
import { type Check, check, type Finding, type Found, serves } from '../../engine/check.ts';
import { evaluateRefusal, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import {
  declaredId,
  describeStated,
  type Stated,
  statedBy,
} from '../../probing/declarations/compare-constraint.ts';
import type { Operation } from '../../specs/model.ts';
import { sendProbe } from './call.ts';
import { baselineOf, controlOf } from './control.ts';
import { enforcedId, refusedOf } from './excluded-values.ts';
import { probeAsUser } from './probe-as-user.ts';

/** Checks that a path is refused if its only parameter is none of the stated words (R33). */
export function pathEnforcementChecks(operation: Operation): Check[] {
  const { effect, basis, route, parameters } = operation;
  if (effect === 'writes' || basis === 'published' || route.pathParameters.length !== 1) return [];
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap((parameter) => statedBy(operation, parameter))
    .filter(({ constraint: { kind, steps } }) => kind === 'enum' && steps.length === 0)
    .map((excluded) =>
      check({
        id: enforcedId(excluded),
        kind: 'refused',
        title: `refuses a word outside the enum for ${describeStated(excluded)}`,
        ...(effect !== 'reads' && { effect: 'validates' }),
        on: operation,
        parameter: excluded.parameter,
        needs: [serves(operation), declaredId(excluded)],
        run: (session) => evaluate(session, excluded),
      }),
    );
}

async function evaluate(session: Session, excluded: Stated): Promise<Found> {
  const words = refusedOf(session, excluded).flatMap(({ value, why }) =>
    typeof value === 'string' && value !== '' ? [{ word: value, why }] : [],
  );
  const found: (Finding | undefined)[] = [];
  for (const { word, why } of words) {
    found.push(await probe(session, excluded, word, `${describeStated(excluded)} as ${show(word)} (${why})`));
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
