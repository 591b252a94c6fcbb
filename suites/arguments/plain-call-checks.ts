import type { Observation } from '../../client/observation.ts';
import { orAbort } from '../../engine/aborted.ts';
import {
  type Check,
  check,
  checkId,
  type Finding,
  type Found,
  servedBy,
  serves,
} from '../../engine/check.ts';
import { compareAsked, likenessOf } from '../../engine/equal.ts';
import { blocked, failure, inconclusive, show } from '../../engine/findings.ts';
import { describe, judgeAcceptance, noControl } from '../../engine/probe.ts';
import type { Caller, Session } from '../../engine/session.ts';
import { encodeArgs } from '../../generators/wire-forms.ts';
import type { AbsentParameter, Operation } from '../../specs/model.ts';
import { typesOf } from '../../specs/schema.ts';
import { allGood } from './argument-values.ts';
import { type Args, toRequest } from './call.ts';
import { type Baseline, baselineOf, controlOf } from './control.ts';

/**
 * Checks that every read of the contract answers without a server error, without credentials and with them, and so does
 * every operation that alters the site, where the mode allows a valid call.
 */
export function answersChecks(operation: Operation): Check[] {
  const anonymous = answersCheck(operation, 'anonymous');
  const user = answersCheck(operation, 'user');
  if (operation.effect === 'alters-site') return [{ ...user, effect: 'alters-site', mode: 'full' }];
  if (operation.effect !== 'reads') return [];
  // Without an index for its user no run starts at all.
  return operation.id === 'index.read' ? [anonymous] : [anonymous, user];
}

function answersCheck(operation: Operation, as: Caller): Check {
  return check({
    id: checkId(operation.id, 'answers', as),
    kind: 'answers',
    title: `${operation.id} answers ${as === 'user' ? 'a user' : 'an anonymous caller'} without a server error`,
    on: operation,
    needsUser: as === 'user',
    needs: servedBy(operation),
    async run(session: Session) {
      const baseline = orAbort(
        await baselineOf(session, operation, operation.effect === 'reads' ? session.caller : as),
      );
      const answer = await controlOf(session, operation, { ...baseline, as }, baseline.args);
      if (typeof answer === 'string') return inconclusive(answer);
      const about = { expected: 'an answer', observed: describe(answer), reproduce: [answer.curl] };
      if (answer.answer === 'throttled') return inconclusive('throttled each time it was asked');
      // The bound is ours: what is larger was answered all the same.
      if (answer.tooLarge === true)
        return inconclusive(answer.problem ?? 'the answer is too large to be read');
      if (answer.answer === 'refused' && as === session.caller && isOpenList(operation))
        return { kind: 'failure', message: `${operation.id} refuses a call that names nothing`, ...about };
      if (answer.answer === 'absent')
        return {
          kind: 'failure',
          message: `${operation.id} is in the index, and answers that it is not there`,
          ...about,
        };
      if (answer.answer === 'broken')
        return { kind: 'failure', message: `${operation.id} makes the server fail`, ...about };
      // What a write answers is silent (§4.10): it may be nothing.
      // What a site publishes does not say that an answer is no file.
      const isDue = operation.effect === 'reads' && answer.status !== 204 && operation.basis !== 'published';
      if (answer.answer === 'accepted' && answer.json === undefined && isDue) {
        return {
          kind: 'failure',
          message: `${operation.id} answers without JSON`,
          ...about,
          observed: answer.problem ?? 'no JSON',
        };
      }
      return [];
    },
  });
}

/** Whether a stated list can be asked for without a word: all that it takes is optional. */
function isOpenList({ role, basis, route, parameters }: Operation): boolean {
  const takesNothing =
    route.pathParameters.length === 0 && parameters.every(({ required }) => required !== true);
  return role === 'list' && basis !== 'published' && takesNothing;
}

/**
 * The check that an operation which alters the site takes its parameters in a form as well as in JSON (§4). Writes of records
 * have checks of their own, field by field.
 */
export function formChecks(operation: Operation): Check[] {
  const { id, effect, methods } = operation;
  if (effect !== 'alters-site' || methods[0]?.startsWith('P') !== true) return [];
  const plain = namesInForms(operation);
  const required = operation.parameters.filter((one) => one.required === true && one.in !== 'path');
  // A required structure has no one spelling in a form.
  if (plain.length === 0 || required.some(({ wire }) => !plain.includes(wire))) return [];
  return [
    check({
      id: checkId(id, 'form'),
      kind: 'accepted',
      title: `${id} takes a form as well as JSON`,
      section: '4',
      basis: 'stated',
      effect: 'alters-site',
      mode: 'full',
      needsUser: true,
      operation: id,
      needs: [checkId(id, 'method', methods[0])],
      run: (session) => judgeForm(session, operation),
    }),
  ];
}

/** The parameters that a form can carry without doubt: numbers, texts, yes and no, and lists of them. */
function namesInForms({ parameters }: Operation): string[] {
  const isPlain = (types: readonly string[]): boolean => types.length > 0 && !types.includes('object');
  return parameters
    .filter(({ in: place, schema }) => {
      const types = typesOf(schema);
      if (place === 'path' || !isPlain(types)) return false;
      return !types.includes('array') || isPlain(typesOf(schema.items ?? {}));
    })
    .map(({ wire }) => wire);
}

async function judgeForm(session: Session, operation: Operation): Promise<Found> {
  const baseline = orAbort(await baselineOf(session, operation, 'user'));
  const plain = namesInForms(operation);
  const all = allGood(session, operation);
  const good = Object.entries(all).filter(([name]) => plain.includes(name));
  // A good value of an optional parameter may name what this site does not have.
  for (const args of [{ ...Object.fromEntries(good), ...baseline.args }, baseline.args]) {
    if (Object.keys(args).length === 0) continue;
    const control = await controlOf(session, operation, baseline, args);
    if (typeof control === 'string' || control.answer !== 'accepted') continue;
    const form = await sendForm(session, operation, baseline, args);
    const finding = judgeAcceptance(
      `a form with ${Object.keys(args).join(', ')} for ${operation.id}`,
      form,
      control,
    );
    return finding;
  }
  const control = await controlOf(session, operation, baseline, baseline.args);
  return typeof control === 'string' ? inconclusive(control) : noControl(control, baseline.search);
}

function sendForm(
  session: Session,
  operation: Operation,
  baseline: Baseline,
  args: Args,
): Promise<Observation> {
  const call = toRequest({ operation, ...baseline, args, intent: 'alters-site' });
  const form = encodeArgs(args);
  return session.client.request({ ...call, body: { form } });
}

/**
 * Checks that a list does not honour a parameter that the contract excludes for it (R40): with a value that no record of the
 * list has, the answer is the same, or a refusal.
 */
export function excludedParameterChecks(operation: Operation): Check[] {
  if (operation.effect !== 'reads') return [];
  return operation.absent
    .filter(({ probe }) => probe !== undefined)
    .map((absent) => excludedParameterCheck(operation, absent));
}

function excludedParameterCheck(operation: Operation, absent: AbsentParameter): Check {
  const { name, wire, section } = absent;
  const declared = checkId(operation.id, name, 'absent');
  return check({
    id: checkId(declared, 'ignored'),
    kind: 'ignored',
    title: `ignores ${wire} in ${operation.id}, which has no such parameter`,
    section,
    on: operation,
    parameter: name,
    needs: [serves(operation), declared],
    run: (session) => judgeIgnored(session, operation, absent),
  });
}

async function judgeIgnored(session: Session, operation: Operation, absent: AbsentParameter): Promise<Found> {
  const baseline = orAbort(await baselineOf(session, operation));
  const ask = (args: Args): Promise<Observation> => session.ask(requestOf(operation, baseline, args));
  const plain = await ask({});
  if (plain.answer === 'broken') return blockedBy(operation, baseline);
  if (plain.answer !== 'accepted') {
    return inconclusive(`the request without it is not accepted (${describe(plain)})`);
  }
  if (!Array.isArray(plain.json) || plain.json.length === 0) {
    return inconclusive('no record is visible that the parameter could leave out');
  }
  // All excluded parameters at once: when they change nothing, none of them does.
  if (likenessOf(plain, await ask(allProbes(operation))) === 'same') return [];
  const given = { [absent.wire]: absent.probe };
  const alone = await ask(given);
  if (alone.answer === 'refused' || likenessOf(plain, alone) === 'same') return [];
  if (alone.answer !== 'accepted') return notEvaluated(absent, alone);
  return confirm(session, operation, absent, baseline);
}

/** Only fresh requests side by side are a proof. */
async function confirm(
  session: Session,
  operation: Operation,
  absent: AbsentParameter,
  baseline: Baseline,
): Promise<Found> {
  const fresh = (args: Args): Promise<Observation> =>
    session.client.request(requestOf(operation, baseline, args));
  const compared = await compareAsked(
    () => fresh({}),
    () => fresh({ [absent.wire]: absent.probe }),
  );
  if (compared.end === 'same') return [];
  if (compared.end === 'unread') return inconclusive('the answer is more than is read');
  if (compared.end === 'unsteady') {
    return inconclusive('the site changed, or asked for patience, between two identical requests');
  }
  const { first, other } = compared;
  if (first.answer !== 'accepted' || other.answer !== 'accepted') {
    return inconclusive(`answered otherwise in a retry (${describe(first)}, ${describe(other)})`);
  }
  return failure(
    `${operation.id} applies ${absent.wire} ${show(absent.probe)}, which the contract excludes (${absent.reason})`,
    {
      expected: 'the same answer with it as without it',
      observed: `${countOf(first)} without it, ${countOf(other)} with it`,
      reproduce: [first.curl, other.curl],
    },
  );
}

function requestOf(operation: Operation, baseline: Baseline, args: Args): ReturnType<typeof toRequest> {
  return toRequest({ operation, ...baseline, args: { ...baseline.args, ...args } });
}

function allProbes({ absent }: Operation): Args {
  const known = absent.filter(({ probe }) => probe !== undefined);
  return Object.fromEntries(known.map(({ wire, probe }) => [wire, probe]));
}

function countOf({ json }: Observation): string {
  return Array.isArray(json) ? `${json.length} ${json.length === 1 ? 'record' : 'records'}` : 'no list';
}

function notEvaluated({ wire }: AbsentParameter, answer: Observation): Finding {
  if (answer.answer !== 'broken')
    return inconclusive(`the request with it is not evaluated (${describe(answer)})`);
  return failure(`${wire}, which the contract excludes, makes the server fail`, {
    expected: 'the same answer with it as without it',
    observed: describe(answer),
    reproduce: [answer.curl],
  });
}

function blockedBy({ id }: Operation, { as }: Baseline): Finding {
  return blocked(checkId(id, 'answers', as));
}
