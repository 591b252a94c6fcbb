import { type Check, check, checkId } from '../../engine/check.ts';
import { inconclusive, notApplicable } from '../../engine/findings.ts';
import { openList } from '../../probing/records/reading/open-list.ts';
import { toRecords } from '../../probing/records/reading/record.ts';
import { snapshotOf } from '../../probing/records/reading/run-rule.ts';
import { shownToAnonymous, statusOf } from '../../probing/records/reading/shown-to-anonymous.ts';
import { operationFor, routeFor, takes } from '../../specs/find-resource.ts';
import type { Operation } from '../../specs/model.ts';
import { shownStatuses } from './rules/status-rules.ts';

/**
 * The check that what a user's list shows with another status than its default is listed to nobody without credentials who
 * asks for no status, whatever else is asked (§3).
 */
export function anonymousChecks(list: Operation): Check[] {
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
