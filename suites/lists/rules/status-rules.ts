import type { Session } from '../../../engine/session.ts';
import { type Args, describeArgs, type Subject } from '../../../probing/records/reading/list-request.ts';
import { type SiteRecord, valuesOf } from '../../../probing/records/reading/record.ts';
import {
  countOf,
  idsOf,
  jointly,
  type Records,
  type Rule,
  snapshotOf,
  subsetTrial,
  type Trial,
} from '../../../probing/records/reading/run-rule.ts';
import { statusOf } from '../../../probing/records/reading/shown-to-anonymous.ts';

/** Statuses that stand for others, or that lists seldom show. */
const NOT_TRIED = new Set(['any', 'trash', 'auto-draft', 'inherit', 'publish']);

/**
 * Arguments that show records of every status: `any` where a list has it, else all that it has (§3). Without credentials
 * only the default is to be seen.
 */
function everyStatus({ operation, as }: Subject): Args {
  const parameter = operation.parameters.find(({ name }) => name === 'status');
  if (parameter === undefined || as === 'anonymous') return {};
  const statuses = parameter.schema.items?.enum ?? [];
  return { [parameter.wire]: statuses.includes('any') ? ['any'] : statuses };
}

/**
 * The arguments of `everyStatus`, or none where they show fewer records than the default list does: a site that answers so
 * is evaluated by the default list.
 */
export async function shownStatuses(session: Session, subject: Subject): Promise<Args> {
  const variant = everyStatus(subject);
  const [every, usual] = [await snapshotOf(session, subject, variant), await snapshotOf(session, subject)];
  if ('finding' in every || 'finding' in usual) return variant;
  return every.records.length < usual.records.length ? {} : variant;
}

/** The default shows the records of one status alone (§3), and each status that is asked for those that have it. */
export const byStatus: Rule = ({ records }, site) => {
  const parameter = site.operation.parameters.find(({ name }) => name === 'status');
  const usual = [parameter?.schema.default].flat()[0];
  const shown = new Set(records.map(statusOf).filter((status) => status !== undefined));
  if (shown.size === 0) return 'the records do not show status';
  const keeping = (args: Args, ...statuses: readonly unknown[]): Trial =>
    subsetTrial(args, (record) => {
      const own = statusOf(record);
      return own === undefined ? undefined : statuses.includes(own);
    });
  const name = site.wire('status');
  if (shown.size > 1) {
    const rare = [...shown].filter((status) => status !== usual);
    return [
      jointly(keeping({}, usual)),
      jointly(keeping({ [name]: [usual] }, usual)),
      ...rare.map((status) => keeping({ [name]: [status] }, status)),
      // All of the list is read, and not one of its members.
      jointly(keeping({ [name]: [usual, rare[0]] }, usual, rare[0])),
    ];
  }
  const alike = `all visible records have the status ${[...shown].join()}`;
  const other = parameter?.schema.items?.enum?.find((status) => !NOT_TRIED.has(String(status)));
  const byDefault = { ...keeping({}, usual), silent: () => alike };
  // Where `any` shows nothing else either, a filter that is not honoured still shows.
  return site.as === 'anonymous' || other === undefined
    ? [byDefault]
    : [byDefault, holdsOnly({ [name]: [other] }, other)];
};

function holdsOnly(args: Args, status: unknown): Trial {
  return {
    requests: [args],
    judge([answer = []]) {
      const wrong = answer.filter((record) => statusOf(record) !== undefined && statusOf(record) !== status);
      if (wrong.length === 0) return undefined;
      const message = `${describeArgs(args)} lets through records of another status`;
      return { message, expected: `none of ${countOf(wrong)}`, observed: countOf(answer) };
    },
  };
}

const isSticky = (record: SiteRecord): boolean => valuesOf(record, 'sticky')?.[0] === true;

/**
 * Ignoring sticky posts leaves the order of the list alone; not ignoring them puts them in front of the first page, which
 * may then hold more than was asked for.
 */
export const putsStickyFirst: Rule = ({ records }, site) => {
  if (records.every((record) => valuesOf(record, 'sticky') === undefined))
    return 'the records do not show sticky';
  if (isInFront(records)) return 'no visible record is sticky, or all are in front anyway';
  const ignoring = { [site.wire('ignore_sticky')]: true };
  const honouring = { [site.wire('ignore_sticky')]: false };
  return [
    {
      requests: [honouring],
      judge([answer = []], now) {
        const found = new Set(answer.map(({ id }) => id));
        const lost = now.records.some((record) => isSticky(record) && !found.has(record.id));
        if (!lost && isInFront(answer)) return undefined;
        const message = `${describeArgs(honouring)} does not put the sticky records in front`;
        return { message, expected: countOf(now.records.filter(isSticky)), observed: idsOf(answer) };
      },
    },
    {
      requests: [ignoring],
      judge([answer = []], now) {
        const due = now.records.slice(0, answer.length);
        if (answer.length > 0 && answer.every(({ id }, at) => id === due[at]?.id)) return undefined;
        const message = `${describeArgs(ignoring)} changes the order of the list`;
        return { message, expected: idsOf(due), observed: idsOf(answer) };
      },
    },
  ];
};

function isInFront(records: Records): boolean {
  const other = records.findIndex((record) => !isSticky(record));
  return other < 0 || !records.slice(other).some(isSticky);
}
