import { showBase } from '../../client/address.ts';
import { Client, type ClientOptions } from '../../client/client.ts';
import { type JsonObject, member } from '../../client/json.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import type { ObservedAnswers } from '../../client/observed/document.ts';
import { AnswerRecorder, neutralText } from '../../client/observed/recorder.ts';
import type { Redactor } from '../../client/redact.ts';
import { type SiteIndex, strings } from '../../client/site-index.ts';
import { TargetError } from '../../client/target-error.ts';
import { createSession } from '../../engine/session.ts';
import { encodeArgs } from '../../generators/wire-forms.ts';
import { listsOf, type TourList } from '../../probing/tour/stops.ts';
import { tour } from '../../probing/tour/tour.ts';
import type { Contract } from '../../specs/model.ts';
import { loadObservedNames, type ObservedNames } from '../../specs/texts.ts';
import type { Exchange } from '../change.ts';
import { differenceOf, type Found, isRepeated, otherValues, recordsIn } from './answers.ts';
import { byCause, type Cause } from './causes.ts';
import { type Pairs, pairRecords } from './records.ts';
import { type Args, setsOf } from './sets.ts';

/** One of two sites: how it is reached, and its index. */
export interface TwinSite {
  readonly options: ClientOptions;
  readonly index: SiteIndex;
}

/** How both are asked. */
export interface TwinOptions {
  readonly contract: Contract;
  readonly seed: number;
  /** Sets of arguments that are drawn for each list. */
  readonly examples: number;
  /** Who else asks on both sides, by name. */
  readonly callers: readonly string[];
  /** Ends it early. */
  readonly signal: AbortSignal;
  /** Hears how far it is. */
  progress?(requests: number): void;
}

/** A member with other values in records that nobody changed. */
export interface OtherValue {
  readonly list: TourList;
  readonly path: string;
  readonly ids: Set<string>;
  readonly exchange: Exchange;
}

/** What came of asking both sites. */
export interface AskedTwins {
  readonly answers: { readonly before: ObservedAnswers; readonly after: ObservedAnswers };
  readonly causes: readonly Cause[];
  readonly values: readonly OtherValue[];
  /** By the route of a list that both have. */
  readonly pairs: ReadonlyMap<string, Pairs>;
  readonly sets: number;
  /** What a site did not say the same way twice. */
  readonly noise: number;
  /** Why it ended early. */
  readonly ended?: string;
  readonly requests: number;
}

/** Lists that are asked for at once; each client bounds its own requests. */
const PARALLEL = 4;
const MOST_PAGES = 10;
const PAGE = 100;

/**
 * Asks two sites the same: the tour of the first, and every list of the contract with sets of arguments. Nothing but reads is
 * sent, whatever the options say.
 * @throws TargetError naming the side that is down, asks for patience or stands behind a login
 */
export async function askTwins(before: TwinSite, after: TwinSite, options: TwinOptions): Promise<AskedTwins> {
  const asking = new Asking(before, after, options);
  const stop = (): void => void asking.close();
  options.signal.addEventListener('abort', stop, { once: true });
  try {
    return await asking.ask();
  } finally {
    options.signal.removeEventListener('abort', stop);
    await asking.close();
  }
}

/** One side while it is asked. */
class Asked {
  readonly client: Client;
  readonly neutral: (text: string) => string;
  readonly recorder: AnswerRecorder;
  readonly index: SiteIndex;
  readonly redact: Redactor;
  readonly #when: string;

  constructor(when: string, { options, index }: TwinSite, heard?: ClientOptions['heard']) {
    this.#when = when;
    this.index = index;
    this.client = new Client({ ...options, mode: 'read', heard });
    this.redact = this.client.redact;
    const { base } = options;
    this.neutral = neutralText(index, base);
    this.recorder = new AnswerRecorder({ names: loadObservedNames(), index, base, redact: this.redact });
  }

  async ask(spec: RequestSpec): Promise<Observation> {
    try {
      const answer = await this.client.request(spec);
      if (answer.answer !== 'throttled') return answer;
      throw new TargetError('busy', 'the site asks for patience and does not answer; use --rate');
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      const where = this.redact(showBase(this.client.base));
      throw new TargetError(error.problem, `${this.#when}, ${where}: ${error.message}`);
    }
  }
}

/** What one request showed on both sides. */
interface Both {
  readonly spec: RequestSpec;
  readonly was: Observation;
  readonly is: Observation;
}

class Asking {
  readonly #before: Asked;
  readonly #after: Asked;
  readonly #options: TwinOptions;
  readonly #names: ObservedNames = loadObservedNames();
  readonly #lists: readonly TourList[];
  readonly #pairs = new Map<string, Pairs>();
  readonly #records = new Map<string, readonly JsonObject[]>();
  readonly #heard = new Map<string, { readonly spec: RequestSpec; readonly answer: Observation }>();
  readonly #values = new Map<string, OtherValue>();
  readonly #known = new Map<string, Promise<Found | undefined>>();
  /** Members, by list and path, that a site does not show the same way twice. */
  readonly #noise = new Set<string>();
  #unrepeated = 0;
  #sets = 0;

  constructor(before: TwinSite, after: TwinSite, options: TwinOptions) {
    this.#options = options;
    this.#before = new Asked('before', before, (spec, answer) => this.#hear(spec, answer));
    this.#after = new Asked('after', after);
    const shared = new Set(after.index.routes.map(({ key }) => key));
    this.#lists = listsOf(before.index, options.contract, this.#names).filter(({ route }) =>
      shared.has(route),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#before.client.close(), this.#after.client.close()]);
  }

  async ask(): Promise<AskedTwins> {
    const causes: Cause[] = [];
    let ended: string | undefined;
    try {
      await this.#each(this.#lists, (list) => this.#pair(list));
      await this.#tour();
      await this.#each(this.#lists, async (list) => {
        causes.push(...(await this.#drawn(list)));
      });
    } catch (error) {
      if (!(error instanceof TargetError && error.problem === 'over-budget')) throw error;
      ended = error.message;
    }
    return {
      answers: { before: this.#before.recorder.take(true), after: this.#after.recorder.take(true) },
      causes,
      values: [...this.#values.values()],
      pairs: this.#pairs,
      sets: this.#sets,
      noise: this.#unrepeated + this.#noise.size,
      ...(ended !== undefined && { ended }),
      requests: this.#requests,
    };
  }

  get #requests(): number {
    return this.#before.client.traffic.requests + this.#after.client.traffic.requests;
  }

  #hear(spec: RequestSpec, answer: Observation): void {
    this.#options.progress?.(this.#requests);
    const key = JSON.stringify(spec);
    if (this.#touring && answer.answer !== 'throttled' && !this.#heard.has(key))
      this.#heard.set(key, { spec, answer });
  }
  #touring = false;

  async #each<T>(all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
    const queue = [...all].values();
    const worker = async (): Promise<void> => {
      for (const one of queue) await work(one);
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  }

  async #both(spec: RequestSpec): Promise<Both> {
    const [was, is] = await Promise.all([this.#before.ask(spec), this.#after.ask(spec)]);
    return { spec, was, is };
  }

  get #as(): 'user' | 'anonymous' {
    return this.#before.client.hasUser ? 'user' : 'anonymous';
  }

  /** Reads a list on both sides, so that its records can be paired. */
  async #pair(list: TourList): Promise<void> {
    const { rights } = this.#names.tour;
    const own = list.args[rights.parameter];
    const known = [...strings(member(own, 'enum')), ...strings(member(member(own, 'items'), 'enum'))];
    const statuses = this.#as === 'user' ? rights.statuses.filter((one) => known.includes(one)) : [];
    const queries = [[], ...statuses.map((status): [string, string][] => [[rights.parameter, status]])];
    const read = async (side: Asked): Promise<{ records: JsonObject[]; isCut: boolean }> => {
      const all = await Promise.all(queries.map((query) => this.#pagesOf(side, list, query)));
      return { records: all.flatMap(({ records }) => records), isCut: all.some(({ isCut }) => isCut) };
    };
    const [was, is] = await Promise.all([read(this.#before), read(this.#after)]);
    const pairs = pairRecords(was.records, is.records, this.#names, was.isCut || is.isCut);
    this.#pairs.set(list.route, pairs);
    this.#records.set(list.route, was.records);
  }

  async #pagesOf(
    side: Asked,
    { route, args }: TourList,
    query: readonly (readonly [string, string])[],
  ): Promise<{ records: JsonObject[]; isCut: boolean }> {
    const { page, size } = this.#names.totals;
    const isPaged = page in args && size in args;
    const records: JsonObject[] = [];
    for (let at = 1; at <= MOST_PAGES; at += 1) {
      const paging: [string, string][] = isPaged
        ? [
            [size, String(PAGE)],
            [page, String(at)],
          ]
        : [];
      const answer = await side.ask({ method: 'GET', route, query: [...query, ...paging], as: this.#as });
      const found = answer.answer === 'accepted' ? recordsIn(answer) : undefined;
      records.push(...(found ?? []));
      if (!isPaged || found === undefined || found.length < PAGE) return { records, isCut: false };
    }
    return { records, isCut: true };
  }

  /** Makes the tour of the first site, then asks the second and the first once more for all of it. */
  async #tour(): Promise<void> {
    const { contract, seed, callers } = this.#options;
    const { client, index } = this.#before;
    this.#touring = true;
    await tour(createSession({ contract, index, client, seed }), {
      level: 'full',
      names: this.#names,
      most: Number.POSITIVE_INFINITY,
      callers,
      isOver: () => false,
      again: () => undefined,
    });
    this.#touring = false;
    await this.#each(this.#heard.values(), async ({ spec, answer: was }) => {
      if (!this.#isShared(spec)) return;
      const is = await this.#after.ask(spec);
      const again = await this.#before.ask(spec);
      this.#note({ spec, was, is });
      this.#before.recorder.noteAgain(spec, was, again);
      await this.#compareValues({ spec, was, is }, again);
    });
  }

  /** Whether a request is for what both sites have: not for a record, or a page, that only one has. */
  #isShared({ route, query = [] }: RequestSpec): boolean {
    const list = this.#listOf(route);
    if (list === undefined) return false;
    const pairs = this.#pairs.get(list.route);
    if (this.#isPaged({ query }) && pairs?.isEqual !== true) return false;
    if (route === list.route) return true;
    const id = route.slice(list.route.length + 1);
    const isOfOne = pairs?.before.has(id) === true || pairs?.after.has(id) === true;
    return !isOfOne ? pairs?.counts.before === 0 || !/^\d{1,8}$/.test(id) : pairs?.after.get(id) === id;
  }

  /** Whether a request is for a part of a list that begins elsewhere where there are more records. */
  #isPaged({ query = [] }: Pick<RequestSpec, 'query'>): boolean {
    const { page, shifting } = this.#names.totals;
    return query.some(([name]) => name === page || shifting.includes(name));
  }

  #listOf(route: string): TourList | undefined {
    return this.#lists.find((one) => route === one.route || route.startsWith(`${one.route}/`));
  }

  #note({ spec, was, is }: Both): void {
    this.#before.recorder.note(spec, was);
    this.#after.recorder.note(spec, is);
  }

  /** Notes which members have other values in records that nobody changed. @param repeated the first answer once more */
  async #compareValues({ spec, was, is }: Both, repeated?: Observation): Promise<void> {
    const list = this.#listOf(spec.route);
    const pairs = list && this.#pairs.get(list.route);
    if (list === undefined || pairs === undefined) return;
    const neutral = [this.#before.neutral, this.#after.neutral] as const;
    const found = otherValues(was, is, pairs, this.#names, neutral);
    if (found.size === 0) return;
    const isNew = [...found.keys()].some((path) => !this.#values.has(`${list.route} ${path}`));
    if (isNew || repeated !== undefined) {
      const again = repeated ?? (await this.#before.ask(spec));
      const [first, second] = [this.#before, this.#after];
      const self: Pairs = { ...pairs, after: pairs.before, sameIds: true };
      const other: Pairs = { ...pairs, before: pairs.after, sameIds: true };
      const own = otherValues(was, again, self, this.#names, [first.neutral, first.neutral]);
      const its = otherValues(is, await second.ask(spec), other, this.#names, [
        second.neutral,
        second.neutral,
      ]);
      for (const path of [...own.keys(), ...its.keys()]) {
        this.#noise.add(`${list.route} ${path}`);
        this.#values.delete(`${list.route} ${path}`);
      }
    }
    for (const [path, ids] of found) {
      const key = `${list.route} ${path}`;
      if (this.#noise.has(key)) continue;
      const known = this.#values.get(key) ?? { list, path, ids: new Set(), exchange: this.#exchange(spec) };
      for (const id of ids) known.ids.add(id);
      this.#values.set(key, known);
    }
  }

  #exchange(spec: RequestSpec): Exchange {
    return { before: this.#before.client.curl(spec), after: this.#after.client.curl(spec) };
  }

  /** Asks for a list with sets of arguments, and shrinks what differs. */
  async #drawn(list: TourList): Promise<Cause[]> {
    const { contract, examples, seed } = this.#options;
    const operation = contract.operations.find(
      ({ route, methods }) => route.wire === list.route && methods.includes('GET'),
    );
    if (operation === undefined) return [];
    const records = this.#records.get(list.route) ?? [];
    const sameIds = [...this.#pairs.values()].every((one) => one.sameIds);
    const causes = new Map<string, Cause>();
    for (const args of setsOf(list, operation, records, this.#names, { examples, seed, sameIds })) {
      this.#sets += 1;
      if ((await this.#compare(list, args)) === undefined) continue;
      const smallest = await this.#shrink(list, args);
      const found = await this.#compare(list, smallest);
      if (found === undefined) continue;
      const exchange = this.#exchange(this.#specOf(list, smallest));
      causes.set(JSON.stringify(smallest), { list, operation, args: smallest, found, exchange });
    }
    return byCause([...causes.values()]);
  }

  #specOf({ route }: TourList, args: Args): RequestSpec {
    return { method: 'GET', route, query: encodeArgs(args), as: this.#as };
  }

  /** What both sites answer differently to a set, both times that they are asked. */
  #compare(list: TourList, args: Args): Promise<Found | undefined> {
    const spec = this.#specOf(list, args);
    const key = JSON.stringify([spec.route, spec.query]);
    const known = this.#known.get(key) ?? this.#compareNow(list, spec);
    this.#known.set(key, known);
    return known;
  }

  async #compareNow(list: TourList, spec: RequestSpec): Promise<Found | undefined> {
    const pairs = this.#pairs.get(list.route);
    if (pairs === undefined || (!pairs.isEqual && this.#isPaged(spec))) return undefined;
    const both = await this.#both(spec);
    const found = differenceOf(both.was, both.is, pairs, this.#names);
    if (found === undefined) {
      if (both.was.answer === both.is.answer) this.#note(both);
      await this.#compareValues(both);
      return undefined;
    }
    const again = await this.#both(spec);
    const isTrue = isRepeated(both.was, again.was, this.#names) && isRepeated(both.is, again.is, this.#names);
    if (!isTrue) this.#unrepeated += 1;
    return isTrue ? found : undefined;
  }

  /** The smallest set that shows a difference: arguments are left out one at a time, as long as one remains. */
  async #shrink(list: TourList, args: Args): Promise<Args> {
    for (const name of Object.keys(args)) {
      const { [name]: _, ...fewer } = args;
      if ((await this.#compare(list, fewer)) !== undefined) return this.#shrink(list, fewer);
    }
    return args;
  }
}
