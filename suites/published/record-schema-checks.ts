import { member } from '../../client/json.ts';
import { type Check, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { blocked, failure, inconclusive, notApplicable } from '../../engine/findings.ts';
import { fixture } from '../../engine/fixture.ts';
import { describe } from '../../engine/probe.ts';
import { compareConstraint } from '../../probing/declarations/compare-constraint.ts';
import { findRoute } from '../../probing/declarations/find-route.ts';
import { exampleAddress } from '../../probing/declarations/patterns.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { type Constraint, constraintsOf, describePlace, placeOf } from '../../specs/schema.ts';

/**
 * Checks that a site still publishes what it published of its records: every field with its type, format, enum and
 * contexts, as it answers to OPTIONS. Operations that answer the same records are asked once.
 */
export function recordSchemaChecks(contract: Contract): Check[] {
  const seen = new Set<object>();
  return recordReaders(contract).flatMap((reader) => {
    if (seen.has(reader.answer.schema)) return [];
    seen.add(reader.answer.schema);
    const published = publishedCheck(reader);
    const fields = constraintsOf(reader.answer.schema, undefined).filter(({ steps }) => steps.length > 0);
    return [published, ...fields.map((constraint) => fieldCheck(reader, constraint, published.id))];
  });
}

function publishedCheck(reader: RecordReader): Check {
  const { operation, answer } = reader;
  return check({
    id: recordId(reader, 'published'),
    kind: 'declared',
    title: `${operation.id} publishes the schema of its records (${answer.name})`,
    basis: 'published',
    on: operation,
    needs: [serves(operation, 'GET')],
    async run(session) {
      const asked = await readSchema(session, reader);
      return 'finding' in asked ? [asked.finding] : [];
    },
  });
}

function fieldCheck(reader: RecordReader, constraint: Constraint, published: string): Check {
  const { operation } = reader;
  const { kind, steps } = constraint;
  return check({
    id: recordId(reader, placeOf(steps), kind),
    kind: 'declared',
    title: `publishes ${kind === 'declared' ? '' : `the ${kind} of `}${describePlace('its records', steps)} (${operation.id})`,
    basis: 'published',
    on: operation,
    needs: [published],
    async run(session) {
      const asked = await readSchema(session, reader);
      if ('finding' in asked) return [blocked(published)];
      const outcome = compareConstraint(constraint, asked.schema);
      if (outcome === undefined) return [];
      if (outcome === 'undeclared') return [notApplicable(`publishes no ${kind} there`)];
      if (outcome === 'blocked') {
        const holder = kind === 'declared' ? steps.slice(0, -1) : steps;
        return [blocked(recordId(reader, placeOf(holder), 'declared'))];
      }
      const { message, expected, observed, undecided } = outcome;
      const found = failure(`${describePlace('its records', steps)} ${message}`, {
        expected,
        observed,
        reproduce: [asked.curl],
      });
      return [undecided === true ? { ...found, kind: 'inconclusive' } : found];
    },
  });
}

/** The ids of all checks of the records of an operation begin alike. */
export function recordId({ operation }: RecordReader, ...parts: readonly string[]): string {
  return checkId('records', operation.id, ...parts);
}

type Asked = { readonly schema: unknown; readonly curl: string } | { readonly finding: Finding };

const readSchema = fixture(
  'published schema',
  async (session, { operation }: RecordReader): Promise<Asked> => {
    const match = findRoute(session.index, operation.route);
    const route = match && exampleAddress(match.route.parts);
    if (route === undefined) return { finding: inconclusive('no address of the route is known') };
    const answer = await session.ask({ method: 'OPTIONS', route, as: session.caller });
    const { curl, json } = answer;
    const schema = member(json, 'schema');
    if (answer.answer === 'accepted' && member(schema, 'properties') !== undefined) return { schema, curl };
    if (answer.answer !== 'accepted') return { finding: inconclusive(`OPTIONS is ${describe(answer)}`) };
    const details = { expected: 'a schema', observed: 'none', reproduce: [curl] };
    return { finding: failure('publishes no schema of its records any more', details) };
  },
  ({ operation }) => [operation],
);

/** The reads whose records a site publishes the schema of, with that. */
export interface RecordReader {
  readonly operation: Operation;
  readonly answer: NonNullable<Operation['answer']>;
}

/** The reads of a contract whose records the site publishes the schema of. */
export function recordReaders(contract: Contract): RecordReader[] {
  return contract.operations.flatMap((operation) => {
    const { answer, effect } = operation;
    return answer === undefined || effect !== 'reads' ? [] : [{ operation, answer }];
  });
}
