import type { Observation, RequestSpec } from '../../client/observation.ts';
import { TargetError } from '../../client/target-error.ts';
import type { TourLevel } from '../../engine/run-options.ts';
import type { Caller, Session } from '../../engine/session.ts';
import type { ObservedNames } from '../../specs/texts.ts';
import type { Stop, TourList } from './stops.ts';
import {
  conditionalStops,
  firstStop,
  fullStops,
  listsOf,
  MOST_STOPS,
  OTHER_FORM,
  recordStop,
  rightStops,
  shortStops,
} from './stops.ts';

/** What a short tour asks of a list at most: its first page, HEAD and a preflight. */
const OF_SHORT = 3;
/** Lists that are asked for at once; the client bounds requests. */
const PARALLEL = 8;

/** How a tour is made. */
interface TourOptions {
  readonly level: TourLevel;
  readonly names: ObservedNames;
  /** Requests of a short tour at most. */
  readonly most: number;
  /** Who else asks, by the names that the client knows; `anonymous` for nobody. */
  readonly callers: readonly string[];
  /** Whether the run is over. */
  isOver(): boolean;
  /** Hears of two readings of one request. */
  again(spec: RequestSpec, one: Observation, other: Observation): void;
}

/**
 * Reads what the index lists, beyond what checks ask: whoever listens to the client learns what the answers look like. No
 * verdict follows, and nothing is sent but GET, HEAD and OPTIONS. Ends where the run does, or where the site has gone.
 */
export async function tour(session: Session, options: TourOptions): Promise<void> {
  const { level, names } = options;
  if (level === 'none') return;
  const lists = listsOf(session.index, session.contract, names).filter(
    (list) => level === 'full' || list.isOfContract,
  );
  try {
    const isBoth = level === 'full' && (await hasOtherForm(session, options));
    const stated = new Set(session.contract.operations.map(({ route }) => route.wire));
    const queue = (level === 'short' ? affordable(lists, stated, options) : lists).values();
    const worker = async (): Promise<void> => {
      for (const list of queue) {
        if (level === 'short') await readShort(session, list, stated.has(list.route), options);
        else for (const caller of callersOf(session)) await readFull(session, list, caller, isBoth, options);
        await readRights(session, list, options);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
  }
}

/** The lists that a short tour has requests for, those of the contract first. @param stated the routes that the contract has */
function affordable(
  lists: readonly TourList[],
  stated: ReadonlySet<string>,
  { most, callers }: TourOptions,
): TourList[] {
  const { own = [], others = [] } = Object.groupBy(lists, ({ route }) =>
    stated.has(route) ? 'own' : 'others',
  );
  const rights = rightRequests(callers);
  let left = most;
  const fits = ({ route }: TourList): boolean => {
    left -= rights + (stated.has(route) ? OF_SHORT : 1);
    return left >= 0;
  };
  return [...own, ...others].filter(fits);
}

/**
 * The most requests of a tour of so many lists.
 * @param own how many ask everything: the user of the run, where there is one, and nobody
 * @param callers whose rights are noted beside those of the user
 */
export function mostRequests(
  level: TourLevel,
  lists: number,
  own: number,
  callers: readonly string[],
): number {
  if (level === 'none') return 0;
  return lists * (rightRequests(callers) + (level === 'short' ? OF_SHORT : own * MOST_STOPS));
}

/** What is asked of one list to see the rights of one caller, at most. */
const MOST_RIGHTS = 5;

/** How many of these are about the rights of callers, for each list: the user of the run is asked as well. */
export function rightRequests(callers: readonly string[]): number {
  return callers.length === 0 ? 0 : (callers.length + 1) * MOST_RIGHTS;
}

/** The user of the run, where there is one, and nobody. */
function callersOf({ caller }: Session): Caller[] {
  return caller === 'user' ? ['user', 'anonymous'] : ['anonymous'];
}

/** Whether the site knows the other form of addresses: asked once, for a site without it answers pages. */
async function hasOtherForm({ client, caller }: Session, { isOver, names }: TourOptions): Promise<boolean> {
  if (isOver()) return false;
  const { answer, headers } = await client.request({
    method: 'GET',
    route: '/',
    query: [[names.tour.fields, 'name']],
    otherForm: true,
    noted: OTHER_FORM,
    as: caller,
  });
  return answer === 'accepted' && headers['content-type']?.includes('json') === true;
}

async function readShort(
  session: Session,
  list: TourList,
  isStated: boolean,
  options: TourOptions,
): Promise<void> {
  const { client, caller } = session;
  // What a check has asked already is noted.
  if (!options.isOver()) await session.ask({ ...firstStop(list), as: caller });
  // How software answers other methods than GET is seldom decided for one list alone.
  if (!isStated) return;
  for (const stop of shortStops(list, options.names)) {
    if (options.isOver()) return;
    await client.request(asSent(stop, caller, options));
  }
}

async function readFull(
  { client, caller: own }: Session,
  list: TourList,
  caller: Caller,
  isBoth: boolean,
  options: TourOptions,
): Promise<void> {
  if (options.isOver()) return;
  const spec = { ...firstStop(list), as: caller };
  const answer = await client.request(spec);
  const total = Number(answer.headers[options.names.totals.records]);
  const first = { json: answer.json, records: Number.isSafeInteger(total) ? total : undefined };
  // Who may not read a list may not read the rest of it.
  const isRead = answer.answer === 'accepted';
  const stops = isRead
    ? fullStops(list, first, options.names, {
        isAnonymous: caller === 'anonymous',
        isSecond: caller !== own,
        isBoth,
      })
    : shortStops(list, options.names);
  const isSample = caller === own && isRead;
  const further = [...conditionalStops(spec, answer, options.names), ...stops];
  for (let left = MOST_STOPS - 1 - (isSample ? 1 : 0); left > 0; left -= 1) {
    const [stop] = further.splice(0, 1);
    if (stop === undefined) break;
    if (options.isOver()) return;
    const shown = await client.request(asSent(stop, caller, options));
    if (stop.route !== list.route) further.unshift(...conditionalStops(stop, shown, options.names));
  }
  if (!isSample || options.isOver()) return;
  options.again(spec, answer, await client.request(spec));
}

/** A browser sends a preflight without credentials. */
function asSent(stop: Stop, caller: Caller, { names }: TourOptions): RequestSpec {
  return { ...stop, as: stop.headers === names.tour.preflight ? 'anonymous' : caller };
}

/** Asks the same of a list as each caller, so that rights can be compared: the first page, its first record, and what is not public. */
async function readRights(
  { client, caller: own }: Session,
  list: TourList,
  { callers, names, isOver }: TourOptions,
): Promise<void> {
  if (callers.length === 0) return;
  let record: Stop[] = [];
  // The user sees the most: all others are asked for the record that the user was shown.
  const all = [{ as: own }, ...callers.filter((caller) => caller !== own).map((caller) => ({ caller }))];
  for (const caller of all) {
    if (isOver()) return;
    const { json } = await client.request({ ...firstStop(list), ...caller });
    if (record.length === 0) record = recordStop(list, json, names.identity);
    for (const stop of [...record, ...rightStops(list, names)]) {
      if (isOver()) return;
      await client.request({ ...stop, ...caller });
    }
  }
}
