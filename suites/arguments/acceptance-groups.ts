import { isObject } from '../../client/json.ts';
import { checkId } from '../../engine/check.ts';
import { sameMeaning } from '../../engine/equal.ts';
import { acceptedValues } from '../../generators/constraint-values.ts';
import { type Args, encodeArgs, type Pair } from '../../generators/wire-forms.ts';
import { declaredId, statedBy } from '../../probing/declarations/compare-constraint.ts';
import { FAR_AHEAD, isText } from '../../probing/records/own/writable-fields.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { type Constraint, typesOf } from '../../specs/schema.ts';
import { goodArgument, isRight, requiredBeside } from './calls/argument-values.ts';

/** One value that must be accepted, and the constraint it tests. */
export interface Sample {
  readonly checkId: string;
  readonly kind: Constraint['kind'];
  readonly parameter: Parameter;
  readonly accepted: ReturnType<typeof acceptedValues>[number];
}

export type SampleGroup = readonly Sample[];

/** Every value that an operation must accept from a caller: the edges of all stated constraints. */
export function samplesOf(operation: Operation): Sample[] {
  return operation.parameters
    .filter((parameter) => parameter.in !== 'path' && !isRight(operation, parameter))
    .flatMap((parameter) =>
      statedBy(operation, parameter)
        .filter(({ constraint }) => isTried(operation, parameter, constraint))
        .flatMap((stated) =>
          acceptedValues(parameter.schema, stated.constraint)
            .filter(({ value }) => hasControl(operation, parameter, value))
            .map((accepted) => ({
              checkId: checkId(declaredId(stated), 'accepted'),
              kind: stated.constraint.kind,
              parameter,
              accepted,
            })),
        ),
    );
}

/**
 * Whether a constraint is tested. For writes, other checks read back values of the types of records. What a
 * plugin does with a number or text is silent (§1), and so is an id of nothing (R35): for a parameter that names
 * something of the site, such as a user or a term, no value is certain to be accepted.
 */
function isTried({ effect }: Operation, parameter: Parameter, { kind, schema }: Constraint): boolean {
  const isPublished = parameter.basis === 'published';
  if (schema.readOnly === true) return false;
  if (effect === 'reads' && !isPublished) return true;
  // What a writable text field accepts other than text is silent (R34).
  if (effect === 'writes' && (parameter.schema['x-names'] !== undefined || isText(parameter))) return false;
  if (kind === 'type' && !typesOf(schema).includes('boolean') && schema['x-examples'] === undefined)
    return false;
  // A published number or text may name something unpublished.
  const isSure = ['enum', 'minimum', 'maximum', 'type'].includes(kind);
  return !isPublished || (isSure && parameter.schema['x-published'] === undefined);
}

/** Whether the control has another value: with the same one, as of a required parameter, a refusal proves nothing. */
function hasControl(operation: Operation, parameter: Parameter, value: unknown): boolean {
  if (parameter.required !== true) return true;
  const others = parameter.schema.enum?.some((member) => member !== value) === true;
  return others || !sameMeaning(goodArgument(operation, parameter), value);
}

/** Spreads samples over as few requests as possible. @param joins whether several may form one list or object */
export function groupSamples(samples: readonly Sample[], joins = false): SampleGroup[] {
  const groups: Sample[][] = [];
  for (const sample of samples) {
    const group = groups.find((one) => hasRoom(one, sample, joins));
    if (group === undefined) groups.push([sample]);
    else group.push(sample);
  }
  return groups;
}

/** Whether a request can have a sample too: nothing else has its arguments, or it joins the value of its parameter. */
function hasRoom(group: SampleGroup, sample: Sample, joins: boolean): boolean {
  const taken = namesIn(group);
  const needed = Object.keys(requiredArgs(sample));
  if (needed.some((name) => taken.has(name))) return false;
  return !taken.has(sample.parameter.wire) || (joins && needed.length === 0 && isJoined(group, sample));
}

/** The arguments of a group, and those that they need. */
function namesIn(group: SampleGroup): ReadonlySet<string> {
  return new Set(group.flatMap((one) => [one.parameter.wire, ...Object.keys(requiredArgs(one))]));
}

/**
 * Adds members of lists where their parameter has no other samples: one request holds all members of a list, each other
 * request one. The seed chooses which. @param samples all of the operation, with those already known to be accepted
 */
export function withMembers(
  groups: readonly SampleGroup[],
  samples: readonly Sample[],
  seed: number,
): SampleGroup[] {
  const lists = [...Map.groupBy(samples, ({ parameter }) => parameter)].flatMap(([parameter, own]) => {
    const members = own.filter((one) => one.kind === 'enum' && canJoin(one, one));
    return members.length > 1 && Array.isArray(members[0]?.accepted.value) ? [{ parameter, members }] : [];
  });
  const isWhole = (parameter: Parameter, group: SampleGroup): boolean =>
    group.filter((one) => one.parameter === parameter).length > 1;
  const whole = new Set(
    lists.map((one) => one.parameter).filter((one) => groups.some((group) => isWhole(one, group))),
  );
  return groups.map((group, at) => {
    const taken = namesIn(group);
    const more = lists.flatMap(({ parameter, members }) => {
      if (taken.has(parameter.wire)) return [];
      if (whole.has(parameter)) return members.slice((seed + at) % members.length).slice(0, 1);
      whole.add(parameter);
      return members;
    });
    return [...group, ...more];
  });
}

/** Whether a sample can be combined with those of its parameter in a group, as another member of a list or object. */
function isJoined(group: readonly Sample[], sample: Sample): boolean {
  const same = group.filter(({ parameter }) => parameter === sample.parameter);
  return same.length > 0 && same.every((one) => canJoin(one, sample));
}

function canJoin(one: Sample, other: Sample): boolean {
  const [value, added] = [one.accepted.value, other.accepted.value];
  if (Array.isArray(value) && Array.isArray(added)) {
    const { items, maxItems } = one.parameter.schema;
    return items?.enum !== undefined && maxItems === undefined;
  }
  return (
    isObject(value) && isObject(added) && Object.keys(added).every((name) => !Object.hasOwn(value, name))
  );
}

/** The arguments of a group with those it needs, and others; without the samples they are its control. */
export function argsOf(group: SampleGroup, samples: boolean, others: Args = {}): Args {
  const args: Record<string, unknown> = { ...others };
  for (const sample of group) {
    Object.assign(args, requiredArgs(sample));
    const { wire, schema } = sample.parameter;
    const { value } = sample.accepted;
    if (samples) args[wire] = joinedValue(group.filter(({ parameter }) => parameter === sample.parameter));
    else if (args[wire] === value) args[wire] = schema.enum?.find((member) => member !== value) ?? value;
  }
  return args;
}

/** The value of a parameter that its samples form together. */
export function joinedValue(samples: SampleGroup): unknown {
  const values = samples.map(({ accepted }) => accepted.value);
  if (values.length < 2) return values[0];
  return values.every(isObject) ? Object.assign({}, ...values) : [...new Set(values.flat())];
}

/** Arguments that a sample needs. A future status needs a future date (R35). */
function requiredArgs({ parameter, accepted }: Sample): Readonly<Record<string, unknown>> {
  if (parameter.name === 'status' && accepted.value === 'future') return { date: FAR_AHEAD };
  return requiredBeside(parameter, accepted.value)?.with ?? {};
}

/** Whether an accepted call holds a sample in the same spelling: an accepted call proves all its values. */
export function isAcceptedIn(
  calls: readonly (readonly Pair[])[],
  { parameter, accepted, kind }: Sample,
): boolean {
  const wanted = encodeArgs({ [parameter.wire]: accepted.value });
  const isSpelling = kind === 'type' || kind === 'format';
  // A number alone could be a boolean, or be refused for other reasons.
  const isAlone = wanted.length === 1 && wanted.every(([, text]) => /^\d+$/.test(text));
  // Lists and dates of other numbers are spelt alike.
  const textOf = ([name, text]: Pair): string =>
    `${name}=${isSpelling && !isAlone ? text.replaceAll(/\d+/g, '0') : text}`;
  return calls.some((call) => {
    const given = call.map(textOf);
    return wanted.map(textOf).every((pair) => {
      const at = given.indexOf(pair);
      if (at >= 0) given.splice(at, 1);
      return at >= 0;
    });
  });
}
