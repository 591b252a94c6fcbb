import type { ObservedAnswers } from '../../client/observed/document.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import type { Exchange } from '../change.ts';
import { answerPairs } from '../observed/compare-answers.ts';
import type { Answers } from '../observed/difference.ts';
import { paceOf } from '../observed/pace.ts';
import type { TwinRead } from './records.ts';
import type { TwoSites } from './two-sites.ts';

/** How fast the second site is, compared with the first. */
export interface Paces {
  /** How much slower the second site is in general: the median of its routes. */
  readonly pace: number;
  /** Routes that are slower than that, measured by turns and alone, with the evidence. */
  readonly slower: readonly {
    readonly route: string;
    readonly evidence: string;
    readonly exchange: Exchange;
  }[];
}

/** How often a route is read on each side, by turns. */
const TURNS = 8;
/** From the first factor on, a route seems slower; from the second on, alone, it is. */
const SEEMING = 1.5;
const FACTOR = 2;
/** Seconds below which nobody notices. */
const LEAST = 0.03;

/** Finds what the second site answers slower than others, measured by turns with a read that does not seem slow. */
export async function comparePaces(
  answers: { readonly before: ObservedAnswers; readonly after: ObservedAnswers },
  sites: TwoSites,
  reads: readonly TwinRead[],
): Promise<Paces> {
  const rows = answerPairs(answers.before.answers, answers.after.answers);
  const pace = paceOf(rows);
  const seeming = new Set(rows.filter((row) => seemsSlower(row, pace)).map(({ was }) => shapeOf(was.route)));
  const slower: Paces['slower'][number][] = [];
  // One of several records is enough.
  const each = [...new Map(reads.map((read) => [shapeOf(read.template), read])).values()];
  const usual = each.find(({ template }) => !seeming.has(shapeOf(template)));
  for (const read of each.filter(({ template }) => seeming.has(shapeOf(template)))) {
    const evidence = await slowerBy(read, usual, sites);
    const exchange = sites.exchange(sites.before.specOf(read.route));
    if (evidence !== undefined) slower.push({ route: read.template, evidence, exchange });
  }
  return { pace, slower };
}

function seemsSlower({ was, is }: Answers, pace: number): boolean {
  const [then, now] = [was.seconds?.low ?? 0, is.seconds?.low ?? 0];
  return was.method === 'GET' && now > SEEMING * Math.max(1, pace) * then && now - then > LEAST;
}

/** By how much a read became slower than a usual one, in words: of the fastest answers, as other work only delays. */
async function slowerBy(
  read: TwinRead,
  usual: TwinRead | undefined,
  sites: TwoSites,
): Promise<string | undefined> {
  const [own, others]: [Times[], Times[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    own.push(await timesOf(read, sites));
    if (usual !== undefined) others.push(await timesOf(usual, sites));
  }
  const [then, now] = fastest(own);
  const [usualThen, usualNow] = others.length > 0 ? fastest(others) : [1, 1];
  const around = Math.max(1, usualNow / usualThen);
  if (now <= FACTOR * around * then || now - then <= LEAST) return undefined;
  const milliseconds = (seconds: number): string => `${Math.round(seconds * 1000)} ms`;
  return `${milliseconds(then)} before, ${milliseconds(now)} after, the fastest of ${TURNS} by turns`;
}

type Times = readonly [was: number, is: number];

async function timesOf(read: TwinRead, { before, after }: TwoSites): Promise<Times> {
  const spec = before.specOf(read.route);
  const was = await before.ask(spec);
  const is = await after.ask(spec);
  return [Math.max(was.seconds, Number.EPSILON), is.seconds];
}

function fastest(times: readonly Times[]): Times {
  return [Math.min(...times.map(([was]) => was)), Math.min(...times.map(([, is]) => is))];
}
