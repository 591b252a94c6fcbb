import type { Observation } from '../../client/observation.ts';
import { type Check, check, checkId, type Finding } from '../../engine/check.ts';
import { inconclusive } from '../../engine/findings.ts';
import { evaluateAcceptance, noControl } from '../../engine/probe.ts';
import type { Session } from '../../engine/session.ts';
import { encodeArgs } from '../../generators/wire-forms.ts';
import type { Operation } from '../../specs/model.ts';
import { typesOf } from '../../specs/schema.ts';
import { type Args, toRequest } from './call.ts';
import { controlOf, type Ground, groundOf } from './control.ts';
import { allGood } from './likely-values.ts';

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
      run: (session) => judge(session, operation),
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

async function judge(session: Session, operation: Operation): Promise<Finding[]> {
  const ground = await groundOf(session, operation, 'user');
  if ('reason' in ground) return [inconclusive(ground.reason)];
  const plain = namesInForms(operation);
  const all = allGood(session, operation);
  const good = Object.entries(all).filter(([name]) => plain.includes(name));
  // A good value of an optional parameter may name what this site does not have.
  for (const args of [{ ...Object.fromEntries(good), ...ground.args }, ground.args]) {
    if (Object.keys(args).length === 0) continue;
    const control = await controlOf(session, operation, ground, args);
    if (typeof control === 'string' || control.answer !== 'accepted') continue;
    const form = await sendForm(session, operation, ground, args);
    const finding = evaluateAcceptance(
      `a form with ${Object.keys(args).join(', ')} for ${operation.id}`,
      form,
      control,
    );
    return finding === undefined ? [] : [finding];
  }
  const control = await controlOf(session, operation, ground, ground.args);
  return [typeof control === 'string' ? inconclusive(control) : noControl(control, ground.search)];
}

function sendForm(session: Session, operation: Operation, ground: Ground, args: Args): Promise<Observation> {
  const call = toRequest({ operation, ...ground, args, intent: 'alters-site' });
  const form = encodeArgs(args);
  return session.client.request({ ...call, body: { form } });
}
