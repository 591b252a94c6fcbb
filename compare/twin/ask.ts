import type { Observation, RequestSpec } from '../../client/observation.ts';
import type { ObservedAnswers } from '../../client/observed/document.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { TargetError } from '../../client/target-error.ts';
import { createSession } from '../../engine/session.ts';
import { encodeArgs } from '../../generators/wire-forms.ts';
import { firstStop, fullStops, recordStop, rightStops, type Stop } from '../../probing/tour/stops.ts';
import { tour } from '../../probing/tour/tour.ts';
import type { Contract } from '../../specs/model.ts';
import { loadObservedNames, type ObservedNames } from '../../specs/texts.ts';
import type { Exchange } from '../change.ts';
import { differenceOf, type Found, isRepeated, otherAnswer } from './answers.ts';
import { Asked, asOf, type Both, type TwinSite } from './asked.ts';
import { byCause, type Cause } from './causes.ts';
import { comparePaces, type Paces } from './paces.ts';
import {
  calmBetween,
  type ReadRecords,
  readRecords,
  readsBelow,
  sharedLists,
  type TwinRead,
} from './reads.ts';
import type { Pairs } from './records.ts';
import { type Args, setsOf } from './sets.ts';
import { type OtherValue, ValueNotes } from './values.ts';

/** How both are asked. */
export interface TwinOptions {
  readonly contract: Contract;
  readonly seed: number;
  /** Sets of arguments that are drawn for each list. */
  readonly examples: number;
  /** Who else asks on both sides, by name. */
  readonly callers: readonly string[];
  /** Only what shows one change: the shape of its route, and the query that shows it where that is known. */
  readonly only?: { readonly route: string; readonly query?: NonNullable<RequestSpec['query']> };
  /** Ends it early. */
  readonly signal: AbortSignal;
  /** Hears how far it is. */
  progress?(requests: number): void;
}

/** What came of asking both sites. */
export interface AskedTwins {
  readonly answers: { readonly before: ObservedAnswers; readonly after: ObservedAnswers };
  readonly causes: readonly Cause[];
  readonly values: readonly OtherValue[];
  /** By the route of a list that both have, as the contract writes it. */
  readonly pairs: ReadonlyMap<string, Pairs>;
  /** How much slower the second is throughout, and the lists that are slower than this. */
  readonly pace: Paces['pace'];
  readonly slower: readonly (Paces['slower'][number] & { readonly exchange: Exchange })[];
  readonly sets: number;
  /** What a site did not say the same way twice. */
  readonly noise: number;
  /** The routes of lists whose records somebody changed meanwhile. */
  readonly changing: readonly string[];
  /** What one request showed, where only that was asked. */
  readonly shown?: Found;
  /** Why it ended early. */
  readonly ended?: string;
  readonly requests: number;
}

/** Reads that are asked for at once; each client bounds its own requests. */
const PARALLEL = 4;

/**
 * Asks two sites the same: the tour of the first, and every list and record of the contract with sets of arguments. Nothing but
 * reads is sent, whatever the options say.
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

class Asking {
  readonly #before: Asked;
  readonly #after: Asked;
  readonly #options: TwinOptions;
  readonly #names: ObservedNames = loadObservedNames();
  /** Lists first: what stands below them is found with their records. */
  #reads: TwinRead[];
  /** The records of each list, by its route. */
  readonly #records = new Map<string, ReadRecords>();
  /** What the tour asked the first site. */
  readonly #heard = new Map<string, { readonly spec: RequestSpec; readonly answer: Observation }>();
  #isTouring = false;
  readonly #values: ValueNotes;
  readonly #known = new Map<string, Promise<Found | undefined>>();
  readonly #changing = new Set<string>();
  readonly #causes: Cause[] = [];
  #shown: Found | undefined;
  #unrepeated = 0;
  #sets = 0;

  constructor(before: TwinSite, after: TwinSite, options: TwinOptions) {
    this.#options = options;
    this.#before = new Asked('before', before, (spec, answer) => this.#hear(spec, answer));
    this.#after = new Asked('after', after);
    this.#values = new ValueNotes(this.#before, this.#after, this.#names);
    const { only } = options;
    this.#reads = sharedLists(before.index, after.index, options.contract, this.#names).filter(
      ({ route }) => only === undefined || only.route === route || only.route.startsWith(`${route}/`),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#before.client.close(), this.#after.client.close()]);
  }

  async ask(): Promise<AskedTwins> {
    let ended: string | undefined;
    try {
      await this.#askAll();
    } catch (error) {
      if (!(error instanceof TargetError && error.problem === 'over-budget')) throw error;
      ended = error.message;
    }
    const answers = { before: this.#before.recorder.take(true), after: this.#after.recorder.take(true) };
    // A budget that is over leaves nothing to measure with.
    const paces =
      ended === undefined ? await comparePaces(answers, this.#before, this.#after) : { pace: 1, slower: [] };
    const templates = new Map(this.#reads.map(({ route, template }) => [route, template]));
    const slower = paces.slower.map((one) => ({ ...one, exchange: this.#exchange(one.spec) }));
    return {
      pace: paces.pace,
      slower,
      answers,
      causes: this.#causes,
      values: this.#values.found,
      pairs: new Map(
        [...this.#records].map(([route, { pairs }]) => [templates.get(route) ?? route, pairs] as const),
      ),
      sets: this.#sets,
      noise: this.#unrepeated + this.#values.noise,
      changing: [...this.#changing],
      ...(this.#shown !== undefined && { shown: this.#shown }),
      ...(ended !== undefined && { ended }),
      requests: this.#before.client.traffic.requests + this.#after.client.traffic.requests,
    };
  }

  async #askAll(): Promise<void> {
    const lists = this.#reads;
    await this.#each(lists, (list) => this.#pair(list));
    await this.#each(lists, (list) => this.#findBelow(list));
    const { only } = this.#options;
    if (only === undefined) await this.#tour();
    else this.#reads = this.#reads.filter(({ template }) => shapeOf(template) === only.route);
    if (only?.query !== undefined) await this.#askOne(only.query);
    else {
      await this.#each(this.#reads, (read) => this.#visit(read));
      await this.#each(this.#reads, (read) => this.#askSets(read));
    }
    await this.#each(lists.concat(this.#nested()), (list) => this.#confirm(list));
  }

  /** Lists that belong to one record. */
  #nested(): TwinRead[] {
    return this.#reads.filter(({ route, list, template }) => route === list && route !== template);
  }

  #hear(spec: RequestSpec, answer: Observation): void {
    const { requests } = this.#before.client.traffic;
    this.#options.progress?.(requests + this.#after.client.traffic.requests);
    const key = JSON.stringify(spec);
    if (this.#isTouring && answer.answer !== 'throttled' && !this.#heard.has(key))
      this.#heard.set(key, { spec, answer });
  }

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

  async #pair(list: TwinRead): Promise<void> {
    this.#records.set(list.route, await readRecords(list, this.#before, this.#after, this.#names));
  }

  async #findBelow(list: TwinRead): Promise<void> {
    const known = this.#records.get(list.route);
    if (known === undefined) return;
    for (const read of await readsBelow(list, known, this.#options.contract, this.#before)) {
      this.#reads.push(read);
      if (read.route !== read.list) continue;
      await this.#pair(read);
      await this.#findBelow(read);
    }
  }

  /** Makes the tour of the first site, then asks the second and the first once more for all of it. */
  async #tour(): Promise<void> {
    const { contract, seed, callers } = this.#options;
    const { client, index } = this.#before;
    this.#isTouring = true;
    await tour(createSession({ contract, index, client, seed }), {
      level: 'full',
      names: this.#names,
      most: Number.POSITIVE_INFINITY,
      callers,
      isOver: () => false,
      again: () => undefined,
    });
    this.#isTouring = false;
    await this.#each(this.#heard.values(), ({ spec, answer }) => this.#askAgain(spec, answer));
  }

  /** Asks what the tour does not: what stands below a list, and what nobody but a user may read. */
  async #visit(read: TwinRead): Promise<void> {
    const first = await this.#before.ask({ ...firstStop(read), as: asOf(this.#before) });
    const total = Number(first.headers[this.#names.totals.records]);
    const page = { json: first.json, records: Number.isSafeInteger(total) ? total : undefined };
    const isToured = read.route === read.template && this.#options.only === undefined;
    const own = isToured ? [] : [firstStop(read), ...fullStops(read, page, this.#names, false)];
    const record = recordStop(read, first.json, this.#names.identity);
    const others = [firstStop(read), ...record, ...rightStops(read, this.#names)];
    const send = (stops: readonly Stop[], as: 'user' | 'anonymous'): Promise<void>[] =>
      stops.map((stop) => this.#askAgain({ ...stop, as }));
    await Promise.all([...send(own, asOf(this.#before)), ...send(others, 'anonymous')]);
  }

  /** Asks both, and the first once more: what it does not say the same way twice is noise. @param known its first answer */
  async #askAgain(spec: RequestSpec, known?: Observation): Promise<void> {
    if (!this.#isShared(spec)) return;
    const was = known ?? (await this.#before.ask(spec));
    const is = await this.#after.ask(spec);
    const again = await this.#before.ask(spec);
    this.#note({ spec, was, is });
    this.#before.recorder.noteAgain(spec, was, again);
    this.#noteFailure({ spec, was, is }, again);
    await this.#noteValues({ spec, was, is }, again);
  }

  /** Notes that nobody is answered what was answered. Who is denied it lost a right, which the comparison of answers says. */
  #noteFailure({ spec, was, is }: Both, again: Observation): void {
    const list = this.#reads.find(({ route }) => route === spec.route);
    const isPlain = spec.method === 'GET' && spec.as === 'anonymous' && (spec.query ?? []).length === 0;
    if (!isPlain || spec.otherForm === true || was.answer !== again.answer) return;
    const found = [was.answer, is.answer].includes('denied') ? undefined : otherAnswer(was, is);
    if (found === undefined || list?.operation === undefined) return;
    const { operation } = list;
    const exchange = this.#exchange(spec);
    this.#causes.push({ list, operation, args: {}, found, caller: 'anonymous', spec, exchange });
  }

  /** Whether a request is for what both sites have: not for a record, or a page, that only one has. */
  #isShared({ route, query = [] }: RequestSpec): boolean {
    const list = this.#listOf(route);
    if (list === undefined) return false;
    const pairs = this.#records.get(list)?.pairs;
    if (this.#isPaged({ query }) && pairs?.isEqual !== true) return false;
    if (route === list) return true;
    const id = route.slice(list.length + 1);
    const isOfOne = pairs?.before.has(id) === true || pairs?.after.has(id) === true;
    return !isOfOne ? pairs?.counts.before === 0 || !/^\d{1,8}$/.test(id) : pairs?.after.get(id) === id;
  }

  /** Whether a request is for a part of a list that begins elsewhere where there are more records. */
  #isPaged({ query = [] }: Pick<RequestSpec, 'query'>): boolean {
    const { page, shifting } = this.#names.totals;
    return query.some(([name]) => name === page || shifting.includes(name));
  }

  /** The list that a route belongs to: the nearest, for a list may stand below another. */
  #listOf(route: string): string | undefined {
    return [...this.#records.keys()]
      .filter((one) => route === one || route.startsWith(`${one}/`))
      .toSorted((one, other) => other.length - one.length)[0];
  }

  #note({ spec, was, is }: Both): void {
    this.#before.recorder.note(spec, was);
    this.#after.recorder.note(spec, is);
  }

  async #noteValues(both: Both, again?: Observation): Promise<void> {
    const route = this.#listOf(both.spec.route);
    const list = this.#reads.find((one) => one.route === route);
    const pairs = route === undefined ? undefined : this.#records.get(route)?.pairs;
    if (list !== undefined && pairs !== undefined) await this.#values.note(both, list, pairs, again);
  }

  #exchange(spec: RequestSpec): Exchange {
    return { before: this.#before.client.curl(spec), after: this.#after.client.curl(spec) };
  }

  /** Asks for a read with sets of arguments, and shrinks what differs. */
  async #askSets(read: TwinRead): Promise<void> {
    const { examples, seed } = this.#options;
    const { operation } = read;
    if (operation === undefined) return;
    const records = this.#records.get(read.list)?.records ?? [];
    const sameIds = [...this.#records.values()].every(({ pairs }) => pairs.sameIds);
    const causes = new Map<string, Cause>();
    for (const args of setsOf(read, operation, records, this.#names, { examples, seed, sameIds })) {
      this.#sets += 1;
      if ((await this.#compare(read, args)) === undefined) continue;
      const smallest = await this.#shrink(read, args);
      const found = await this.#compare(read, smallest);
      if (found === undefined) continue;
      const spec = this.#specOf(read, smallest);
      const exchange = this.#exchange(spec);
      causes.set(JSON.stringify(smallest), { list: read, operation, args: smallest, found, spec, exchange });
    }
    this.#causes.push(...byCause([...causes.values()]));
  }

  #specOf({ route }: TwinRead, args: Args): RequestSpec {
    return { method: 'GET', route, query: encodeArgs(args), as: asOf(this.#before) };
  }

  /** What both sites answer differently to a set, both times that they are asked. */
  #compare(read: TwinRead, args: Args): Promise<Found | undefined> {
    const spec = this.#specOf(read, args);
    const key = JSON.stringify([spec.route, spec.query]);
    const known = this.#known.get(key) ?? this.#compareNow(read, spec);
    this.#known.set(key, known);
    return known;
  }

  async #compareNow(read: TwinRead, spec: RequestSpec): Promise<Found | undefined> {
    const pairs = this.#records.get(read.list)?.pairs;
    if (pairs === undefined || (!pairs.isEqual && this.#isPaged(spec))) return undefined;
    const both = await this.#both(spec);
    const found = differenceOf(both.was, both.is, pairs, this.#names);
    if (found === undefined) {
      if (both.was.answer === both.is.answer) this.#note(both);
      await this.#noteValues(both);
      return undefined;
    }
    const again = await this.#both(spec);
    const isTrue = isRepeated(both.was, again.was, this.#names) && isRepeated(both.is, again.is, this.#names);
    if (!isTrue) this.#unrepeated += 1;
    return isTrue ? found : undefined;
  }

  /** The smallest set that shows a difference: arguments are left out one at a time, as long as one remains. */
  async #shrink(read: TwinRead, args: Args): Promise<Args> {
    for (const name of Object.keys(args)) {
      const { [name]: _, ...fewer } = args;
      if ((await this.#compare(read, fewer)) !== undefined) return this.#shrink(read, fewer);
    }
    return args;
  }

  async #askOne(query: NonNullable<RequestSpec['query']>): Promise<void> {
    for (const read of this.#reads) {
      const spec: RequestSpec = { method: 'GET', route: read.route, query, as: asOf(this.#before) };
      this.#shown = await this.#compareNow(read, spec);
    }
  }

  /**
   * Asks once more for what was found, between two readings of the records: what somebody changed meanwhile says nothing of the
   * sites. Nothing is asked where nothing was found.
   */
  async #confirm({ route }: TwinRead): Promise<void> {
    const list = this.#reads.find((one) => one.route === route);
    const first = this.#records.get(route);
    const causes = this.#causes.filter((one) => one.list.list === route);
    const values = this.#values.found.filter((one) => one.list.route === route);
    if (list === undefined || first === undefined || causes.length + values.length === 0) return;
    const read = (): Promise<ReadRecords> => readRecords(list, this.#before, this.#after, this.#names);
    const noisy = values.map(({ path }) => path);
    const then = await read();
    const answers = await Promise.all(
      causes.map(async (cause) => ({ cause, ...(await this.#both(cause.spec)) })),
    );
    const calm = calmBetween([then, await read()], noisy);
    for (const { cause, was, is } of answers) {
      if (differenceOf(was, is, calm.pairs, this.#names) !== undefined) continue;
      this.#causes.splice(this.#causes.indexOf(cause), 1);
      this.#unrepeated += 1;
    }
    const { changed } = calmBetween([first, then], noisy);
    this.#values.leaveOut(route, changed);
    if (calm.changed.size + changed.size > 0) this.#changing.add(list.template);
  }
}
