import { asObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { operationFor, routeFor, takes } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { notAccepted } from '../../records/own/judge-write.ts';
import { creationCurl, makeRecord, makingProblem, recordOf } from '../../records/own/make-record.ts';
import { ownCheck } from '../../records/own/own-check.ts';
import {
  collectionsWith,
  type WritableCollection,
  writableFields,
} from '../../records/own/writable-fields.ts';
import { creationRoot } from '../../records/own/write-roots.ts';

const NAME = 'excerpt_length';
/** Words that nothing but the content of the record has, far fewer than an excerpt has by itself. */
const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'glade', 'heron', 'inlet', 'jetty'];
const [SHORT, LONG] = [2, 8];

/** Checks that `excerpt_length` overrides the length of an excerpt that is made of the content (§4.6, R29). */
export function excerptLengthChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create').flatMap((about) => {
    const read = operationFor(contract, about.collection, 'read');
    const isMade = takes(about.operation, 'content', 'excerpt');
    return read !== undefined && isMade && takes(read, NAME) ? [appliedCheck(about, read)] : [];
  });
}

function appliedCheck({ collection, operation }: WritableCollection, read: Operation): Check {
  const parameter = read.parameters.find(({ name }) => name === NAME);
  return ownCheck({
    id: checkId(read.id, NAME, 'applied'),
    title: `${NAME} of ${read.id} overrides how long an excerpt is that is made of the content`,
    section: read.section,
    basis: 'implied',
    operation: read.id,
    parameter: NAME,
    dependsOn: [
      checkId(read.id, 'method', 'GET'),
      checkId(read.id, NAME, 'declared'),
      checkId(operation.id, 'content', 'stored'),
      creationRoot(collection),
    ],
    async run(session, own): Promise<Finding[]> {
      const written = new Map([['content', WORDS.join(' ')]]);
      const made = await makeRecord(session, own, { collection, fields: writableFields(operation), written });
      const problem = makingProblem(`a creation in ${collection} with content alone`, made);
      const record = recordOf(made);
      if (record === undefined) return problem === undefined ? [] : [problem];
      const looks: Observation[] = [];
      for (const length of [SHORT, LONG]) {
        const look = await readWith(session, routeFor(read, record.id), parameter?.wire ?? NAME, length);
        const refused = notAccepted(`reading it with ${NAME} ${length}`, look);
        if (refused !== undefined) return [refused];
        looks.push(look);
      }
      const [short = 0, long = 0] = looks.map(wordsOf);
      // What an excerpt is made of where none was written is for the site to say.
      if (long === 0) return [inconclusive('no excerpt is made of the content')];
      if (short < long) return [];
      return [
        failure(`an excerpt is as long with ${NAME} ${SHORT} as with ${NAME} ${LONG}`, {
          expected: `fewer than ${long} words of the content with ${SHORT}`,
          observed: `${short} words`,
          reproduce: [creationCurl(made), ...looks.map(({ curl }) => curl)],
        }),
      ];
    },
  });
}

function readWith(session: Session, route: string, name: string, length: number): Promise<Observation> {
  const query = [['context', 'view'] as const, [name, String(length)] as const];
  return session.client.request({ method: 'GET', route, query, as: 'user' });
}

function wordsOf({ json }: Observation): number {
  const text = member(asObject(member(json, 'excerpt')), 'rendered');
  return typeof text === 'string' ? WORDS.filter((word) => text.includes(word)).length : 0;
}
