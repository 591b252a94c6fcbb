import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { orAbort } from '../../../engine/aborted.ts';
import { type Check, checkId, type Found } from '../../../engine/check.ts';
import { failure, inconclusive, show } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { creationRoot, ownCheck, readBackRoots, updateRoot } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  collectionsWith,
  type WritableCollection,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { contradictions } from '../../../probing/records/reading/same-record.ts';
import type { Contract, Operation } from '../../../specs/model.ts';
import { creationOf } from './field-values.ts';
import { UPDATE_METHODS, updateSequenceOf } from './update-checks.ts';

/** Checks that the record which answers a creation or an update is the one that is read afterwards (R11). */
export function answerChecks(contract: Contract): Check[] {
  return [
    ...collectionsWith(contract, 'create').map((about) =>
      answerCheck(about, [creationRoot(about.collection)], createdLooks),
    ),
    ...collectionsWith(contract, 'update').map((about) => {
      const methods = UPDATE_METHODS.filter((method) => about.operation.methods.includes(method));
      return answerCheck(
        about,
        methods.map((method) => updateRoot(about.operation.id, method)),
        updatedLooks,
      );
    }),
  ];
}

/** What answered a write, and what was read of the record after it. */
interface Look {
  readonly answer: Observation;
  readonly read: Observation;
}

type Looks = (session: Session, own: OwnRecords, collection: string) => Promise<readonly Look[]>;

function answerCheck(
  { collection, operation }: WritableCollection,
  needs: readonly string[],
  looksOf: Looks,
): Check {
  return ownCheck({
    id: checkId(operation.id, 'answer'),
    kind: 'writes',
    title: `${operation.id} answers the record as it is read afterwards`,
    section: '2',
    on: operation,
    needs: [...needs],
    after: [
      checkId('records', collection, 'alone'),
      ...operation.parameters.flatMap(({ name }) => readBackRoots(collection, name)),
      ...storedRoots(operation),
    ],
    async run(session, own) {
      return evaluate(session, collection, await looksOf(session, own, collection));
    },
  });
}

/** The checks of single fields: who stores one otherwise than it was written may answer it as it was. */
function storedRoots(operation: Operation): string[] {
  const methods = operation.role === 'update' ? UPDATE_METHODS : [undefined];
  return writableFields(operation).flatMap(({ name }) => [
    ...methods.map((method) => checkId(operation.id, name, 'stored', method)),
    checkId(operation.id, name, 'agrees'),
  ]);
}

const createdLooks: Looks = async (session, own, collection) => {
  const { creation, read } = await creationOf(session, own, collection, 'main');
  return 'refused' in creation || read === undefined ? [] : [{ answer: creation.created, read }];
};

const updatedLooks: Looks = async (session, own, collection) => {
  const { steps } = orAbort(await updateSequenceOf(session, own, collection));
  return steps.flatMap(({ update, read }) => (read === undefined ? [] : [{ answer: update, read }]));
};

function evaluate({ contract }: Session, collection: string, looks: readonly Look[]): Found {
  const both = looks.filter((look) => Object.values(look).every(({ answer }) => answer === 'accepted'));
  if (both.length === 0) return inconclusive('no write was accepted and read back');
  for (const { answer, read } of both) {
    const names = contradictions(contract, collection, answer.json, read.json);
    const [first] = names;
    if (first === undefined) continue;
    return failure(`a write answers another ${names.join(', ')} than is read afterwards`, {
      expected: `${first} ${show(member(read.json, first))}`,
      observed: `${first} ${show(member(answer.json, first))}`,
      reproduce: [answer.curl, read.curl],
    });
  }
  return [];
}
