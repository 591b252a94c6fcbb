import type { Observation } from '../../client/observation.ts';
import { isFinding, orAbort } from '../../engine/aborted.ts';
import { type Check, check, checkId, type Finding, type Found } from '../../engine/check.ts';
import { sameMeaning } from '../../engine/equal.ts';
import { evaluateAcceptance, failureBy, inconclusive, noControl, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { shuffled } from '../../generators/explore.ts';
import { type Args, encodeArgs } from '../../generators/wire-forms.ts';
import { describeStated } from '../../probing/declarations/compare-constraint.ts';
import type { Operation } from '../../specs/model.ts';
import { typesOf } from '../../specs/schema.ts';
import { allGood, distinct } from './calls/argument-values.ts';
import { type Call, sendValid } from './calls/call.ts';
import { type Baseline, baselineOf, controlOf } from './calls/control.ts';
import { othersOf } from './calls/control-candidates.ts';
import { enforcementOf } from './enforcement.ts';
import { basisOf, enforceableIn, enforcedId, invalidValuesOf } from './invalid-values.ts';

/** The check that an operation which alters the site takes a form as well as JSON, and validates both (§4). */
export function formChecks(operation: Operation): Check[] {
  const { id, effect, methods, route } = operation;
  if (effect !== 'alters-site' || methods[0]?.startsWith('P') !== true) return [];
  const plain = namesInForms(operation);
  const required = operation.parameters.filter((one) => one.required === true && one.in !== 'path');
  // A required structure has no unambiguous spelling in a form.
  if (plain.length === 0 || required.some(({ wire }) => !plain.includes(wire))) return [];
  // One parser reads the bodies of a plugin.
  const groups = [`form of ${route.namespace}`];
  return [
    check({
      id: checkId(id, 'form'),
      kind: 'accepted',
      title: `${id} takes a form as well as JSON`,
      section: '4',
      basis: 'stated',
      effect: 'alters-site',
      needsUser: true,
      on: operation,
      needs: [checkId(id, 'method', methods[0])],
      groups,
      // A body that is not read lacks nothing that is due.
      ...(required.length === 0 && { byChance: groups }),
      run: (session) => evaluateForm(session, operation),
    }),
  ];
}

/** The parameters that a form can express unambiguously: numbers, texts, booleans, lists of them, and known others. */
function namesInForms({ parameters }: Operation): string[] {
  return parameters
    .filter(({ in: place, schema, required }) => {
      const types = typesOf(schema);
      const items = typesOf(schema.items ?? {});
      const isListed = !types.includes('array') || (items.length > 0 && !items.includes('object'));
      // No good value is known of others without a type.
      const isKnown = types.length > 0 || required === true || schema.enum !== undefined;
      return place !== 'path' && isKnown && !types.includes('object') && isListed;
    })
    .map(({ wire }) => wire);
}

async function evaluateForm(session: Session, operation: Operation): Promise<Found> {
  const baseline = orAbort(await baselineOf(session, operation, 'user'));
  const plain = namesInForms(operation);
  // The site need not read a number of no stated type from a text.
  const isPlain = ([name, value]: readonly [string, unknown]): boolean => {
    const untyped = operation.parameters.some(
      ({ wire, schema }) => wire === name && typesOf(schema).length === 0,
    );
    return plain.includes(name) && (!untyped || typeof value === 'string');
  };
  const inForms = (args: Args): Args => Object.fromEntries(Object.entries(args).filter(isPlain));
  if (!Object.entries(baseline.args).every(isPlain))
    return inconclusive('a form has no unambiguous spelling for what the site takes as JSON');
  // A good value of an optional parameter may be unknown to this site, or already set.
  const good = [allGood(session, operation), {}, await othersOf(session, operation)];
  let control = await controlOf(session, baseline, baseline.args);
  const first = control;
  const calls = [
    ...good.map((some) => ({ ...inForms(some), ...baseline.args })),
    // A site may refuse to set again what the baseline request set.
    ...good.map((some) => ({ ...baseline.args, ...inForms(some) })),
  ];
  for (const args of distinct(calls)) {
    if (Object.keys(args).length === 0) continue;
    const call = { ...baseline, args };
    const form = await sendForm(session, call);
    if (form.answer === 'accepted') {
      const isUnread = !isFinding(first) && first.answer === 'refused';
      return isUnread ? evaluateJson(session, call) : evaluateRefusals(session, operation, call);
    }
    // A site that refuses writes without changes would refuse the form after the same JSON.
    control = await sendValid(session, call);
    if (control.answer !== 'accepted') continue;
    const what = `a form with ${Object.keys(args).join(', ')} for ${operation.id}`;
    const found = evaluateAcceptance(what, form, control);
    return found?.kind === 'failure' ? confirmed(session, call, calls, found) : found;
  }
  return isFinding(control) ? control : noControl(control, baseline.search);
}

/**
 * A failure that another call of the same arguments shows too: a site may refuse to set what is set already, and another
 * check may have set something else between the form and the JSON.
 */
async function confirmed(
  session: Session,
  call: Baseline,
  calls: readonly Args[],
  found: Finding,
): Promise<Finding | undefined> {
  const names = Object.keys(call.args).sort();
  const args = calls.find(
    (one) => !sameMeaning(one, call.args) && sameMeaning(Object.keys(one).sort(), names),
  );
  const other = { ...call, args: args ?? call.args };
  const form = await sendForm(session, other);
  if (form.answer === 'accepted') return evaluateRefusals(session, call.operation, other);
  const json = await sendValid(session, other);
  return json.answer === 'accepted' ? found : noControl(json);
}

function sendForm(session: Session, call: Call): Promise<Observation> {
  return sendValid(session, call, { form: encodeArgs(call.args) });
}

/** Evaluates JSON where the site took none so far, and takes the same call as a form, again and again. */
async function evaluateJson(session: Session, call: Baseline): Promise<Finding | undefined> {
  const form = await sendForm(session, call);
  const json = await sendValid(session, call);
  const what = `JSON with ${Object.keys(call.args).join(', ')} for ${call.operation.id}`;
  return evaluateAcceptance(what, json, form);
}

/** Sends in a form what the site refuses as JSON: software may validate each for itself. The seed picks the argument. */
async function evaluateRefusals(
  session: Session,
  operation: Operation,
  call: Baseline,
): Promise<Finding | undefined> {
  for (const stated of shuffled(enforceableIn(operation), session.seed)) {
    const { parameter, constraint } = stated;
    const isTried = basisOf(stated) !== 'doubtful' && constraint.steps.length === 0;
    if (!isTried || !session.runs(enforcedId(stated))) continue;
    const [invalid] = invalidValuesOf(session, stated);
    if (invalid === undefined || (await enforcementOf(session, stated)).length > 0) continue;
    const { [parameter.wire]: _, ...others } = call.args;
    const given = invalid.value === undefined ? others : { ...others, [parameter.wire]: invalid.value };
    const form = await sendForm(session, { ...call, args: given });
    if (form.answer !== 'accepted') return undefined;
    const what = invalid.value === undefined ? 'without it' : `as ${show(invalid.value)} (${invalid.why})`;
    return failureBy(`a form takes ${describeStated(stated)} ${what}, which JSON may not`, 'refused', form);
  }
  return undefined;
}
