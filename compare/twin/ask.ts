import { addAbortListener } from 'node:events';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import type { AnswerNotes, ObservedAnswers } from '../../client/observed/document.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { TargetError } from '../../client/target-error.ts';
import { createSession } from '../../engine/session.ts';
import type { Stop } from '../../probing/tour/stops.ts';
import { firstStop, fullStops, isConditional, recordStop, rightStops } from '../../probing/tour/stops.ts';
import { tour } from '../../probing/tour/tour.ts';
import type { Contract } from '../../specs/model.ts';
import type { Exchange } from '../change.ts';
import { type Pair, pairsOf } from '../observed/difference.ts';
import { paceOf } from '../observed/pace.ts';
import { differenceOf, type ListDifference, otherAnswer } from './answers.ts';
import { ArgumentSearch } from './arguments.ts';
import { type AskedSite, asOf, type Both, forEach, type TwinSite, TwoSites } from './asked.ts';
import type { Cause } from './causes.ts';
import { SharedContent } from './content.ts';
import { calmBetween, type ReadRecords, readRecords, type TwinRead } from './reads.ts';
import type { Pairs } from './records.ts';
import { type OtherValue, ValueNotes } from './values.ts';

const AS_USER = { isAnonymous: false, isSecond: false, isBoth: false };

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
  /** How much slower the second is throughout, and what is slower than this. */
  readonly pace: Paces['pace'];
  readonly slower: readonly (Paces['slower'][number] & { readonly exchange: Exchange })[];
  readonly sets: number;
  /** What a site did not say the same way twice. */
  readonly noise: number;
  /** The routes of lists whose records somebody changed meanwhile. */
  readonly changing: readonly string[];
  /** What one request showed, where only that was asked. */
  readonly shown?: ListDifference;
  /** Why it ended early. */
  readonly ended?: string;
  readonly requests: number;
}

/**
 * Asks two sites the same: the tour of the first, and every list and record of the contract with sets of arguments. Nothing but
 * reads is sent, whatever the options say.
 * @throws TargetError naming the side that is down, asks for patience or stands behind a login
 */
export async function askTwins(before: TwinSite, after: TwinSite, options: TwinOptions): Promise<AskedTwins> {
  const asking = new Asking(before, after, options);
  using _stopping = addAbortListener(options.signal, () => void asking.close());
  try {
    return await asking.ask();
  } finally {
    await asking.close();
  }
}

class Asking {
  readonly #options: TwinOptions;
  readonly #sites: TwoSites;
  readonly #content: SharedContent;
  readonly #values: ValueNotes;
  readonly #search: ArgumentSearch;
  /** What the tour asks the first site. */
  readonly #toured = new Map<string, { readonly spec: RequestSpec; readonly answer: Observation }>();
  #isTouring = false;
  readonly #causes: Cause[] = [];
  readonly #changing = new Set<string>();
  #shown: ListDifference | undefined;
  /** What was not there any more when it was asked for once more. */
  #unconfirmed = 0;

  constructor(before: TwinSite, after: TwinSite, options: TwinOptions) {
    this.#options = options;
    this.#sites = new TwoSites(before, after, (spec, answer) => this.#hear(spec, answer));
    this.#content = new SharedContent(this.#sites, options.contract, options.only?.route);
    this.#values = new ValueNotes(this.#sites, this.#content);
    this.#search = new ArgumentSearch(this.#sites, this.#content, this.#values);
  }

  close(): Promise<void> {
    return this.#sites.close();
  }

  async ask(): Promise<AskedTwins> {
    let ended: string | undefined;
    try {
      await this.#askAll();
    } catch (error) {
      if (!(error instanceof TargetError && error.problem === 'over-budget')) throw error;
      ended = error.message;
    }
    const { before, after } = this.#sites;
    const answers = { before: before.recorder.take(true), after: after.recorder.take(true) };
    // A budget that is over leaves nothing to measure with.
    const paces =
      ended === undefined
        ? await comparePaces(answers, this.#sites, this.#content.reads())
        : { pace: 1, slower: [] };
    return {
      answers,
      pace: paces.pace,
      slower: paces.slower.map((one) => ({ ...one, exchange: this.#sites.exchange(one.spec) })),
      causes: this.#causes,
      values: this.#values.found,
      pairs: this.#content.pairs,
      sets: this.#search.sets,
      noise: this.#search.unrepeated + this.#unconfirmed + this.#values.noise,
      changing: [...this.#changing],
      ...(this.#shown !== undefined && { shown: this.#shown }),
      ...(ended !== undefined && { ended }),
      requests: this.#sites.requests,
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
      await forEach(reads, (read) => this.#visit(read));
      await forEach(reads, async (read) => {
        this.#causes.push(...(await this.#search.causesOf(read, { seed, examples })));
      });
    }
    await forEach(this.#content.lists, (list) => this.#confirm(list));
  }

  #hear(spec: RequestSpec, answer: Observation): void {
    this.#options.progress?.(this.#sites.requests);
    const key = JSON.stringify(spec);
    if (this.#isTouring && answer.answer !== 'throttled' && !this.#toured.has(key))
      this.#toured.set(key, { spec, answer });
  }

  /** Makes the tour of the first site, then asks the second and the first once more for all of it. */
  async #tour(): Promise<void> {
    const { contract, seed, callers } = this.#options;
    const { client, index } = this.#sites.before;
    this.#isTouring = true;
    await tour(createSession({ contract, index, client, seed }), {
      level: 'full',
      names: this.#sites.names,
      most: Number.POSITIVE_INFINITY,
      callers,
      isOver: () => false,
      again: () => undefined,
    });
    this.#isTouring = false;
    await forEach(this.#toured.values(), ({ spec, answer }) => this.#askAgain(spec, answer));
  }

  /** Asks what the tour does not: what stands below a list, and what nobody but a user may read. */
  async #visit(read: TwinRead): Promise<void> {
    const { before, names } = this.#sites;
    const first = await before.ask({ ...firstStop(read), as: asOf(before) });
    const total = Number(first.headers[names.totals.records]);
    const page = { json: first.json, records: Number.isSafeInteger(total) ? total : undefined };
    const isToured = read.route === read.template && this.#options.only === undefined;
    const own = isToured ? [] : [firstStop(read), ...fullStops(read, page, names, AS_USER)];
    const record = recordStop(read, first.json, names.identity);
    const others = [firstStop(read), ...record, ...rightStops(read, names)];
    const send = (stops: readonly Stop[], as: 'user' | 'anonymous'): Promise<void>[] =>
      stops.map((stop) => this.#askAgain({ ...stop, as }));
    await Promise.all([...send(own, asOf(before)), ...send(others, 'anonymous')]);
  }

  /** Asks both, and the first once more: what it does not say the same way twice is noise. @param known its first answer */
  async #askAgain(spec: RequestSpec, known?: Observation): Promise<void> {
    // Another site has other versions of the same.
    if (!this.#content.isShared(spec) || isConditional(spec, this.#sites.names)) return;
    const { before, after } = this.#sites;
    const was = known ?? (await before.ask(spec));
    const both = { spec, was, is: await after.ask(spec) };
    const again = await before.ask(spec);
    this.#sites.note(both);
    before.recorder.noteAgain(spec, was, again);
    if (was.answer === again.answer) this.#noteFailure(both);
    await this.#values.note(both, again);
  }

  /** Notes that nobody is answered what was answered. Who is denied it lost a right, which the comparison of answers says. */
  #noteFailure({ spec, was, is }: Both): void {
    const list = this.#content.reads().find(({ route }) => route === spec.route);
    const isPlain = spec.method === 'GET' && spec.as === 'anonymous' && (spec.query ?? []).length === 0;
    if (!isPlain || spec.otherForm === true || list?.operation === undefined) return;
    const found = [was.answer, is.answer].includes('denied') ? undefined : otherAnswer(was, is);
    if (found === undefined) return;
    const { operation } = list;
    const exchange = this.#sites.exchange(spec);
    this.#causes.push({ list, operation, args: {}, found, caller: 'anonymous', spec, exchange });
  }

  /**
   * Asks once more for what was found, between two more readings of the records: what somebody changed meanwhile says nothing of
   * the sites. Nothing is asked where nothing was found.
   */
  async #confirm(list: TwinRead): Promise<void> {
    const { before, after, names } = this.#sites;
    const first = this.#content.recordsOf(list);
    const causes = this.#causes.filter((one) => one.list.list === list.route);
    const values = this.#values.found.filter((one) => one.list.route === list.route);
    if (first === undefined || causes.length + values.length === 0) return;
    const read = (): Promise<ReadRecords> => readRecords(list, before, after, names);
    const noisy = values.map(({ path }) => path);
    const then = await read();
    const answers = await Promise.all(
      causes.map(async (cause) => ({ cause, ...(await this.#sites.ask(cause.spec)) })),
    );
    const { pairs, changed } = calmBetween([first, then, await read()], noisy);
    for (const { cause, was, is } of answers) {
      if (differenceOf(was, is, pairs, names) !== undefined) continue;
      this.#causes.splice(this.#causes.indexOf(cause), 1);
      this.#unconfirmed += 1;
    }
    this.#values.leaveOut(list.route, changed);
    if (changed.size > 0) this.#changing.add(list.template);
  }
}

/** How the times of two sites compare. */
interface Paces {
  /** How much slower the second is throughout: the middle of what its routes are. */
  readonly pace: number;
  /** Routes that are slower than this, asked by turns and alone, with how often it was seen. */
  readonly slower: readonly {
    readonly route: string;
    readonly evidence: string;
    readonly spec: RequestSpec;
  }[];
}

/** So often a route is asked on each side, by turns. */
const TURNS = 8;
/** A route seems slower from this factor on, and is from the second on, beyond the spread of both. */
const SEEMING = 1.5;
const FACTOR = 2;
/** Nobody notices less: seconds. */
const LEAST = 0.03;

/**
 * Which lists and records the second site answers slower than it answers others. What looks so among all other requests is asked
 * again by turns, beside another one that does not, with nothing else under way: a busy machine makes nothing slower here.
 * @param reads what both have been asked for
 */
async function comparePaces(
  answers: { readonly before: ObservedAnswers; readonly after: ObservedAnswers },
  sites: TwoSites,
  reads: readonly TwinRead[],
): Promise<Paces> {
  const rows = pairsOf(answers.before.answers, answers.after.answers, answerKey);
  const pace = paceOf(rows);
  const seeming = new Set(rows.filter((row) => seemsSlower(row, pace)).map(({ was }) => shapeOf(was.route)));
  const slower: Paces['slower'][number][] = [];
  // Of several records one is enough.
  const each = [...new Map(reads.map((read) => [shapeOf(read.template), read])).values()];
  const usual = each.find(({ template }) => !seeming.has(shapeOf(template)));
  for (const read of each.filter(({ template }) => seeming.has(shapeOf(template)))) {
    const evidence = await slowerBy(read, usual, sites);
    if (evidence !== undefined)
      slower.push({ route: read.template, evidence, spec: specOf(read, sites.before) });
  }
  return { pace, slower };
}

function seemsSlower({ was, is }: Pair<AnswerNotes>, pace: number): boolean {
  const [then, now] = [was.seconds?.median ?? 0, is.seconds?.median ?? 0];
  return was.method === 'GET' && now > SEEMING * Math.max(1, pace) * then && now - then > LEAST;
}

function answerKey({ route, method, caller, context, with: others }: AnswerNotes): string {
  return JSON.stringify([route, method, caller, context, others]);
}

/** By how much a read is slower than a usual one became, in words; undefined where its ratios are not beyond those of the other. */
async function slowerBy(
  read: TwinRead,
  usual: TwinRead | undefined,
  sites: TwoSites,
): Promise<string | undefined> {
  const [then, now, ratios, usualRatios]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [was, is] = await timesOf(read, sites);
    then.push(was);
    now.push(is);
    ratios.push(is / was);
    if (usual === undefined) continue;
    const [usualWas, usualIs] = await timesOf(usual, sites);
    usualRatios.push(usualIs / usualWas);
  }
  const around = Math.max(1, at(usualRatios, HIGH));
  if (at(ratios, LOW) <= FACTOR * around || at(now, LOW) - at(then, HIGH) <= LEAST) return undefined;
  const milliseconds = (all: number[]): string => `${Math.round(at(all, MIDDLE) * 1000)} ms`;
  return `${milliseconds(then)} before, ${milliseconds(now)} after, asked ${TURNS} times by turns`;
}

async function timesOf(read: TwinRead, { before, after }: TwoSites): Promise<[was: number, is: number]> {
  const spec = specOf(read, before);
  const was = await before.ask(spec);
  const is = await after.ask(spec);
  return [Math.max(was.seconds, Number.EPSILON), is.seconds];
}

function specOf({ route }: TwinRead, side: AskedSite): RequestSpec {
  return { method: 'GET', route, as: asOf(side) };
}

const LOW = 0.25;
const MIDDLE = 0.5;
const HIGH = 0.75;

/** The value below which this share of some lies. */
function at(all: readonly number[], share: number): number {
  const sorted = all.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
