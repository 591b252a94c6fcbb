import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { blocked, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import type { Operation } from '../../../specs/model.ts';
import { isDeclaredAsStated } from '../../declarations/declared-constraints.ts';
import { openSubject } from '../../records/reading/open-subject.ts';
import { snapshotOf } from '../../records/reading/run-rule.ts';
import { keptSets } from '../../search/kept-sets.ts';
import { searchTelling } from '../../search/search-telling.ts';
import { partOf } from '../../search/shares.ts';
import { oracleOf } from './prediction.ts';
import { subsetProperty } from './subset-property.ts';
import { isPredictable, subsetSets } from './subset-sets.ts';

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
    {
      id,
      title: `${operation.id} holds what its filters describe, sorted and cut as asked, in any combination`,
      section: operation.section,
      basis: 'implied',
      effect: 'reads',
      fuzz: true,
      operation: operation.id,
      dependsOn: [checkId(operation.id, 'method', 'GET')],
      ...(operation.route.pathParameters.length > 0 && { needsUser: true }),
      run: (session) => judge(session, id, operation),
    },
  ];
}

async function judge(session: Session, check: string, operation: Operation): Promise<Finding[]> {
  const subject = await openSubject(session, operation);
  if ('reason' in subject) return [inconclusive(subject.reason)];
  const oracle = await oracleOf(session, subject);
  const list = await snapshotOf(session, subject);
  const every = await snapshotOf(session, subject, oracle.everyStatus);
  if ('finding' in list) return [unreadable(operation, list.finding)];
  if ('finding' in every) return [every.finding];
  if (list.records.length < 2) return [inconclusive('it takes two visible records to tell')];
  const parameters = operation.parameters
    .filter((one) => isPredictable(one, oracle))
    // What the target declares otherwise is reported already.
    .filter((one) => isDeclaredAsStated(session.index, operation, one));
  const drawn = subsetSets(
    parameters,
    oracle,
    { list, every },
    partOf(session.fuzz.examples, ALL_EXAMPLES),
    session.seed,
  );
  const sets = [...keptSets(session, check), ...drawn];
  if (sets.length === 0)
    return [inconclusive('no two parameters have values of which it is known what they keep')];
  const free = parameters.map((parameter) => ({ parameter, schema: parameter.schema }));
  const property = subsetProperty(session, subject, oracle);
  return searchTelling(session, check, free, sets, property);
}

function unreadable({ resource }: Operation, finding: Finding): Finding {
  const isCollection = resource !== undefined && resource.parent === undefined;
  return finding.kind === 'failure' && isCollection
    ? blocked(checkId('records', resource.id, 'id'))
    : finding;
}
