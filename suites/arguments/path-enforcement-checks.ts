import { encodePart } from '../../client/address.ts';
import {
  type Check,
  check,
  checkId,
  type Finding,
  type Found,
  routeCheckId,
  serves,
} from '../../engine/check.ts';
import { evaluateRefusal, notApplicable, orAbort, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import {
  declaredId,
  describeStated,
  type Stated,
  statedBy,
} from '../../probing/declarations/compare-constraint.ts';
import { findRoute } from '../../probing/declarations/find-route.ts';
import { fitsWhole } from '../../probing/declarations/patterns.ts';
import type { Operation, PathParameterKind } from '../../specs/model.ts';
import { sendProbe } from './call.ts';
import { baselineOf, controlOf } from './control.ts';
import { enforcedId, refusedOf } from './excluded-values.ts';
import { probeAsUser } from './probe-as-user.ts';

/** Checks that a path is refused if its only parameter is none of the stated words, or none of the stated form (R33). */
export function pathEnforcementChecks(operation: Operation): Check[] {
  const { effect, basis, route, parameters } = operation;
  if (effect === 'writes' || basis === 'published' || route.pathParameters.length !== 1) return [];
  const about = {
    kind: 'refused',
    ...(effect !== 'reads' && { effect: 'validates' as const }),
    on: operation,
  };
  const ofWords = parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap((parameter) => statedBy(operation, parameter))
    .filter(({ constraint: { kind, steps } }) => kind === 'enum' && steps.length === 0)
    .map((excluded) =>
      check({
        ...about,
        id: enforcedId(excluded),
        title: `refuses a word outside the enum for ${describeStated(excluded)}`,
        parameter: excluded.parameter,
        needs: [serves(operation), declaredId(excluded)],
        run: (session) => evaluate(session, excluded),
      }),
    );
  const ofForms = route.pathParameters.flatMap(({ name, kind }) =>
    kind === undefined
      ? []
      : check({
          ...about,
          id: checkId(operation.id, name, 'pattern', 'enforced'),
          title: `refuses a text of another form for ${name} in the path of ${operation.id}`,
          section: route.section,
          parameter: name,
          needs: [serves(operation), routeCheckId(route, `captures/${name}`)],
          // One router reads the paths of a namespace.
          groups: [`forms in paths of ${route.namespace}`],
          run: (session) => evaluateForm(session, operation, name, kind),
        }),
  );
  return [...ofWords, ...ofForms];
}

/** Sends a good path with something before or behind its parameter, as software takes that reads a part of it. */
async function evaluateForm(
  session: Session,
  operation: Operation,
  name: string,
  { pattern }: PathParameterKind,
): Promise<Found> {
  const { route } = orAbort(await baselineOf(session, operation));
  const { wire } = operation.route;
  const [before = '', behind = ''] = wire.split(PATH_PARAMETER);
  const good = decodeURIComponent(route.slice(before.length, route.length - behind.length));
  const texts = [`${good}a`, `${good}-a`, `${good}.a`, `1${good}`].filter(
    (text) => !fitsWhole(pattern, text),
  );
  const text = texts[session.seed % texts.length];
  if (text === undefined) return notApplicable(`every text near ${show(good)} is of the stated form`);
  const found = await probe(session, operation, text, `${name} of ${operation.id} as ${show(text)}`);
  if (found?.kind !== 'failure' || found.broken === true) return found;
  const own = findRoute(session.index, operation.route)?.route;
  const path = wire.replace(PATH_PARAMETER, text);
  const other = session.index.routes.find((one) => one !== own && fitsWhole(`(?i)${one.key}`, path));
  return other === undefined
    ? found
    : notApplicable(`another route of the site takes this path: ${other.key}`);
}

async function evaluate(session: Session, excluded: Stated): Promise<Found> {
  const words = refusedOf(session, excluded).flatMap(({ value, why }) =>
    typeof value === 'string' && value !== '' ? [{ word: value, why }] : [],
  );
  const found: (Finding | undefined)[] = [];
  for (const { word, why } of words) {
    const what = `${describeStated(excluded)} as ${show(word)} (${why})`;
    found.push(await probe(session, excluded.operation, word, what));
  }
  return found;
}

const PATH_PARAMETER = /\{\w+\}/;

/** Sends a call with an excluded word in its path, and again as the user where a denial says nothing about the word. */
async function probe(
  session: Session,
  operation: Operation,
  word: string,
  what: string,
): Promise<Finding | undefined> {
  const route = operation.route.wire.replace(PATH_PARAMETER, encodePart(word));
  const baseline = orAbort(await baselineOf(session, operation));
  const invalid = await sendProbe(session, { ...baseline, route });
  const isDenied = operation.effect !== 'reads' && invalid.answer === 'denied';
  if (!isDenied)
    return evaluateRefusal(what, invalid, await controlOf(session, baseline, baseline.args), baseline.search);
  const known = session.client.hasUser ? orAbort(await baselineOf(session, operation, 'user')) : baseline;
  const ask = await probeAsUser(session, { ...known, route });
  if (typeof ask === 'string') return evaluateRefusal(what, invalid, ask);
  const control = await controlOf(session, known, known.args);
  return evaluateRefusal(what, await ask(known.args), control, known.search);
}
