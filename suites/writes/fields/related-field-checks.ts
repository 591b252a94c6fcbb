import { member } from '../../../client/json.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { show } from '../../../engine/show.ts';
import type { Contract } from '../../../specs/model.ts';
import { creationCurl, type Making, makeRecord } from '../../records/own/make-record.ts';
import { ownCheck } from '../../records/own/own-check.ts';
import {
  collectionsWith,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../records/own/writable-fields.ts';
import { readBackRoots } from '../../records/own/write-roots.ts';
import { creationOf, groupOf } from './creations.ts';
import { instantOf, mayBeZone, zoneOf } from './moment.ts';

/** Checks that `date` and `date_gmt` name one instant, whichever of them was written (§2). */
export function agreementChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create').flatMap((about) => {
    const dates = writableFields(about.operation).filter(
      ({ name }) => name === 'date' || name === 'date_gmt',
    );
    return dates.length < 2 ? [] : dates.map((field) => agreementCheck(about, field));
  });
}

function agreementCheck({ collection, operation }: WritableCollection, field: WritableField): Check {
  return ownCheck({
    id: checkId(operation.id, field.name, 'agrees'),
    title: `date and date_gmt name one instant after ${field.wire} was written by ${operation.id}`,
    section: '2',
    basis: 'implied',
    operation: operation.id,
    parameter: field.name,
    dependsOn: [checkId(operation.id, field.name, 'stored')],
    buildsOn: readBackRoots(collection, field.parameter),
    async run(session, own) {
      const shared = await creationOf(session, own, collection, groupOf(field));
      const written = new Map([...shared.written].filter(([name]) => name === field.name));
      // A creation with many fields may be refused for one of them.
      const making =
        shared.shown === undefined
          ? await makeRecord(session, own, { collection, fields: [field], written })
          : shared;
      if (making.shown !== undefined) return judge(session, making);
      return [inconclusive(`no record with ${field.wire} could be made`)];
    },
  });
}

function judge(session: Session, making: Making): Finding[] {
  const [local, gmt] = [member(making.shown, 'date'), member(making.shown, 'date_gmt')];
  const zone = zoneOf(session.index);
  const [one, other] = [instantOf(local, zone ?? 0), instantOf(gmt, 0)];
  if (one !== undefined && other !== undefined) {
    if (zone === undefined ? mayBeZone(one - other) : one === other) return [];
  }
  return [
    failure('date and date_gmt do not name one instant', {
      expected:
        zone === undefined ? 'a difference that a time zone can have' : `${zone / 60} hours between them`,
      observed: `date ${show(local)}, date_gmt ${show(gmt)}`,
      reproduce: [creationCurl(making), ...(making.read === undefined ? [] : [making.read.curl])],
    }),
  ];
}
