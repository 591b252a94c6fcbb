import { type Check, check, checkId, type Finding } from '../../engine/check.ts';
import { blocked, hasFailure, inconclusive } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { openSubject } from '../../probing/records/reading/find-parent.ts';
import { valuesOf } from '../../probing/records/reading/record.ts';
import { snapshotOf } from '../../probing/records/reading/run-rule.ts';
import { countOf, type Records, type Rule, sameIds } from '../../probing/records/reading/trial.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import { findingsOf, rootCausesOf, unlessSole } from './filter-entry.ts';
import type { FilterEntry } from './filter-table.ts';
import { pairOf } from './rules/term-rules.ts';

/** The check that a parameter of a list does what an entry of the table says. */
export function filterCheck(operation: Operation, parameter: Parameter, entry: FilterEntry): Check {
  const { id } = operation;
  const place = checkId(id, parameter.name);
  const typed = parameter.schema.type === undefined ? [] : [checkId(place, 'type')];
  return check({
    id: checkId(place, 'filters', entry.part),
    kind: 'lists',
    title: `${id} ${entry.does.replace('{records}', operation.resource?.id ?? 'records')}`,
    operation: id,
    parameter,
    // A parameter that is declared with another type cannot take the values of the contract.
    needs: [
      checkId(id, 'method', 'GET'),
      checkId(place, 'declared'),
      ...typed,
      ...(entry.after ?? [])
        .filter((name) => name !== parameter.name)
        .map((name) => checkId(id, name, 'declared')),
    ],
    ...((entry.needsUser === true || operation.route.pathParameters.length > 0) && { needsUser: true }),
    run: (session) => judge(session, operation, entry),
  });
}

async function judge(session: Session, operation: Operation, entry: FilterEntry): Promise<Finding[]> {
  const subject = await openSubject(session, operation);
  if ('reason' in subject) return [inconclusive(subject.reason)];
  const whole = await snapshotOf(session, subject);
  const { resource } = operation;
  const isCollection = resource !== undefined && resource.parent === undefined;
  if ('finding' in whole && whole.finding.kind === 'failure' && isCollection) {
    return [blocked(checkId('records', resource.id, 'id'))];
  }
  const findings = await findingsOf(session, subject, entry);
  if (!hasFailure(findings)) return unlessSole(session, subject, entry, 'alone', findings);
  const pages = 'finding' in whole ? 0 : whole.curls.length;
  for (const cause of rootCausesOf(entry, operation, pages)) {
    if (!hasFailure(await findingsOf(session, subject, cause))) continue;
    return [blocked(checkId(operation.id, cause.parameter, 'filters'))];
  }
  return findings;
}

const MOST_TERMS = 6;

/**
 * Checks that a member of a taxonomy filter which is left out means its stated default (§4.6): omitted equals explicit,
 * told by terms for which another value gives another answer.
 */
export function nestedDefaultChecks(operation: Operation): Check[] {
  return operation.parameters.flatMap((parameter) =>
    Object.entries(parameter.schema.properties ?? {})
      .filter(([, schema]) => otherThan(schema) !== undefined)
      .map(([member, schema]) => nestedDefaultCheck(operation, parameter, member, schema)),
  );
}

function nestedDefaultCheck(
  operation: Operation,
  parameter: Parameter,
  member: string,
  schema: Schema,
): Check {
  const place = checkId(operation.id, parameter.name, 'properties', member);
  const entry = {
    parameter: parameter.name,
    does: `treats ${parameter.wire} without ${member} like ${member} ${String(schema.default)}`,
    rule: meansDefault(parameter, member, schema),
  };
  const check = filterCheck(operation, parameter, entry);
  return {
    ...check,
    id: checkId(place, 'default', 'applied'),
    kind: 'defaults',
    dependsOn: [...(check.dependsOn ?? []), checkId(place, 'default')],
  };
}

/** Another value than the default; undefined where the schema knows none, as for a list of ids. */
function otherThan({ default: stated, enum: members, type }: Schema): unknown {
  if (stated === undefined) return undefined;
  return type === 'boolean' ? stated !== true : members?.find((value) => value !== stated);
}

/** The same filter without the member, with its default, and with another value: the first two are alike. */
function meansDefault(parameter: Parameter, member: string, schema: Schema): Rule {
  return ({ page }) => {
    const taxonomy = parameter.name.replace(/_exclude$/, '');
    const sets = termsOf(page, taxonomy, schema);
    if (sets.length === 0) return `the records do not show ${taxonomy} that would make a difference`;
    const filter = (terms: readonly number[], more: Record<string, unknown>) => ({
      [parameter.wire]: { terms, ...more },
    });
    const values = [{}, { [member]: schema.default }, { [member]: otherThan(schema) }];
    return [
      {
        requests: sets.flatMap((terms) => values.map((more) => filter(terms, more))),
        judge(answers) {
          for (const [at, terms] of sets.entries()) {
            const [omitted = [], explicit = []] = answers.slice(at * values.length);
            if (sameIds(omitted, explicit)) continue;
            const named = `terms ${terms.join(', ')} of ${parameter.wire}`;
            return {
              message: `leaving ${member} out beside ${named} is not the same as ${member} ${String(schema.default)}`,
              expected: countOf(explicit),
              observed: countOf(omitted),
            };
          }
          return undefined;
        },
        silent(answers) {
          const tells = sets.some((_, at) => {
            const [omitted = [], , other = []] = answers.slice(at * values.length);
            return !sameIds(omitted, other);
          });
          return tells
            ? undefined
            : `no other value of ${member} changes the answer, so its default does not show`;
        },
      },
    ];
  };
}

/**
 * Terms of the records: two that are on one record together and on another apart, and each alone. How several are joined
 * shows with several only.
 */
function termsOf(page: Records, taxonomy: string, { type }: Schema): number[][] {
  const pair = pairOf(page, taxonomy);
  if (type !== 'boolean') return pair === undefined ? [] : [[...pair]];
  const shown = new Set(page.flatMap((record) => valuesOf(record, taxonomy) ?? []));
  const single = [...shown].filter((term) => typeof term === 'number').map((term) => [term]);
  return [...(pair === undefined ? [] : [[...pair]]), ...single].slice(0, MOST_TERMS);
}
