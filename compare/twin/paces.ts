import type { RequestSpec } from '../../client/observation.ts';
import type { AnswerNotes, ObservedAnswers } from '../../client/observed/document.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { type Pair, pairsOf } from '../observed/difference.ts';
import { paceOf } from '../observed/pace.ts';
import { type Asked, asOf, type TwoSites } from './asked.ts';
import type { TwinRead } from './reads.ts';

/** How the times of two sites compare. */
export interface Paces {
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
export async function comparePaces(
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

function specOf({ route }: TwinRead, side: Asked): RequestSpec {
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
