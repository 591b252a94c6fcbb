import { isFinding } from '../../../engine/aborted.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import { describeArgs, type Subject } from '../../../probing/records/reading/list-request.ts';
import { type SiteRecord, type Value, valuesOf } from '../../../probing/records/reading/record.ts';
import { snapshotOf } from '../../../probing/records/reading/run-rule.ts';
import { LONG_AGO, statusOf } from '../../../probing/records/reading/shown-to-anonymous.ts';
import {
  countOf,
  dueIn,
  idsOf,
  jointly,
  type Keeps,
  type Records,
  type Rule,
  type RuleSite,
  subsetTrial,
  type Trial,
  without,
} from '../../../probing/records/reading/trials.ts';
import { parameterNamed, takes } from '../../../specs/find-resource.ts';
import { inUsualOrder, isPlainSlug, keepsMembers, shows } from './member-rules.ts';

/** Statuses that stand for those of other records. */
const STANDING_FOR_OTHERS: ReadonlySet<string> = new Set(['any', 'inherit']);
/** Those, and statuses that a site may drop or that everybody sees. */
export const NOT_TRIED: ReadonlySet<string> = new Set([
  ...STANDING_FOR_OTHERS,
  'trash',
  'auto-draft',
  'publish',
]);

/** Keeps the records with one of some statuses. One that inherits its status may show the one it inherits. */
export function keepsStatuses(statuses: readonly unknown[]): Keeps {
  const keeps = keepsMembers(shows('status'), statuses);
  if (!statuses.includes('inherit')) return keeps;
  return (record) => (statusOf(record) === 'publish' ? undefined : keeps(record));
}

/** Arguments that show records of all statuses (§3); none if they show fewer than the default list, or to anonymous callers. */
export async function shownStatuses(session: Session, subject: Subject): Promise<Args> {
  const parameter = parameterNamed(subject.operation, 'status');
  if (parameter === undefined || subject.as === 'anonymous') return {};
  const statuses = parameter.schema.items?.enum ?? [];
  const variant = { [parameter.wire]: statuses.includes('any') ? ['any'] : statuses };
  const [every, usual] = [await snapshotOf(session, subject, variant), await snapshotOf(session, subject)];
  if (isFinding(every) || isFinding(usual)) return variant;
  return every.records.length < usual.records.length ? {} : variant;
}

/** The default shows records of one status (§3), and a requested status shows the records that have it. */
export const byStatus: Rule = (snapshot, site) => {
  const { records } = snapshot;
  const parameter = parameterNamed(site.operation, 'status');
  const usual = [parameter?.schema.default].flat()[0];
  const shown = new Set(records.map(statusOf).filter((status) => status !== undefined));
  if (shown.size === 0) return inconclusive('the records do not show status');
  const keeping = (args: Args, status: unknown): Trial => subsetTrial(args, keepsStatuses([status]));
  const name = site.wire('status');
  const omitted = { [name]: undefined };
  const ofUnseen = site.as === 'anonymous' ? [] : ofStatusesBeside(shown, site);
  // Records may have statuses of removed plugins, which the site refuses as arguments.
  const rare = [...shown].filter(
    (status) => status !== usual && parameter?.schema.items?.enum?.includes(status) === true,
  );
  if (shown.size > 1 && rare.length > 0) {
    return [
      jointly(keeping(omitted, usual)),
      jointly(keeping({ [name]: [usual], ...inUsualOrder(snapshot, site) }, usual)),
      ...rare.map((status) => keeping({ [name]: [status] }, status)),
      // In the default context, which decides about members alone (§2): the list may hold more than the user may edit.
      ofEveryStatus({ [name]: [usual, ...rare], [site.wire('context')]: undefined }, [usual, ...rare]),
      ...defaultBesideIds(records, site, usual),
      ...ofUnseen,
    ];
  }
  const alike = inconclusive(`all visible records have the status ${[...shown].join()}`);
  const other = parameter?.schema.items?.enum?.find((status) => !NOT_TRIED.has(String(status)));
  // If `any` shows no other status either, a filter that is ignored still shows.
  const ofOther =
    site.as === 'anonymous' || other === undefined ? [] : [holdsOnly({ [name]: [other] }, [other])];
  const every = parameter?.schema.items?.enum ?? [];
  // Some collections have no word for all statuses, so that the list of all of them, which is read anyway, is sent.
  const isListed = site.as !== 'anonymous' && every.includes(usual) && !every.includes('any');
  const ofAll = isListed ? [{ ...ofEveryStatus({ [name]: every }, every), skipsRefused: true }] : [];
  return [{ ...keeping(omitted, usual), whyUnproven: () => alike }, ...ofOther, ...ofAll, ...ofUnseen];
};

/** A list without a status shows records of no other one than the default, which every filter needs. */
export const showsUsualStatus: Rule = (_, { operation, wire }) => {
  const usual = parameterNamed(operation, 'status')?.schema.default;
  return [holdsOnly({ [wire('status')]: undefined }, [usual].flat())];
};

/** All statuses in one list, which proves that each member is read. */
function ofEveryStatus(args: Args, statuses: readonly unknown[]): Trial {
  const only = holdsOnly(args, statuses);
  return {
    ...only,
    evaluate(answers, snapshot) {
      const [answer = []] = answers;
      const due = snapshot.records.filter((record) => statuses.includes(statusOf(record)));
      const lost = without(dueIn(answer, due, snapshot), answer);
      if (lost.length === 0) return only.evaluate(answers, snapshot);
      const message = `${describeArgs(args)} leaves out records that match`;
      return { message, expected: countOf(due), observed: `${countOf(answer)}; missing: ${idsOf(lost)}` };
    },
  };
}

/**
 * Statuses that no visible record has show no record of another one. Those that no record ever has are asked for apart
 * from the trash and its like, because a site may drop them. That each status is accepted is another check.
 */
function ofStatusesBeside(shown: ReadonlySet<string>, { operation, wire }: RuleSite): Trial[] {
  const status = parameterNamed(operation, 'status');
  const unseen = (status?.schema.items?.enum ?? [])
    .map(String)
    .filter((one) => !STANDING_FOR_OTHERS.has(one) && !shown.has(one));
  const groups = Map.groupBy(unseen, (one) => operation.resource?.statuses?.listed.includes(one) === true);
  return [...groups.values()].map((some) => ({
    ...holdsOnly({ [wire('status')]: some }, some),
    skipsRefused: true,
  }));
}

/** The default also holds for records that are requested by their ids and slugs, and beside bounds that all of them meet. */
function defaultBesideIds(records: Records, { operation, wire }: RuleSite, usual: unknown): Trial[] {
  if (!takes(operation, 'include')) return [];
  const slugOf = (record: SiteRecord): Value | undefined => valuesOf(record, 'slug')?.find(isPlainSlug);
  const ofEach = [...Map.groupBy(records, statusOf).values()].flatMap(([first]) => first ?? []);
  // Drafts may have no slug yet.
  const named = ofEach.filter((record) => slugOf(record) !== undefined);
  const some = named.length > 1 ? named : ofEach;
  const given: Args = {
    include: some.map(({ id }) => id),
    slug: some === named ? some.map(slugOf) : undefined,
    after: LONG_AGO,
    modified_after: LONG_AGO,
  };
  const taken = Object.entries(given).filter(([name]) => takes(operation, name));
  const args = Object.fromEntries(taken.map(([name, value]) => [wire(name), value]));
  return [{ ...holdsOnly({ ...args, [wire('status')]: undefined }, [usual]), skipsRefused: true }];
}

function holdsOnly(args: Args, statuses: readonly unknown[]): Trial {
  return {
    requests: [args],
    evaluate([answer = []]) {
      const wrong = answer.filter((record) => keepsStatuses(statuses)(record) === false);
      if (wrong.length === 0) return undefined;
      const message = `${describeArgs(args)} returns records of another status`;
      return { message, expected: `none of ${countOf(wrong)}`, observed: countOf(answer) };
    },
  };
}
