import type { Observation } from '../../client/observation.ts';
import { isFinding } from '../../engine/aborted.ts';
import { type Check, check, checkId, type Finding } from '../../engine/check.ts';
import { blocked, hasFailure } from '../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../engine/session.ts';
import { acceptedValues } from '../../generators/constraint-values.ts';
import { type Args, encodeArgs } from '../../generators/wire-forms.ts';
import { declaredId, statedBy } from '../../probing/declarations/compare-constraint.ts';
import { openSubject } from '../../probing/records/reading/find-parent.ts';
import type { Subject } from '../../probing/records/reading/list-request.ts';
import { rootOfRefusal } from '../../probing/records/reading/no-match.ts';
import { soleUserFinding } from '../../probing/records/reading/open-list.ts';
import { type SiteRecord, valuesOf } from '../../probing/records/reading/record.ts';
import { runRule, snapshotOf } from '../../probing/records/reading/run-rule.ts';
import type { Rule } from '../../probing/records/reading/trials.ts';
import { defaultOf, takes } from '../../specs/find-resource.ts';
import type { Operation, Parameter } from '../../specs/model.ts';
import { FILTER_TABLE, FIRST_COLUMN, type FilterEntry } from './filter-table.ts';
import { ignoresSticky, keepsItsKey, meansUsual, reversesById } from './rules/order-rules.ts';
import {
  boundsTheCount,
  fillsLongPages,
  keepsTheSize,
  losesFromEveryPage,
  partitionsIntoPages,
  repeatsNothing,
  slicesTheList,
} from './rules/paging-rules.ts';
import { showsUsualStatus } from './rules/status-rules.ts';

/** The check that a parameter of a list does what its entry in the table says. */
export function filterCheck(operation: Operation, parameter: Parameter, entry: FilterEntry): Check {
  const { id } = operation;
  const place = checkId(id, parameter.name);
  const typed = parameter.schema.type === undefined ? [] : [checkId(place, 'type')];
  const { properties = {} } = parameter.schema;
  const members = entry.part !== undefined && Object.hasOwn(properties, entry.part) ? properties : {};
  const opposite = /_exclude$/.test(place) ? place.replace(/_exclude$/, '') : `${place}_exclude`;
  return check({
    id: checkId(place, 'filters', entry.part),
    kind: 'lists',
    title: `${id} ${entry.does.replace('{records}', operation.resource?.id ?? 'records')}`,
    on: operation,
    parameter,
    // A parameter of another declared type cannot take the values of the contract.
    needs: [
      checkId(id, 'method', 'GET'),
      checkId(place, 'declared'),
      typed,
      // A member is tried with the others.
      Object.keys(members).map((name) => checkId(place, 'properties', name, 'declared')),
      (entry.after ?? [])
        .filter((name) => name !== parameter.name)
        .map((name) => checkId(id, name, 'declared')),
    ],
    // Of a filter and its opposite a list applies one, so that a wrong default hides the other. A wrong status hides all.
    after: [
      checkId(opposite, 'default', 'applied'),
      parameter.name === 'status' && checkId(place, 'default', 'applied'),
      // What does not apply beside another filter, or without matches, does so here too.
      [...(entry.part === undefined ? [] : [parameter.name]), ...(entry.after ?? [])].flatMap((name) =>
        ['beside', 'none'].map((how) => checkId(id, name, 'filters', how)),
      ),
      // Both filters know only the types that the site takes as uploads, although older files may have others.
      entry.about === 'file' && checkId(id, 'media_type', 'items', 'enum'),
      entry.rule === keepsTheSize &&
        ['default', 'default/applied', 'filters'].map((word) => checkId(place, word)),
    ],
    ...((entry.needsUser === true || operation.route.pathParameters.length > 0) && { needsUser: true }),
    groups: groupsOf(id, parameter, entry),
    run: (session) => evaluate(session, operation, entry),
  });
}

/** What software decides with the same code: times and other formats, all fields, all terms, all words of `orderby`. */
function groupsOf(id: string, { schema }: Parameter, { about, parameter, part }: FilterEntry): string[] {
  // A list that ignores its order follows the default one.
  if (parameter === 'orderby') return part === undefined || part === schema.default ? [] : [`${id} orders`];
  if (about === 'terms') return ['filters by terms'];
  // Terms and files are tables of their own.
  if (about === undefined || about === 'file') return [];
  const format = schema.format === undefined ? [] : [`filters by ${schema.format}`];
  return ['filters by fields', `${id} filters by fields`, ...format];
}

async function evaluate(session: Session, operation: Operation, entry: FilterEntry): Promise<Finding[]> {
  const subject = await openSubject(session, operation);
  const whole = await snapshotOf(session, subject);
  const unreadable = isFinding(whole) ? unreadableBy(operation, whole) : undefined;
  if (unreadable?.kind === 'blocked') return [unreadable];
  const findings = await findingsOf(session, subject, entry);
  if (!hasFailure(findings)) return unlessSole(session, subject, entry, 'alone', findings);
  const { records, curls } = isFinding(whole) ? { records: [], curls: [] } : whole;
  const refusal =
    (await rootOfRefusal(session, operation, findings)) ??
    (await refusedSpelling(session, subject, entry, findings, records[0]));
  if (refusal !== undefined) return [blocked(refusal)];
  for (const cause of rootCausesOf(entry, operation, curls.length)) {
    if (!hasFailure(await findingsOf(session, subject, cause))) continue;
    const by = checkId(operation.id, cause.parameter, cause.aspect ?? 'filters');
    return by === checkId(operation.id, entry.parameter, 'filters', entry.part) ? findings : [blocked(by)];
  }
  return findings;
}

/** The check that reports a value or spelling of an argument which the list alone refuses, or fails of; undefined if there is none. */
async function refusedSpelling(
  session: Session,
  { operation, route, as }: Subject,
  { parameter: name, part, after = [] }: FilterEntry,
  findings: readonly Finding[],
  record: SiteRecord | undefined,
): Promise<string | undefined> {
  const beside = part === undefined ? {} : neededBy(after, record);
  const isAs = ({ answer }: Observation): boolean =>
    findings.some(({ refused, broken }) => (answer === 'refused' ? refused : answer === 'broken' && broken));
  if (!findings.some(({ refused, broken }) => refused === true || broken === true)) return undefined;
  const parameters = operation.parameters.filter((one) => [name, ...after].includes(one.name));
  const spellings = parameters
    .flatMap((parameter) => statedBy(operation, parameter))
    .filter(({ constraint: { kind } }) => ['type', 'format', 'enum'].includes(kind));
  for (const stated of spellings) {
    const { parameter, constraint } = stated;
    const id = checkId(declaredId(stated), 'accepted');
    const isOwn = part !== undefined && parameter.name === name && constraint.kind === 'enum';
    const accepted = session.runs(id) ? acceptedValues(parameter.schema, constraint) : [];
    // Of the members of an enum, an entry sends its own.
    for (const { value } of isOwn ? accepted.filter((one) => [one.value].flat().includes(part)) : accepted) {
      const query = encodeArgs({ ...beside, [parameter.wire]: value });
      if (isAs(await session.ask({ method: 'GET', route, query, as }))) return id;
    }
  }
  return undefined;
}

/** Arguments without which software may refuse an order. */
function neededBy(after: readonly string[], record: SiteRecord | undefined): Args {
  const sent = record === undefined ? {} : { include: record.id, slug: valuesOf(record, 'slug') };
  return Object.fromEntries(Object.entries(sent).filter(([name]) => after.includes(name)));
}

/** The finding for a list that cannot be read; the check of ids reports that a collection fails. */
export function unreadableBy({ resource }: Operation, finding: Finding): Finding {
  const isCollection = resource !== undefined && resource.parent === undefined;
  if (finding.kind !== 'failure' || !isCollection) return finding;
  return blocked(checkId('records', resource.id, 'id'));
}

/** The findings of a rule on a list, shared by its own check and those that depend on it. */
export const findingsOf: Fixture<
  Finding[],
  [subject: Subject, entry: RootCause & Pick<FilterEntry, 'variant'>]
> = fixture(
  'rule',
  async (session, subject, { rule, variant }) =>
    runRule(session, subject, rule, await variant?.(session, subject)),
  // Keyed by the rules themselves, because names of parts are not unique.
  ({ route }, { parameter, rule }) => [route, parameter, rule],
);

/** The parameter of a list that an entry tests; undefined if the list does not have it, or not this value of it. */
export function parameterOf(
  { parameter, part, only }: FilterEntry,
  { resource, parameters }: Operation,
): Parameter | undefined {
  const found = parameters.find(({ name }) => name === parameter);
  if (found === undefined || (only !== undefined && (resource === undefined || !only(resource))))
    return undefined;
  if (part === undefined || (parameter !== 'orderby' && parameter !== 'search_columns')) return found;
  const { schema } = found;
  return (schema.enum ?? schema.items?.enum ?? []).includes(part) ? found : undefined;
}

/** A rule that others depend on, and the parameter whose check reports its violation. */
interface RootCause {
  readonly parameter: string;
  /** The rest of the id of its check; default: `filters`. */
  readonly aspect?: string;
  readonly rule: Rule;
}

/** A list that cuts long pages. Short pages that are wrong only concern pages and offsets. */
const CUTS: RootCause = { parameter: 'per_page', rule: fillsLongPages };
const REPEATS: RootCause = { parameter: 'page', rule: repeatsNothing };
const LOSSES: RootCause = { parameter: 'page', rule: losesFromEveryPage };
/** A direction that is ignored even in a list sorted by id. */
const DIRECTIONS: RootCause = { parameter: 'order', rule: reversesById };
/** Sticky records that are always in front, whatever the list is filtered by. */
const STICKY: RootCause = { parameter: 'ignore_sticky', rule: ignoresSticky };
/** Records of other statuses that every list shows. */
const OTHERS: RootCause = { parameter: 'status', rule: showsUsualStatus };
/** A list that is sorted by something else than the date. */
const KEY: RootCause = { parameter: 'orderby', aspect: checkId('filters', 'date'), rule: keepsItsKey };
const USUAL_DIRECTION = usual('order');
const USUAL_KEY = usual('orderby');
const USUAL_STATUS = usual('status');

/** A list that is another one without a parameter than with its stated default. */
function usual(parameter: string): RootCause {
  return { parameter, aspect: 'default/applied', rule: meansUsual(parameter) };
}

/**
 * What makes an entry fail as well, and is reported by a check of its own, in the order in which causes are tried.
 * @param pages how many pages the whole list was read in
 */
function rootCausesOf(entry: FilterEntry, operation: Operation, pages: number): readonly RootCause[] {
  const apart = [STICKY, OTHERS].filter(({ parameter }) => parameter !== entry.parameter);
  const ofAnyList = [REPEATS, ...apart.filter(({ parameter }) => takes(operation, parameter))];
  if (entry.rule === boundsTheCount) return ofAnyList;
  const needed = FILTER_TABLE.filter(
    (other) => parameterOf(other, operation) !== undefined && needs(entry, other, pages),
  );
  const isSorted = entry.after?.includes('order') === true;
  return [
    ...ofAnyList,
    ...needed.map((other) => asCause(other, isPaging(entry))),
    ...(entry.rule === partitionsIntoPages ? [] : [LOSSES]),
    ...(entry.parameter === 'status' ? [USUAL_STATUS] : []),
    ...(entry.parameter === 'order' ? [USUAL_KEY, KEY] : []),
    ...(isSorted ? [DIRECTIONS] : []),
    ...(isSorted && defaultOf(operation, 'order') === 'desc' ? [USUAL_DIRECTION] : []),
  ];
}

/** Whether the requests of an entry only show its own effect if another one holds. */
function needs(entry: FilterEntry, { parameter, part, rule }: FilterEntry, pages: number): boolean {
  if (rule === boundsTheCount) return true;
  if (rule === partitionsIntoPages && pages > 1) return entry.rule !== rule;
  // Which categories are below shows in those that are included.
  if (part === 'include_children' && entry.part === part) return entry.parameter === `${parameter}_exclude`;
  // A wrong direction is a cause of its own.
  if (parameter === 'order' || entry.after?.includes(parameter) !== true) return false;
  if (part === FIRST_COLUMN) return entry.part !== part;
  return part === undefined || (part === 'operator' && entry.parameter === 'tax_relation');
}

function isPaging({ parameter, rule, after }: FilterEntry): boolean {
  const isSortedOnPages = parameter === 'orderby' && after?.includes('page') === true;
  return rule === partitionsIntoPages || rule === slicesTheList || isSortedOnPages;
}

/** An entry as a cause. Of the sizes of pages, only paging needs all. */
function asCause(entry: FilterEntry, ofPaging: boolean): RootCause {
  if (entry.rule === boundsTheCount && !ofPaging) return CUTS;
  return entry.part === undefined ? entry : { ...entry, aspect: checkId('filters', entry.part) };
}

/** Not applicable instead of inconclusive if the site has one user. @param way with another filter or alone */
export async function unlessSole(
  session: Session,
  { route }: Subject,
  { takesUsers }: FilterEntry,
  way: FilterEntry['takesUsers'],
  findings: readonly Finding[],
): Promise<Finding[]> {
  const isInconclusive = takesUsers === way && findings.some(({ kind }) => kind === 'inconclusive');
  const sole = isInconclusive ? await soleUserFinding(session, route) : undefined;
  return sole === undefined ? [...findings] : [sole];
}
