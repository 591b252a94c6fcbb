import { inconclusive } from '../../../engine/findings.ts';
import { gmtOf, momentOf, namesOffset } from '../../../probing/records/reading/record.ts';
import type { Keeps, Records, Rule, Trial } from '../../../probing/records/reading/trials.ts';
import { allKeep, countOf, jointly, subsetTrial } from '../../../probing/records/reading/trials.ts';
import { takes } from '../../../specs/find-resource.ts';
import { type Filter, MOST_VALUES, type Predicted } from './member-rules.ts';

const SECOND = 1000;

const SIDES = ['after', 'before'] as const;
type Side = (typeof SIDES)[number];

interface Bound {
  readonly parameter: string;
  readonly side: Side;
  readonly moment: number;
  /** How far it is ahead of GMT, in milliseconds; undefined if the records do not show that. */
  readonly ahead: number | undefined;
}

/** More than misread offsets move a bound: two bounds that are nearer could hide each other. */
const DAY = 24 * 60 * 60 * SECOND;

/**
 * A date filter keeps the records on one side of its bound. The bound lies strictly between two dates of records, so
 * that it does not matter whether it is inclusive. It is written like the dates of records: without an offset in the
 * time of the site, or in GMT if they have an offset. Both sides together keep the records between two bounds.
 * @param prefix what precedes the side in the parameter; @param name the member with the date; @param side what is kept
 */
export function byMoment(prefix: string, name: string, side: Side): Filter {
  return { rule: momentRule(prefix, name, side), predicted: predictedMoments(name, side) };
}

const ZONE = /(?:Z|[+-]\d{2}:\d{2})$/;

function predictedMoments(name: string, side: Side): Predicted {
  return {
    values(records) {
      const moments = records.map((record) => momentOf(record, name)).filter((one) => one !== undefined);
      const zoned = records.some((record) => namesOffset(record, name) === true);
      // The check of the filter alone uses the other edge.
      return momentsBetween(moments, 'later')
        .slice(0, MOST_VALUES)
        .map((one) => writtenMoment(one, zoned));
    },
    keeps(value) {
      if (typeof value !== 'string') return undefined;
      const zoned = ZONE.test(value);
      const bound = Date.parse(zoned ? value : `${value}Z`);
      if (Number.isNaN(bound)) return undefined;
      const keeps = keepsMoments(name, side, bound);
      // Times of different time zones are not compared.
      return (record) => (namesOffset(record, name) === zoned ? keeps(record) : undefined);
    },
  };
}

function momentRule(prefix: string, name: string, side: Side): Rule {
  return ({ page }, site) => {
    const moments = page.map((record) => momentOf(record, name)).filter((moment) => moment !== undefined);
    if (moments.length === 0) return inconclusive(`the records do not show ${name}`);
    const zoned = page.filter((record) => namesOffset(record, name) === true).length;
    if (zoned > 0 && zoned < moments.length)
      return inconclusive(`only some of the records name the offset of ${name}`);
    const chosen = chooseMoments(page, name, side, momentsBetween(moments));
    if (chosen === undefined)
      return inconclusive(`no two visible records are more than a second apart in ${name}`);
    const boundOf = (by: Side, at: number): Bound => {
      const earlier = page.find((record) => momentOf(record, name) === at - SECOND);
      const gmt = earlier && gmtOf(earlier, name);
      const ahead = gmt === undefined ? undefined : at - SECOND - gmt;
      return { parameter: site.wire(`${prefix}${by}`), side: by, moment: at, ahead };
    };
    const alone = [boundOf(side, chosen.alone)];
    const isPaired = takes(site.operation, `${prefix}after`, `${prefix}before`);
    const trialOf = (make: (bounds: readonly Bound[]) => Trial, span: Span | undefined): Trial => {
      if (span === undefined || !isPaired) return make(alone);
      return { ...make([boundOf('after', span[0]), boundOf('before', span[1])]), alone: make(alone) };
    };
    const keeping = (bounds: readonly Bound[]): Trial => {
      const written = bounds.map((one) => [one.parameter, writtenMoment(one.moment, zoned > 0)]);
      const kept = bounds.map((one) => keepsMoments(name, one.side, one.moment));
      return subsetTrial(Object.fromEntries(written), allKeep(kept));
    };
    return [
      trialOf(keeping, chosen.span),
      trialOf((bounds) => jointly(oneInstant(bounds, name)), chosen.spanOfOffsets),
    ];
  };
}

type Span = readonly [low: number, high: number];

function spanBetween(one: number, other: number): Span {
  return [Math.min(one, other), Math.max(one, other)];
}

/** Chooses bounds that show which date is read: one alone, and a span for both sides together, if there is one. */
function chooseMoments(page: Records, name: string, side: Side, moments: readonly number[]) {
  const distinguish = (by: Side, ...bounds: readonly number[]): boolean =>
    distinguishDates(page, name, by, bounds);
  const showing = moments.filter((moment) => distinguish(side, moment));
  const [alone, ...others] = new Set([...showing, ...moments]);
  if (alone === undefined) return undefined;
  const far = others.filter((other) => Math.abs(other - alone) > DAY);
  // Another bound may leave out the records that show which date is read.
  const usual = showing.length > 0 ? undefined : far[0];
  const second = far.find((moment) => distinguish(side, alone, moment)) ?? usual;
  const own = second === undefined ? undefined : spanBetween(alone, second);
  const holdsRecords = ([low, high]: Span): boolean => {
    const isBetween = allKeep([keepsMoments(name, 'after', low), keepsMoments(name, 'before', high)]);
    return high - low > DAY && page.some((record) => isBetween(record) === true);
  };
  const spans = moments.flatMap((one, at) => moments.slice(at + 1).map((other) => spanBetween(one, other)));
  // The checks of both sides share its requests.
  const shared = spans.find((span) => holdsRecords(span) && SIDES.every((by) => distinguish(by, ...span)));
  // How offsets are read shows whichever date is.
  return { alone, span: shared ?? own, spanOfOffsets: shared ?? spans.find(holdsRecords) ?? own };
}

/** The other date of records, which a site may read instead. */
const OTHER_DATE: Readonly<Record<string, string>> = { date: 'modified', modified: 'date' };

/** Whether bounds, one or two, keep other records if the filter of a side reads the other date. */
function distinguishDates(page: Records, name: string, side: Side, bounds: readonly number[]): boolean {
  const [low, high] = [Math.min(...bounds), Math.max(...bounds)];
  const sides: readonly Side[] = bounds.length > 1 ? SIDES : [side];
  const keeps = (date: string): Keeps =>
    allKeep(
      sides.map((one) => {
        const bound = one === 'after' ? low : high;
        return keepsMoments(one === side ? date : name, one, bound);
      }),
    );
  const [right, wrong] = [keeps(name), keeps(OTHER_DATE[name] ?? name)];
  return page.some((record) => {
    const kept = [right(record), wrong(record)];
    return kept.includes(true) && kept.includes(false);
  });
}

/** More than the minutes of an offset: reading it without minutes moves the bound past the record. */
const HOURS = 11.5;
const QUARTER = 0.25;

/**
 * One time written with two offsets keeps the same records in any time zone of the site. If the offset, its sign or its
 * minutes are ignored, the two bounds fall on different sides of the record before the bound. A bound with `after` has
 * an offset ahead of GMT, one with `before` an offset behind. Where the records show their dates in GMT, the bound also
 * has to keep those on its side: a site that compares it with times of another zone moves it past that record.
 */
function oneInstant(bounds: readonly Bound[], name: string): Trial {
  const hour = 60 * 60 * SECOND;
  const written = bounds.map(({ side, moment, ahead = 0 }) => {
    const [instant, hours, sign] =
      side === 'after' ? [moment - ahead - QUARTER * hour, HOURS, '+'] : [moment - ahead, -HOURS, '-'];
    return [
      writtenMoment(instant, true),
      `${writtenMoment(instant + hours * hour, false)}${sign}11:30`,
    ] as const;
  });
  const requests = [0, 1].map((way) =>
    Object.fromEntries(bounds.map(({ parameter }, at) => [parameter, written[at]?.[way]])),
  );
  const kept = bounds.map(({ side }, at) =>
    keepsMoments(name, side, Date.parse(written[at]?.[0] ?? ''), gmtOf),
  );
  const isKnown = bounds.every(({ ahead }) => ahead !== undefined);
  return {
    requests,
    evaluate([one = [], other = []], snapshot) {
      const ids = new Set(other.map(({ id }) => id));
      if (ids.size === one.length && one.every(({ id }) => ids.has(id)))
        return isKnown ? subsetTrial(requests[0] ?? {}, allKeep(kept)).evaluate([one], snapshot) : undefined;
      const asked = bounds.map(({ parameter }) => parameter).join(' and ');
      const message = `${asked} matches other records when one instant is written with another offset: ${written.flat().join(', ')}`;
      return { message, expected: countOf(one), observed: countOf(other) };
    },
  };
}

/** Keeps the records on one side of a bound, whether or not it is inclusive. @param timeOf reads the date of a record */
function keepsMoments(name: string, side: Side, bound: number, timeOf: typeof momentOf = momentOf): Keeps {
  return (record) => {
    const moment = timeOf(record, name);
    return moment === undefined || moment === bound ? undefined : moment > bound === (side === 'after');
  };
}

/**
 * Times strictly between two neighbours: one second after the earlier one, which counts as later if only the day is
 * compared, or one second before the later one. Those nearest to the middle come first.
 */
function momentsBetween(moments: readonly number[], edge: 'earlier' | 'later' = 'earlier'): number[] {
  const sorted = [...new Set(moments)].sort((one, other) => one - other);
  const gaps = sorted.flatMap((low, at) => {
    const high = sorted[at + 1];
    return high !== undefined && high - low >= 2 * SECOND ? [{ at, low, high }] : [];
  });
  const middle = (sorted.length - 1) / 2;
  return gaps
    .sort((one, other) => Math.abs(one.at + 0.5 - middle) - Math.abs(other.at + 0.5 - middle))
    .map(({ low, high }) => (edge === 'earlier' ? low + SECOND : high - SECOND));
}

/** Writes a time like the records: without an offset in the time of the site, or in GMT if they have an offset. */
function writtenMoment(moment: number, zoned: boolean): string {
  return `${new Date(moment).toISOString().slice(0, 19)}${zoned ? 'Z' : ''}`;
}
