import type { Contract, Operation, Parameter } from '../../specs/model.ts';
import type { Check, Finding } from '../check.ts';
import type { Session } from '../session.ts';
import { FILTER_TABLE, type FilterEntry } from './filter-table.ts';
import type { Subject } from './list-request.ts';
import { openSubject } from './open-subject.ts';
import { boundsTheCount, partitionsIntoPages } from './paging-rules.ts';
import { inconclusive } from './read-list.ts';
import { runRule, snapshotOf } from './run-rule.ts';

const LISTS = ['posts.list', 'pages.list', 'media.list', 'post-revisions.list', 'page-revisions.list'];

/**
 * Checks that the parameters of the lists of posts, pages, media and revisions do what they are named for (§4.6 to §4.8):
 * the records of the site themselves predict each answer.
 */
export function collectionChecks(contract: Contract): Check[] {
  return contract.operations
    .filter(({ id }) => LISTS.includes(id))
    .flatMap((operation) =>
      FILTER_TABLE.flatMap((entry) => {
        const parameter = operation.parameters.find(({ name }) => name === entry.parameter);
        return parameter !== undefined && applies(entry, operation, parameter)
          ? [filterCheck(operation, parameter, entry)]
          : [];
      }),
    );
}

/** A value of `orderby` or of `search_columns` that the list does not have is not asked for. */
function applies(
  { parameter, part, only }: FilterEntry,
  operation: Operation,
  { schema }: Parameter,
): boolean {
  if (only !== undefined && !only.includes(operation.id)) return false;
  if (part === undefined || (parameter !== 'orderby' && parameter !== 'search_columns')) return true;
  return (schema.enum ?? schema.items?.enum ?? []).includes(part);
}

function filterCheck(operation: Operation, parameter: Parameter, entry: FilterEntry): Check {
  const { id } = operation;
  const place = `${id}/${parameter.name}`;
  const typed = parameter.schema.type === undefined ? [] : [`${place}/type`];
  return {
    id: [`${place}/filters`, entry.part].filter((part) => part !== undefined).join('/'),
    title: `${id} ${entry.does}`,
    section: parameter.section,
    basis: 'implied',
    effect: 'reads',
    operation: id,
    parameter: parameter.name,
    // A parameter that is declared with another type cannot take the values of the contract.
    dependsOn: [
      `${id}/method/GET`,
      `${place}/declared`,
      ...typed,
      ...(entry.after ?? []).map((name) => `${id}/${name}/declared`),
    ],
    ...((entry.needsUser === true || operation.route.captures.length > 0) && { needsUser: true }),
    run: (session) => judge(session, operation, entry),
  };
}

async function judge(session: Session, operation: Operation, entry: FilterEntry): Promise<Finding[]> {
  const subject = await openSubject(session, operation);
  if ('reason' in subject) return [inconclusive(subject.reason)];
  const whole = await snapshotOf(session, subject);
  const collection = /^(posts|pages|media)\.list$/.exec(operation.id)?.[1];
  if ('finding' in whole && whole.finding.kind === 'failure' && collection !== undefined) {
    return [{ kind: 'blocked', message: `blocked by records/${collection}/id` }];
  }
  const findings = await findingsOf(session, subject, entry);
  if (!hasFailure(findings)) return findings;
  const pages = 'finding' in whole ? 0 : whole.curls.length;
  for (const base of basesOf(entry, pages)) {
    if (!hasFailure(await findingsOf(session, subject, base))) continue;
    return [{ kind: 'blocked', message: `blocked by ${operation.id}/${base.parameter}/filters` }];
  }
  return findings;
}

/** What a rule finds, once for its own check and for those that rely on it. */
function findingsOf(session: Session, subject: Subject, entry: FilterEntry): Promise<Finding[]> {
  const key = `rule ${subject.route} ${entry.parameter} ${entry.part ?? ''}`;
  return session.once(key, () => runRule(session, subject, entry.rule, entry.variant?.(subject)));
}

/**
 * What fails everything else with it: lists that are cut otherwise than they are asked to be (where the list was read in
 * several pages, those too), and the parameters that the requests of a rule use as well.
 */
function basesOf(entry: FilterEntry, pages: number): readonly FilterEntry[] {
  if (entry.rule === boundsTheCount) return [];
  return FILTER_TABLE.filter(({ parameter, part, rule }) => {
    if (rule === boundsTheCount || (rule === partitionsIntoPages && pages > 1)) return rule !== entry.rule;
    return part === undefined && entry.after?.includes(parameter) === true;
  });
}

function hasFailure(findings: readonly Finding[]): boolean {
  return findings.some(({ kind }) => kind === 'failure');
}
