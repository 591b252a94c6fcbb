import { asObject, member } from '../../client/json.ts';
import type { Check, Finding } from '../../engine/check.ts';
import type { Session } from '../../engine/session.ts';
import { show } from '../../engine/show.ts';
import type { Schema } from '../../specs/schema.ts';
import { typesOf } from '../../specs/schema.ts';
import { describeError, validatorOf } from '../../specs/validators.ts';
import { indexFailure } from './index-failure.ts';

const SCHEMA = 'index.schema.json';
/** Members whose inside has checks of its own: here only their own type counts. */
const OWN_CHECKS = new Set(['routes', 'authentication']);

/**
 * Checks of the members of the index (§1), from its published schema: each is there, has its type, and takes one of its
 * stated values.
 */
export function indexMemberChecks(): Check[] {
  return Object.entries(indexMembers()).flatMap(([name, schema]) => memberChecks(name, schema));
}

/** The stated members of the index with their schemas. */
export function indexMembers(): Readonly<Record<string, Schema>> {
  const schema: unknown = validatorOf(SCHEMA).schema;
  return readProperties(schema);
}

function readProperties(schema: unknown): Readonly<Record<string, Schema>> {
  const properties = member(schema, 'properties');
  return isProperties(properties) ? properties : {};
}

function isProperties(value: unknown): value is Readonly<Record<string, Schema>> {
  return typeof value === 'object' && value !== null;
}

function memberChecks(name: string, schema: Schema): Check[] {
  const present = `index/${name}/present`;
  const about = {
    section: schema['x-section'] ?? '1',
    basis: 'stated',
    effect: 'reads',
    operation: 'index.read',
  } as const;
  const checks: Check[] = [
    {
      ...about,
      id: present,
      title: `the index has the member ${name}`,
      run: (session) =>
        Object.hasOwn(session.index.document, name)
          ? []
          : [
              indexFailure(
                session,
                `the index has no member ${name}`,
                name,
                `members ${Object.keys(session.index.document).map(show).join(', ')}`,
                name,
              ),
            ],
    },
    {
      ...about,
      id: `index/${name}/type`,
      title: `the index has ${name} as ${OWN_CHECKS.has(name) ? 'object' : typesOf(schema).join(' or ')}`,
      dependsOn: [present],
      run: (session) => judgeType(session, name, schema),
    },
  ];
  if (schema.enum !== undefined) {
    const allowed = schema.enum;
    checks.push({
      ...about,
      id: `index/${name}/enum`,
      title: `the index has ${name} as one of ${allowed.map(show).join(', ')}`,
      dependsOn: [`index/${name}/type`],
      run(session) {
        const observed = member(session.index.document, name);
        return allowed.includes(observed)
          ? []
          : [
              indexFailure(
                session,
                `${name} is none of the stated values`,
                allowed.map(show).join(', '),
                show(observed),
                name,
              ),
            ];
      },
    });
  }
  return checks;
}

function judgeType(session: Session, name: string, schema: Schema): Finding[] {
  const { document } = session.index;
  const observed = member(document, name);
  if (OWN_CHECKS.has(name)) {
    return asObject(observed) === undefined
      ? [indexFailure(session, `${name} is not an object`, 'an object', show(observed), name)]
      : [];
  }
  const { enum: _, ...typed } = schema;
  const validate = validatorOf(`${SCHEMA}#/properties/${name}`);
  if (validate(observed)) return [];
  const errors = (validate.errors ?? []).filter((error) => error.keyword !== 'enum');
  const [error] = errors;
  if (error === undefined) return [];
  const expected = `${typesOf(typed).join(' or ')}${schema.items === undefined ? '' : ` of ${typesOf(schema.items).join(' or ')}`}`;
  const found = indexFailure(
    session,
    `${name} is not as stated: ${describeError(error)}`,
    expected,
    show(observed),
    name,
  );
  // R25: known software answers a number where a named time zone is set.
  const zoned =
    name === 'gmt_offset' &&
    typeof observed === 'number' &&
    (member(document, 'timezone_string') ?? '') !== '';
  return [
    zoned
      ? {
          ...found,
          kind: 'warning',
          message: 'gmt_offset is a number beside a named time zone (doubtful, R25)',
        }
      : found,
  ];
}
