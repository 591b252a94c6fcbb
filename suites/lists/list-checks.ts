import {
  type Check,
  check,
  checkId,
  declares,
  type Finding,
  type Found,
  serves,
} from '../../engine/check.ts';
import type { Difference } from '../../engine/equal.ts';
import { blocked, failure, hasFailure, inconclusive, notApplicable } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { simplerValues } from '../../generators/explore.ts';
import { isDeclaredAsStated } from '../../probing/declarations/compare-constraint.ts';
import { revisedDraft } from '../../probing/records/own/drafts.ts';
import { ownCheck } from '../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../probing/records/own/own-records.ts';
import { openSubject } from '../../probing/records/reading/find-parent.ts';
import {
  type Args,
  listRequest,
  readList,
  type Subject,
} from '../../probing/records/reading/list-request.ts';
import {
  openList,
  type Send,
  type Snapshot,
  sameSnapshot,
  takeSnapshot,
} from '../../probing/records/reading/open-list.ts';
import { toRecords } from '../../probing/records/reading/record.ts';
import { runRule, snapshotOf } from '../../probing/records/reading/run-rule.ts';
import { shownToAnonymous, statusOf } from '../../probing/records/reading/shown-to-anonymous.ts';
import {
  drawSets,
  type Evaluation,
  knownSets,
  type Property,
  partOf,
} from '../../probing/search/note-tried.ts';
import { searchComparing } from '../../probing/search/search.ts';
import { isOwnable, isWellKnown, ofKind, operationFor, routeFor, takes } from '../../specs/find-resource.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { besideCheck, besideFindings } from './beside-checks.ts';
import { filterCheck, findingsOf, nestedDefaultChecks, parameterOf } from './filter-checks.ts';
import { FILTER_TABLE, type FilterEntry, shownStatuses } from './filter-table.ts';
import { evaluateAnswer, type Oracle, oracleOf, type Prediction } from './subsets/prediction.ts';
import { isPredictable, subsetSets } from './subsets/subset-sets.ts';

/**
 * Checks that the parameters of the lists of records, files and revisions do what they are named for (§4.6 to §4.8): the
 * records of the site themselves predict each answer. A list of autosaves has none that select.
 */
export function collectionChecks(contract: Contract): Check[] {
  return contract.operations
    .filter(({ resource, role }) => role === 'list' && resource?.kind !== 'autosaves')
    .flatMap((operation) => {
      const { resource } = operation;
      const isKnown = resource === undefined || isWellKnown(contract, resource);
      const entries = isKnown ? FILTER_TABLE : FILTER_TABLE.filter(({ parameter }) => PLAIN.has(parameter));
      const filters = entries.flatMap((entry) => {
        const parameter = parameterOf(entry, operation);
        if (parameter === undefined) return [];
        const beside = entry.about === undefined ? [] : [besideCheck(operation, parameter, entry)];
        return [filterCheck(operation, parameter, entry), ...(isKnown ? beside : [])];
      });
      if (!isKnown) return resource?.parent === undefined ? filters : [];
      return [
        ...filters,
        ...nestedDefaultChecks(operation),
        ...anonymousChecks(operation),
        ...subsetChecks(operation),
      ];
    });
}

/** What pages and ids mean is the same in every list; what another parameter selects, the records of a known kind tell. */
const PLAIN: ReadonlySet<string> = new Set(['page', 'per_page', 'offset', 'include', 'exclude']);

const LIST_PARAMETERS: readonly string[] = [
  'include',
  'exclude',
  'order',
  'per_page',
  'page',
  'offset',
  'search',
];

/** Checks of what the parameters of a list of revisions do (§4.6), on an own draft that was changed several times. */
export function revisionListChecks(contract: Contract): Check[] {
  return ofKind(contract, 'revisions').flatMap((resource) => {
    const { parent: type = '', operations } = resource;
    const { list } = operations;
    const makesSome = isOwnable(contract, resource) && operationFor(contract, type, 'update') !== undefined;
    if (list === undefined || !makesSome) return [];
    return FILTER_TABLE.filter(isOfRevisions).map((entry) => listCheck(type, list, entry));
  });
}

function isOfRevisions({ parameter, part }: FilterEntry): boolean {
  return part === undefined && LIST_PARAMETERS.includes(parameter);
}

function listCheck(type: string, list: Operation, { parameter, does, rule }: FilterEntry): Check {
  return ownCheck({
    area: 'revisions',
    id: checkId('revisions', type, 'list', parameter),
    kind: 'lists',
    title: `the list of the revisions of one of the ${type} ${does}`,
    on: list,
    parameter,
    needs: [
      serves(list, 'GET'),
      declares(list, parameter),
      checkId(list.id, parameter, 'type'),
      checkId('revisions', type, 'created'),
      // Pages and offsets show nothing where lists are not cut.
      ...(['page', 'offset'].includes(parameter) ? [checkId('revisions', type, 'list', 'per_page')] : []),
    ],
    run: (own) => evaluateList(own, list, rule),
  });
}

async function evaluateList(own: OwnRecords, list: Operation, rule: FilterEntry['rule']): Promise<Found> {
  const { route } = await revisedDraft(own, list);
  return runRule(own.session, await openList(own.session, list, route), rule);
}

/**
 * The check that what a user's list shows with another status than its default is listed to nobody without credentials who
 * asks for no status, whatever else is asked (§3).
 */
function anonymousChecks(list: Operation): Check[] {
  const status = list.parameters.find(({ name }) => name === 'status');
  const collection = list.resource?.id;
  if (status === undefined || collection === undefined || !takes(list, 'include')) return [];
  return [
    check({
      id: checkId(list.id, 'status', 'filters', 'anonymous'),
      kind: 'lists',
      title: `${list.id} shows anonymous callers nothing of another status than its default, whatever they filter by`,
      on: list,
      parameter: status,
      needsUser: true,
      needs: [checkId(list.id, 'method', 'GET'), checkId(list.id, 'status', 'filters')],
      async run(session) {
        const subject = await openList(session, list, list.route.wire);
        const shown = await snapshotOf(session, subject, await shownStatuses(session, subject));
        if ('finding' in shown) return shown.finding;
        const usual = [status.schema.default].flat();
        const hidden = shown.records.filter((record) => !usual.includes(statusOf(record) ?? usual[0]));
        if (hidden.length === 0) return notApplicable('the site shows the user none of another status');
        const { findings, asked } = await shownToAnonymous(session, list, hidden, async ({ id }) => {
          const read = operationFor(session.contract, collection, 'read');
          if (read === undefined) return true;
          const fresh = await session.client.request({
            method: 'GET',
            route: routeFor(read, id),
            query: [['context', 'edit']],
            as: 'user',
          });
          const [now] = toRecords([fresh.json]);
          return now !== undefined && !usual.includes(statusOf(now));
        });
        return asked > 0 ? findings : inconclusive('no list is shown to anonymous callers');
      },
    }),
  ];
}

/** Fewer parameters make no combinations that other checks do not try. */
const FEWEST_PARAMETERS = 3;
/** Where there are few examples, a list has some of them: four of ten, but all of so many. */
const ALL_EXAMPLES = 25;

/**
 * The property-based check of a list: under any set of filters it holds the records that the records themselves predict,
 * sorted and cut as asked (§4.6 to §4.8).
 */
export function subsetChecks(operation: Operation): Check[] {
  const predictable = operation.parameters.filter((one) => isPredictable(one));
  if (predictable.length < FEWEST_PARAMETERS) return [];
  const id = checkId(operation.id, 'fuzz', 'subset');
  return [
    check({
      id,
      kind: 'drawn',
      title: `${operation.id} holds what its filters describe, sorted and cut as asked, in any combination`,
      fuzz: true,
      on: operation,
      needs: [serves(operation, 'GET')],
      ...(operation.route.pathParameters.length > 0 && { needsUser: true }),
      run: (session) => evaluate(session, id, operation),
    }),
  ];
}

async function evaluate(session: Session, check: string, operation: Operation): Promise<Finding[]> {
  const subject = await openSubject(session, operation);
  if ('reason' in subject) return [inconclusive(subject.reason)];
  const oracle = await oracleOf(session, subject);
  const list = await snapshotOf(session, subject);
  const every = await snapshotOf(session, subject, oracle.everyStatus);
  if ('finding' in list) return [unreadable(operation, list.finding)];
  if ('finding' in every) return [every.finding];
  if (list.records.length < 2) return [inconclusive('the check needs two visible records')];
  const parameters = operation.parameters
    .filter((one) => isPredictable(one, oracle))
    // What the target declares otherwise is reported already.
    .filter((one) => isDeclaredAsStated(session.index, operation, one));
  const sets = drawSets(session, check, (examples, seed) =>
    subsetSets(parameters, oracle, { list, every }, partOf(examples, ALL_EXAMPLES), seed),
  );
  if (sets.length + knownSets(session, check).length === 0)
    return [inconclusive('no two parameters have values of which it is known what they keep')];
  const free = parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
  const property = subsetProperty(session, subject, oracle);
  return searchComparing(session, check, free, sets, property);
}

function unreadable({ resource }: Operation, finding: Finding): Finding {
  const isCollection = resource !== undefined && resource.parent === undefined;
  return finding.kind === 'failure' && isCollection
    ? blocked(checkId('records', resource.id, 'id'))
    : finding;
}

/** A site on which somebody is at work gets another chance. */
const MOST_TURNS = 3;

interface Compared {
  readonly end: Evaluation['end'];
  readonly curl: string;
  readonly difference?: Difference | undefined;
}

/**
 * A list holds what its arguments describe. A refusal is left to the check that any combination is accepted; a difference
 * counts between two equal readings of the list only.
 */
function subsetProperty(session: Session, subject: Subject, oracle: Oracle): Property {
  const fresh: Send = (spec) => session.client.request(spec);
  /** What the records are as far as is known, where they have moved since the run saw them first. */
  const moved = new Map<string, Snapshot>();
  const predictable = (args: Args): boolean => oracle.predict(args) !== undefined;
  return {
    keepsSubject: false,
    async evaluate(args, isFresh) {
      const prediction = oracle.predict(args);
      if (prediction === undefined) return { end: 'other' };
      const population = JSON.stringify(prediction.population);
      if (!isFresh) {
        const known = moved.get(population) ?? (await snapshotOf(session, subject, prediction.population));
        if ('finding' in known) return { end: 'other', finding: known.finding };
        const { end, difference } = await compare(subject, args, prediction, known, (spec) =>
          session.ask(spec),
        );
        if (difference === undefined) return { end };
      }
      return confirm(subject, args, prediction, fresh, (snapshot) => moved.set(population, snapshot));
    },
    simpler: (name, value) => simplerOf(value).filter((simple) => predictable({ [name]: simple })),
    reportedBy: (names) => reportedBy(session, subject, names),
  };
}

async function compare(
  subject: Subject,
  args: Args,
  prediction: Prediction,
  snapshot: Snapshot,
  send: Send,
): Promise<Compared> {
  const observation = await send(listRequest(subject, args));
  const { curl } = observation;
  const answer = readList(observation);
  if (answer.kind !== 'list') return { end: answer.kind === 'refused' ? 'refused' : 'other', curl };
  return { end: 'accepted', curl, difference: evaluateAnswer(args, answer.records, snapshot, prediction) };
}

/** Compares between two equal readings of the list. @param learn is told what the records are where nothing differs */
async function confirm(
  subject: Subject,
  args: Args,
  prediction: Prediction,
  send: Send,
  learn: (snapshot: Snapshot) => void,
): Promise<Evaluation> {
  let before = await takeSnapshot(subject, prediction.population, send);
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    if ('finding' in before) return { end: 'other', finding: before.finding };
    const { end, curl, difference } = await compare(subject, args, prediction, before, send);
    const after = await takeSnapshot(subject, prediction.population, send);
    if (!('finding' in after) && sameSnapshot(before, after)) {
      if (difference !== undefined) {
        return { end, finding: differing(difference, [curl, ...after.curls.slice(0, 1)]), kind: 'subset' };
      }
      learn(before);
      return { end };
    }
    before = after;
  }
  return {
    end: 'other',
    finding: inconclusive('the records changed while they were read, each time that it was tried'),
  };
}

function differing({ message, expected, observed }: Difference, reproduce: readonly string[]): Finding {
  return failure(message, { expected, observed, reproduce });
}

/** Simpler values that still say something: a list with fewer items, a smaller number. */
function simplerOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.length > 1 ? value.map((item) => [item]) : [];
  return typeof value === 'number' ? simplerValues(value) : [];
}

/** The check of one of the parameters, alone or beside another filter, that fails as well. */
async function reportedBy(
  session: Session,
  subject: Subject,
  names: readonly string[],
): Promise<string | undefined> {
  const { operation } = subject;
  const entries = FILTER_TABLE.filter((entry) => {
    const parameter = parameterOf(entry, operation);
    return parameter !== undefined && (isUsual(entry) || names.includes(parameter.wire));
  });
  for (const entry of entries) {
    if (!hasFailure(await findingsOf(session, subject, entry))) continue;
    return checkId(
      operation.id,
      entry.parameter,
      'filters',
      ...(entry.part === undefined ? [] : [entry.part]),
    );
  }
  for (const entry of entries.filter(({ about }) => about !== undefined)) {
    if (!hasFailure(await besideFindings(session, operation, entry))) continue;
    return checkId(operation.id, entry.parameter, 'filters', 'beside');
  }
  return undefined;
}

/** Whether it is about an argument that every request for a list has, or about where its answers are cut. */
function isUsual({ parameter, part }: FilterEntry): boolean {
  if (parameter === 'orderby') return part === undefined || part === 'id';
  return part === undefined && ['order', 'per_page', 'page'].includes(parameter);
}
