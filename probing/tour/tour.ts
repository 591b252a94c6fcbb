import type { Observation, RequestSpec } from '../../client/observation.ts';
import { inParallel } from '../../client/pacing.ts';
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
  methodStops,
  OTHER_FORM,
  recordStop,
  rightStops,
  shortStops,
  UNKNOWN_ROUTE,
} from './stops.ts';

/** The most requests for one list that ask as nobody for what is not public. */
const OF_NOBODY = 3;
/** The most requests of a short tour for one list: its first page as two callers, HEAD, a preflight, `_embed`, `_fields`. */
const OF_SHORT = 6 + OF_NOBODY;
/** For a list outside the contract: its first page as two callers. */
const OF_OTHERS = 2;
const PARALLEL = 8;

/** What a tour asks, and when it ends. */
export interface TourOptions {
  readonly level: TourLevel;
  readonly names: ObservedNames;
  /** Requests. */
  readonly most: number;
  /** The further callers, by their names in the client; `anonymous` for no credentials. */
  readonly callers: readonly string[];
  isOver(): boolean;
  again(spec: RequestSpec, one: Observation, other: Observation): void;
}

/** Reads routes of the index beyond what checks request, for listeners of the client. Gives no verdicts, never writes. */
export async function tour(session: Session, options: TourOptions): Promise<void> {
  const { level, names } = options;
  if (level === 'none') return;
  const asking: Caller[] = session.caller === 'user' ? ['user', 'anonymous'] : ['anonymous'];
  const lists = listsOf(session.index, session.contract, names).filter(
    (list) => level === 'full' || list.isOfContract,
  );
  try {
    await readSite(session, options);
    const isBoth = level === 'full' && (await hasOtherForm(session, options));
    const stated = new Set(session.contract.operations.map(({ route }) => route.wire));
    const chosen = level === 'short' ? affordable(lists, stated, options) : lists;
    await inParallel(chosen, PARALLEL, async (list) => {
      if (level === 'short') await readShort(session, list, stated.has(list.route), options);
      else for (const caller of asking) await readFull(session, list, caller, isBoth, options);
      if (level === 'full' || stated.has(list.route)) await readAsNobody(session, list, options);
      await readRights(session, list, options);
    });
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
  }
}

/** Requests for the site as a whole: a route that it does not have, and its index as two callers. */
const OF_SITE = 3;

/** Reads the site as a whole: some software hides its index from anonymous callers, or answers unknown routes with pages. */
async function readSite(session: Session, { level, most, isOver }: TourOptions): Promise<void> {
  const isAllowed = (requests: number): boolean => (level === 'full' || most >= requests) && !isOver();
  if (isAllowed(1)) await session.ask({ ...UNKNOWN_ROUTE, as: session.caller });
  if (session.caller !== 'user' || !isAllowed(OF_SITE)) return;
  for (const as of ['user', 'anonymous'] as const) await session.ask({ method: 'GET', route: '/', as });
}

/**
 * The lists that fit into the limit of a short tour. Further callers leave no list out.
 * @param stated the routes of the contract, which come first
 */
function affordable(lists: readonly TourList[], stated: ReadonlySet<string>, { most }: TourOptions) {
  const rank = ({ route }: TourList): number => (stated.has(route) ? 0 : 1);
  let left = most - OF_SITE;
  const fits = ({ route }: TourList): boolean => {
    left -= stated.has(route) ? OF_SHORT : OF_OTHERS;
    return left >= 0;
  };
  return lists.toSorted((one, other) => rank(one) - rank(other)).filter(fits);
}

/** The most requests of a tour. @param own how many callers send everything; @param callers whose rights are noted */
export function mostRequests(
  level: TourLevel,
  lists: number,
  own: number,
  callers: readonly string[],
): number {
  if (level === 'none') return 0;
  return lists * (rightRequests(callers) + (level === 'short' ? OF_SHORT : own * MOST_STOPS + OF_NOBODY));
}

/** The most requests for one list to see the rights of one caller. */
const MOST_RIGHTS = 5;

/** How many of these are about rights, for each list; the user of the run is included. */
export function rightRequests(callers: readonly string[]): number {
  return callers.length === 0 ? 0 : (callers.length + 1) * MOST_RIGHTS;
}

/** Whether the site serves the other form of addresses. A site without it answers with pages. */
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

async function readShort(session: Session, list: TourList, isStated: boolean, options: TourOptions) {
  const { caller } = session;
  if (options.isOver()) return;
  // Answers to checks are already noted.
  const { answer, json } = await session.ask({ ...firstStop(list), as: caller });
  // Who is locked out, or sees more, is a difference that many updates make.
  const isAlone = caller === 'user' && !options.callers.includes('anonymous');
  const isShown = isAlone && answer === 'accepted' && !options.isOver();
  const other = isShown ? await session.ask({ ...firstStop(list), as: 'anonymous' }) : undefined;
  // Software seldom treats other methods than GET differently for a single list.
  if (!isStated) return;
  const { names } = options;
  const stops = answer === 'accepted' ? shortStops(list, json, names) : methodStops(list, names);
  for (const stop of stops) {
    if (options.isOver()) return;
    // Who may read the embedded records differs most for nobody.
    const isOpen = other?.answer === 'accepted' && isEmbed(stop, names);
    await session.ask(asSent(stop, isOpen ? 'anonymous' : caller, names));
  }
}

function isEmbed({ query = [] }: Stop, { tour }: ObservedNames): boolean {
  return query.some(([name]) => name === tour.embed);
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
  // If a list is denied, so is the rest of it.
  const isRead = answer.answer === 'accepted';
  const stops = isRead
    ? fullStops(list, answer, options.names, {
        isAnonymous: caller === 'anonymous',
        isSecond: caller !== own,
        isBoth,
      })
    : methodStops(list, options.names);
  const isSample = caller === own && isRead;
  const further = [...conditionalStops(spec, answer, options.names), ...stops];
  for (let left = MOST_STOPS - 1 - (isSample ? 1 : 0); left > 0; left -= 1) {
    const [stop] = further.splice(0, 1);
    if (stop === undefined) break;
    if (options.isOver()) return;
    const shown = await client.request(asSent(stop, caller, options.names));
    if (stop.route !== list.route) further.unshift(...conditionalStops(stop, shown, options.names));
  }
  if (!isSample || options.isOver()) return;
  options.again(spec, answer, await client.request(spec));
}

/** The request of a stop for a caller; a browser sends a preflight without credentials. */
export function asSent(stop: Stop, caller: Caller, names: ObservedNames): RequestSpec {
  return { ...stop, as: stop.headers === names.tour.preflight ? 'anonymous' : caller };
}

/** Asks as nobody for drafts and the like, unless that is one of the callers: what everybody reads is the worst to lose. */
async function readAsNobody({ client }: Session, list: TourList, { callers, names, isOver }: TourOptions) {
  if (callers.includes('anonymous')) return;
  for (const stop of rightStops(list, names)) {
    if (isOver()) return;
    await client.request({ ...stop, as: 'anonymous' });
  }
}

/** Sends the same requests for a list as each caller, so that rights can be compared. */
async function readRights(
  { client, caller: own }: Session,
  list: TourList,
  { callers, names, isOver }: TourOptions,
): Promise<void> {
  if (callers.length === 0) return;
  let record: Stop[] = [];
  // The user sees most, so all others request the record that the user was shown.
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
