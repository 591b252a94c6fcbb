import { addAbortListener } from 'node:events';
import type { QueryPair } from '../../client/address.ts';
import { defined } from '../../client/json.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import type { ObservedAnswers } from '../../client/observed/document.ts';
import { inParallel } from '../../client/pacing.ts';
import { TargetError } from '../../client/target-error.ts';
import { createSession } from '../../engine/session.ts';
import type { Stop } from '../../probing/tour/stops.ts';
import { firstStop, fullStops, isConditional, recordStop, rightStops } from '../../probing/tour/stops.ts';
import { tour } from '../../probing/tour/tour.ts';
import type { Contract } from '../../specs/model.ts';
import { textsOf } from '../../specs/texts.ts';
import { type ArgumentCause, ArgumentSearch } from './argument-search.ts';
import type { Drawing } from './argument-sets.ts';
import { SharedContent } from './content.ts';
import { comparePaces, type Paces } from './pace.ts';
import {
  differenceOf,
  type ListDifference,
  otherAnswer,
  type Pairs,
  type ReadRecords,
  readRecords,
  type TwinRead,
  unchangedBetween,
} from './records.ts';
import { type BothAnswers, PARALLEL, type TwinSite, TwoSites } from './two-sites.ts';
import { type OtherValue, ValueNotes } from './values.ts';

const AS_USER = { isAnonymous: false, isSecond: false, isBoth: false };

/** Options for asking both sites. */
export interface TwinOptions extends Drawing {
  readonly contract: Contract;
  /** Further callers on both sides, by name. */
  readonly callers: readonly string[];
  /** Only requests for one change: the shape of its route, and the query that shows it if known. */
  readonly only?: { readonly route: string; readonly query?: readonly QueryPair[] };
  readonly signal: AbortSignal;
  /** Receives the number of requests. */
  progress?(requests: number): void;
}

/** The answers of both sites. */
export interface AskedTwins extends Paces {
  readonly answers: { readonly before: ObservedAnswers; readonly after: ObservedAnswers };
  readonly causes: readonly ArgumentCause[];
  readonly values: readonly OtherValue[];
  /** By the route of a list that both have, in the words of the contract. */
  readonly pairs: ReadonlyMap<string, Pairs>;
  readonly sets: number;
  /** How many differences a site did not show twice. */
  readonly noise: number;
  /** The routes of lists whose records somebody changed meanwhile. */
  readonly changing: readonly string[];
  /** The outcome of a single request, if only that was sent. */
  readonly shown?: ListDifference;
  /** Why it ended early. */
  readonly ended?: string;
  readonly requests: number;
}

/**
 * Sends the same requests to two sites: the tour of the first, and every list and record of the contract with sets of
 * arguments. It only reads, whatever the options say.
 * @throws TargetError with the side that is down, throttles, or is behind a login
 */
export async function askTwins(before: TwinSite, after: TwinSite, options: TwinOptions): Promise<AskedTwins> {
  const asking = new Asking(before, after, options);
  using _stopping = addAbortListener(options.signal, () => void asking.sites.close());
  try {
    return await asking.ask();
  } finally {
    await asking.sites.close();
  }
}

class Asking {
  readonly #options: TwinOptions;
  readonly sites: TwoSites;
  readonly #content: SharedContent;
  readonly #values: ValueNotes;
  readonly #search: ArgumentSearch;
  /** The requests of the tour, with the answers of the first site. */
  readonly #toured = new Map<string, { readonly spec: RequestSpec; readonly answer: Observation }>();
  #isTouring = false;
  readonly #causes: ArgumentCause[] = [];
  readonly #changing = new Set<string>();
  #shown: ListDifference | undefined;

  constructor(before: TwinSite, after: TwinSite, options: TwinOptions) {
    this.#options = options;
    this.sites = new TwoSites(before, after, (spec, answer) => this.#hear(spec, answer));
    this.#content = new SharedContent(this.sites, options.contract, options.only?.route);
    this.#values = new ValueNotes(this.#content);
    this.#search = new ArgumentSearch(this.#content, this.#values);
  }

  async ask(): Promise<AskedTwins> {
    let ended: string | undefined;
    try {
      await this.#askAll();
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      const { aborted } = this.#options.signal;
      if (!aborted && error.problem !== 'over-budget') throw error;
      ended = aborted ? 'interrupted' : error.message;
    }
    const { before, after } = this.sites;
    const answers = { before: before.recorder.take(true), after: after.recorder.take(true) };
    // After the budget or an interruption, no times are measured.
    const paces = ended === undefined && (await comparePaces(answers, this.sites, this.#content.reads()));
    return {
      answers,
      ...(paces || { pace: 1, slower: [] }),
      causes: this.#causes,
      values: this.#values.found,
      pairs: this.#content.pairs,
      sets: this.#search.sets,
      noise: this.#search.unrepeated + this.#values.noise.size,
      changing: [...this.#changing],
      ...defined({ shown: this.#shown, ended }),
      requests: this.sites.requests,
    };
  }

  async #askAll(): Promise<void> {
    const { only, seed, examples } = this.#options;
    await this.#content.read();
    if (only === undefined) await this.#tour();
    const reads = this.#content.reads(only?.route);
    if (only?.query !== undefined) {
      for (const read of reads) this.#shown = await this.#search.compareOne(read, only.query);
    } else {
      await inParallel(reads, PARALLEL, (read) => this.#visit(read));
      await inParallel(reads, PARALLEL, async (read) => {
        this.#causes.push(...(await this.#search.causesOf(read, { seed, examples })));
      });
    }
    await inParallel(this.#content.lists, PARALLEL, (list) => this.#confirm(list));
  }

  #hear(spec: RequestSpec, answer: Observation): void {
    this.#options.progress?.(this.sites.requests);
    const key = JSON.stringify(spec);
    const isNew = this.#isTouring && answer.answer !== 'throttled' && !this.#toured.has(key);
    if (isNew) this.#toured.set(key, { spec, answer });
  }

  async #tour(): Promise<void> {
    const { contract, seed, callers } = this.#options;
    const { client, index } = this.sites.before;
    this.#isTouring = true;
    await tour(createSession({ contract, index, client, seed }), {
      level: 'full',
      names: textsOf('observed'),
      most: Number.POSITIVE_INFINITY,
      callers,
      isOver: () => false,
      again: () => undefined,
    });
    this.#isTouring = false;
    await inParallel(this.#toured.values(), PARALLEL, ({ spec, answer }) => this.#askAgain(spec, answer));
  }

  /** Reads what the tour does not: children of records, and what only a user may read. */
  async #visit(read: TwinRead): Promise<void> {
    const { before } = this.sites;
    const names = textsOf('observed');
    const first = await before.ask({ ...firstStop(read), as: before.caller });
    const isToured = read.route === read.template && this.#options.only === undefined;
    const own = isToured ? [] : [firstStop(read), ...fullStops(read, first, names, AS_USER)];
    const record = recordStop(read, first.json, names.identity);
    const others = [firstStop(read), ...record, ...rightStops(read, names)];
    const send = (stops: readonly Stop[], as: 'user' | 'anonymous'): Promise<void>[] =>
      stops.map((stop) => this.#askAgain({ ...stop, as }));
    await Promise.all([...send(own, before.caller), ...send(others, 'anonymous')]);
  }

  /** Sends a request to both sites, and to the first again to know its noise. @param known its first answer */
  async #askAgain(spec: RequestSpec, known?: Observation): Promise<void> {
    // Versions of answers differ between sites.
    if (!this.#content.isShared(spec) || isConditional(spec, textsOf('observed'))) return;
    const { before, after } = this.sites;
    const was = known ?? (await before.ask(spec));
    const both = { spec, was, is: await after.ask(spec) };
    const again = await before.ask(spec);
    this.sites.note(both);
    before.recorder.noteAgain(spec, was, again);
    if (was.answer === again.answer) this.#noteFailure(both);
    await this.#values.note(both, again);
  }

  /** Notes that nobody is answered any more. A denial is a lost right, which the comparison of answers reports. */
  #noteFailure({ spec, was, is }: BothAnswers): void {
    const list = this.#content.reads().find(({ route }) => route === spec.route);
    const isPlain = spec.method === 'GET' && spec.as === 'anonymous' && (spec.query ?? []).length === 0;
    if (!isPlain || spec.otherForm === true || list?.operation === undefined) return;
    const found = [was.answer, is.answer].includes('denied') ? undefined : otherAnswer(was, is);
    if (found === undefined) return;
    const exchange = this.sites.exchange(spec);
    this.#causes.push({ list, args: {}, found, caller: 'anonymous', spec, exchange });
  }

  /** Repeats what showed differences, between two more readings, to leave out what somebody changed meanwhile. */
  async #confirm(list: TwinRead): Promise<void> {
    const first = this.#content.recordsOf(list);
    const causes = this.#causes.filter((one) => one.list.list === list.route);
    const values = this.#values.found.filter((one) => one.list.route === list.route);
    if (first === undefined || causes.length + values.length === 0) return;
    const read = (): Promise<ReadRecords> => readRecords(list, this.sites);
    const noisy = values.map(({ path }) => path);
    const then = await read();
    const answers = await Promise.all(
      causes.map(async (cause) => ({ cause, ...(await this.sites.ask(cause.spec)) })),
    );
    const { pairs, changed } = unchangedBetween([first, then, await read()], noisy);
    for (const { cause, was, is } of answers) {
      if (differenceOf(was, is, pairs) !== undefined) continue;
      this.#causes.splice(this.#causes.indexOf(cause), 1);
      this.#search.unrepeated += 1;
    }
    this.#values.leaveOut(list.route, changed);
    if (changed.size > 0) this.#changing.add(list.template);
  }
}
