import { member } from '../../client/json.ts';
import type { Check, Finding } from '../../engine/check.ts';
import { checkId } from '../../engine/check-id.ts';
import type { Session } from '../../engine/session.ts';
import { show } from '../../engine/show.ts';
import type { Schema } from '../../specs/schema.ts';
import { misfitOf, outermost, publishedSchema, typeWords } from '../../specs/shapes.ts';
import { indexFailure } from './index-failure.ts';

/**
 * Checks of the members of the index (§1), from its published schema: each is there, has its type, and takes one of its
 * stated values.
 */
export function indexMemberChecks(): Check[] {
  return Object.entries(indexMembers()).flatMap(([name, schema]) => memberChecks(name, schema));
}

/** The stated members of the index with their schemas. */
function indexMembers(): Readonly<Record<string, Schema>> {
  return publishedSchema('index.schema.json').properties ?? {};
}

function memberChecks(name: string, schema: Schema): Check[] {
  const present = checkId('index', name, 'present');
  const about = {
    section: schema['x-section'] ?? '1',
    basis: 'stated',
    effect: 'reads',
    operation: 'index.read',
  } as const;
  const typed = typeOf(schema);
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
      id: checkId('index', name, 'type'),
      title: `the index has ${name} as ${typeWords(schema)}`,
      dependsOn: [present],
      run: (session) => judgeType(session, name, typed),
    },
  ];
  if (schema.enum !== undefined) {
    const allowed = schema.enum;
    const values = { enum: allowed };
    checks.push({
      ...about,
      id: checkId('index', name, 'enum'),
      title: `the index has ${name} as one of ${allowed.map(show).join(', ')}`,
      dependsOn: [checkId('index', name, 'type')],
      run(session) {
        const observed = member(session.index.document, name);
        return misfitOf(values, observed) === undefined
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

/** What counts as its type: not what an object holds, nor its values, which have checks of their own. */
function typeOf(schema: Schema): Schema {
  const { enum: _, ...own } = outermost(schema);
  return { ...own, ...(schema.items !== undefined && { items: outermost(schema.items) }) };
}

function judgeType(session: Session, name: string, schema: Schema): Finding[] {
  const { document } = session.index;
  const observed = member(document, name);
  const misfit = misfitOf(schema, observed);
  if (misfit === undefined) return [];
  const expected = `${typeWords(schema)}${schema.items === undefined ? '' : ` of ${typeWords(schema.items)}`}`;
  const found = indexFailure(
    session,
    `${name} is not as stated: ${misfit.message}`,
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
