import { isObject, member } from '../../client/json.ts';
import { type Fixture, fixture } from '../../engine/fixture.ts';
import type { Session } from '../../engine/session.ts';
import { goodValue } from '../../generators/valid-values.ts';
import { operationFor, sampleResource } from '../../specs/find-resource.ts';
import { type ValueKind, valueKindOf } from '../../specs/hints.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { type Schema, typesOf } from '../../specs/schema.ts';

/** Values that a parameter may take on a site, beside the plain good one; the likeliest first. */
interface LikelyValues {
  /** What the owner, or its name, says. */
  readonly named: readonly unknown[];
  /** What else its schema leaves. */
  readonly plain: readonly unknown[];
}

const MOST_NAMED = 4;
const MOST_MEMBERS = 3;

/** Values that the schema alone does not tell: the names of things that every site has, or has not to have. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  // No template of a theme is sure to exist; the empty one is.
  template: '',
  // A batch whose only part leads nowhere changes nothing.
  requests: [{ path: '/no-such-route' }],
  // Without it a deletion may be a move into the trash, or not supported at all.
  force: true,
  // The one variant that §4.8 shows.
  modifiers: [{ type: 'flip', args: { flip: { horizontal: true, vertical: false } } }],
};

/** A wrong password is denied, and no password is known: it is left out. */
const LEFT_OUT_OF_READS: ReadonlySet<string> = new Set(['password']);

/** One value that a parameter accepts on every site; `undefined` where it is better left out. */
export function goodArgument(operation: Operation, parameter: Parameter): unknown {
  if (operation.effect === 'reads' && LEFT_OUT_OF_READS.has(parameter.name)) return undefined;
  return Object.hasOwn(BY_NAME, parameter.name) ? BY_NAME[parameter.name] : goodValue(parameter.schema);
}

/** The good value of a parameter: what the owner says comes first. `undefined` where it is better left out. */
export function goodFor(session: Session, operation: Operation, parameter: Parameter): unknown {
  const [hinted] = ownerValues(session, operation, parameter.name);
  return hinted === undefined ? goodArgument(operation, parameter) : hinted;
}

/** A good value for every parameter at once: the control of all probes of an operation. */
export function allGood(session: Session, operation: Operation): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path') continue;
    const value = goodFor(session, operation, parameter);
    if (value !== undefined) args[parameter.wire] = value;
  }
  return args;
}

/** The values that the hints of the owner name for a parameter or a path parameter, by its neutral name. */
export function ownerValues(session: Session, operation: Operation, name: string): readonly unknown[] {
  return session.hints[operation.id]?.[name] ?? [];
}

/** The values that a site is likely to take for a parameter, found once. Asks only for lists that are remembered anyway. */
export const likelyValues: Fixture<LikelyValues, [operation: Operation, parameter: Parameter]> = fixture(
  'likely',
  async (session, operation, { name, schema }) => {
    const owned = ownerValues(session, operation, name);
    const named = await namedValues(session, name, schema);
    return {
      named: distinct([...owned, ...named]).slice(0, MOST_NAMED),
      plain: await plainValues(session, schema),
    };
  },
  (operation, { name }) => [operation, name],
);

/** What the name of a parameter says, in the form that its schema takes. */
async function namedValues(session: Session, name: string, schema: Schema): Promise<unknown[]> {
  if (schema.enum !== undefined || schema.items?.enum !== undefined) return [];
  const kind = valueKindOf(name, schema);
  if (kind !== undefined) {
    const values = await valuesOf(session, kind);
    return values.flatMap((value) => shaped(value, schema));
  }
  const members = Object.entries(schema.properties ?? {});
  if (!typesOf(schema).includes('object') || members.length === 0) return [];
  const filled: Record<string, unknown> = {};
  for (const [inner, own] of members.filter(([inner]) => schema.required?.includes(inner) === true)) {
    const [value = goodValue(own)] = await namedValues(session, inner, own);
    filled[inner] = value;
  }
  return Object.keys(filled).length === 0 ? [] : [filled];
}

async function valuesOf(session: Session, { from = [], values = [] }: ValueKind): Promise<unknown[]> {
  const shown: unknown[] = [];
  for (const source of from) {
    const [place = '', field = ''] = source.split('.');
    const [first] =
      place === 'index' ? [member(session.index.document, field)] : await shownBy(session, place, field);
    if (first !== undefined && first !== '') shown.push(first);
  }
  return distinct([...shown, ...values]);
}

/** The values of a member of the records that a list shows. */
async function shownBy(session: Session, collection: string | undefined, field: string): Promise<unknown[]> {
  const list = collection === undefined ? undefined : operationFor(session.contract, collection, 'list');
  if (list === undefined) return [];
  const answer = await session.ask({ method: 'GET', route: list.route.wire, as: session.caller });
  const records: unknown[] = Array.isArray(answer.json) ? answer.json : [];
  return records.flatMap((record) => member(record, field) ?? []);
}

function shaped(value: unknown, schema: Schema): unknown[] {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length === 0) return [value];
  if (types.includes('string')) return [typeof value === 'number' ? String(value) : value];
  if (types.includes('integer')) return typeof value === 'number' ? [value] : [];
  return types.includes('array') ? [[value]] : [];
}

/** Whether a schema leaves open which structure a value has: one that is made up may be none that is meant. */
export function isOpen(schema: Schema): boolean {
  const { enum: members, items, properties } = schema;
  const [type] = typesOf(schema).filter((one) => one !== 'null');
  if (members !== undefined) return false;
  return (
    type === undefined ||
    (type === 'array' && items === undefined) ||
    (type === 'object' && properties === undefined)
  );
}

/** What a schema leaves beside its plain good value: other members, something in place of nothing, an id that exists. */
async function plainValues(session: Session, schema: Schema): Promise<unknown[]> {
  const { enum: members, items, properties } = schema;
  if (members !== undefined) return members.slice(1, 1 + MOST_MEMBERS);
  const [type] = typesOf(schema).filter((one) => one !== 'null');
  if (type === 'boolean') return [schema.default !== true];
  if (type === 'string') return [];
  const [id = 1] = await shownBy(session, sampleResource(session.contract)?.id, 'id');
  if (type === 'integer') return [id, 0].filter((one) => isWithin(one, schema));
  if (type === 'array' && items === undefined) return [['sample'], [{ id }], [id]];
  if (type === 'array') return (schema.minItems ?? 0) === 0 ? [[]] : [];
  if (type === 'object') return properties === undefined ? [{ sample: { sample: 'sample' } }] : [];
  return [id, ['sample']];
}

function isWithin(value: unknown, { minimum, maximum }: Schema): boolean {
  return typeof value === 'number' && value >= (minimum ?? value) && value <= (maximum ?? value);
}

/** Values without those that came before; structures are told apart by their text. */
export function distinct<T>(values: readonly T[]): T[] {
  const known = new Map(
    values.map((value) => [isObject(value) || Array.isArray(value) ? JSON.stringify(value) : value, value]),
  );
  return [...known.values()];
}
