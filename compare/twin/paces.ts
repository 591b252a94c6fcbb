import type { RequestSpec } from '../../client/observation.ts';
import type { AnswerNotes, ObservedAnswers } from '../../client/observed/document.ts';
import type { Pair } from '../observed/difference.ts';
import { paceOf } from '../observed/pace.ts';
import { type Asked, asOf } from './asked.ts';

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
 * Which lists the second site answers slower than it answers others. What looks so among all other requests is asked again by
 * turns, beside a list that does not, with nothing else under way: a busy machine makes nothing slower here.
 */
export async function comparePaces(
  answers: { readonly before: ObservedAnswers; readonly after: ObservedAnswers },
  before: Asked,
  after: Asked,
): Promise<Paces> {
  const rows = pairsOf(answers.before.answers, answers.after.answers);
  const pace = paceOf(rows);
  const lists = rows.filter(
    ({ was }) => was.method === 'GET' && was.forms.list !== undefined && !was.route.includes('{'),
  );
  const seeming = new Set(lists.filter((row) => seemsSlower(row, pace)).map(({ was }) => was.route));
  const control = lists.find(({ was }) => !seeming.has(was.route))?.was.route;
  const slower: Paces['slower'][number][] = [];
  for (const route of seeming) {
    const evidence = await slowerBy(route, control, before, after);
    if (evidence !== undefined) slower.push({ route, evidence, spec: specOf(route, before) });
  }
  return { pace, slower };
}

function seemsSlower({ was, is }: Pair<AnswerNotes>, pace: number): boolean {
  const [then, now] = [was.seconds?.median ?? 0, is.seconds?.median ?? 0];
  return now > SEEMING * Math.max(1, pace) * then && now - then > LEAST;
}

function pairsOf(was: readonly AnswerNotes[], is: readonly AnswerNotes[]): Pair<AnswerNotes>[] {
  const key = ({ route, method, caller, context, with: others }: AnswerNotes): string =>
    JSON.stringify([route, method, caller, context, others]);
  const after = new Map(is.map((one) => [key(one), one]));
  return was.flatMap((one) => {
    const other = after.get(key(one));
    return other === undefined ? [] : [{ was: one, is: other }];
  });
}

/** By how much a list is slower than another became, in words; undefined where its ratios are not beyond those of the other. */
async function slowerBy(
  route: string,
  control: string | undefined,
  before: Asked,
  after: Asked,
): Promise<string | undefined> {
  const [own, usual]: [number[], number[]] = [[], []];
  const [then, now]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [was, is] = await timesOf(route, before, after);
    own.push(is / was);
    then.push(was);
    now.push(is);
    if (control === undefined) continue;
    const [other, otherNow] = await timesOf(control, before, after);
    usual.push(otherNow / other);
  }
  const around = Math.max(1, usual.length === 0 ? 1 : at(usual, HIGH));
  if (at(own, LOW) <= FACTOR * around || at(now, LOW) - at(then, HIGH) <= LEAST) return undefined;
  const milliseconds = (all: number[]): string => `${Math.round(at(all, MIDDLE) * 1000)} ms`;
  return `${milliseconds(then)} before, ${milliseconds(now)} after, asked ${TURNS} times by turns`;
}

async function timesOf(route: string, before: Asked, after: Asked): Promise<[was: number, is: number]> {
  const spec = specOf(route, before);
  const was = await before.ask(spec);
  const is = await after.ask(spec);
  return [Math.max(was.seconds, Number.EPSILON), is.seconds];
}

function specOf(route: string, side: Asked): RequestSpec {
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
