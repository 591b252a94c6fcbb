import { encodeQuery } from '../../generators/encode-query.ts';
import type { Operation } from '../../specs/model.ts';
import { typesOf } from '../../specs/schema.ts';
import type { Observation } from '../../target/observation.ts';
import type { Check, Finding } from '../check.ts';
import type { Session } from '../session.ts';
import { allGood } from './acceptance-groups.ts';
import { type Args, toRequest } from './call.ts';
import { type Ground, groundOf } from './control.ts';
import { judgeAcceptance } from './probe.ts';

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
    {
      id: `${id}/form`,
      title: `${id} takes a form as well as JSON`,
      section: '4',
      basis: 'stated',
      effect: 'alters-site',
      mode: 'full',
      needsUser: true,
      operation: id,
      dependsOn: [`${id}/method/${methods[0]}`],
      run: (session) => judge(session, operation),
    },
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
  const ground = await groundOf(session, operation);
  if ('reason' in ground) return [{ kind: 'inconclusive', message: ground.reason }];
  const plain = namesInForms(operation);
  const good = Object.entries(allGood(operation)).filter(([name]) => plain.includes(name));
  // A good value of an optional parameter may name what this site does not have.
  for (const args of [{ ...Object.fromEntries(good), ...ground.args }, ground.args]) {
    if (Object.keys(args).length === 0) continue;
    const control = await send(session, operation, ground, args, false);
    if (control.answer !== 'accepted') continue;
    const form = await send(session, operation, ground, args, true);
    const finding = judgeAcceptance(
      `a form with ${Object.keys(args).join(', ')} for ${operation.id}`,
      form,
      control,
    );
    return finding === undefined ? [] : [finding];
  }
  return [{ kind: 'inconclusive', message: 'what it takes as JSON is not known: no valid call is accepted' }];
}

function send(
  session: Session,
  operation: Operation,
  ground: Ground,
  args: Args,
  asForm: boolean,
): Promise<Observation> {
  const call = toRequest({ operation, ...ground, as: 'user', args, intent: 'alters-site' });
  const form = Object.entries(args).flatMap(([name, value]) => encodeQuery(name, value));
  return session.client.request(asForm ? { ...call, body: { form } } : call);
}
