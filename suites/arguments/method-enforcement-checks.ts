import type { Method, Observation } from '../../client/observation.ts';
import { type Check, checkId, type Found } from '../../engine/check.ts';
import { explain, failureBy, inconclusive, list, show } from '../../engine/findings.ts';
import { ownCheck, updateMethodsOf, updateRoot } from '../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../probing/records/own/own-records.ts';
import { collectionsWith, type WritableCollection } from '../../probing/records/own/writable-fields.ts';
import type { Contract } from '../../specs/model.ts';
import { saysGone } from './control.ts';
import { valuesRefused } from './enforcement-probes.ts';
import type { Invalid } from './excluded-values.ts';
import { probedRecord } from './probe-as-user.ts';
import { namesRefused } from './refused-by-name.ts';

/** Checks that an update refuses by its other methods what it refuses by the first: software may validate each for itself. */
export function methodEnforcementChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'update').flatMap((about) => {
    const [first, ...others] = updateMethodsOf(about.operation);
    return others.map((method) =>
      ownCheck({
        id: checkId(about.operation.id, 'method', method, 'enforced'),
        kind: 'refused',
        title: `${method} of ${about.operation.id} refuses what ${first} refuses`,
        basis: 'implied',
        on: about.operation,
        needs: [updateRoot(about.operation.id, method)],
        run: (own) => evaluate(own, about, method),
      }),
    );
  });
}

async function evaluate(
  own: OwnRecords,
  { collection, operation }: WritableCollection,
  method: Method,
): Promise<Found> {
  const record = await probedRecord(own, collection);
  if (record === undefined) return inconclusive('no record of its own could be made');
  const invalid = await valuesRefused(own.session, operation);
  if (invalid.length === 0) return inconclusive('no value is known that it refuses');
  const send = (some: readonly Invalid[]): Promise<Observation> =>
    own.update(
      record,
      Object.fromEntries(some.map(({ parameter, value }) => [parameter.wire, value])),
      method,
    );
  const together = await send(invalid);
  // A refusal only proves the values that it names, or the single one that was sent.
  const named = namesRefused(together);
  const isOpen = ({ parameter }: Invalid): boolean => invalid.length > 1 && !named.includes(parameter.wire);
  const open = together.answer === 'refused' ? invalid.filter(isOpen) : [];
  const answers = [{ some: invalid, answer: together }];
  for (const one of open) answers.push({ some: [one], answer: await send([one]) });
  const taken = answers.find(({ answer }) => answer.answer !== 'refused');
  if (taken === undefined) {
    const gone = answers.find(({ answer }) => saysGone(answer));
    // A site may refuse a value with such a status too.
    const isGone = gone !== undefined && (await own.read(record)).answer !== 'accepted';
    return isGone ? inconclusive(`the own record is gone (${explain(gone.answer)})`) : [];
  }
  const { some, answer } = taken;
  if (answer.answer !== 'accepted' && answer.answer !== 'broken')
    return inconclusive(`${method} is not refused (${explain(answer)})`);
  const values = some.map(({ parameter, value }) => `${parameter.wire} as ${show(value)}`);
  const message = `${method} of ${operation.id} takes what another method refuses: ${list(values)}`;
  return failureBy(message, 'refused', answer);
}
