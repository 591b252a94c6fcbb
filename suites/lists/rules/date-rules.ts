import { momentOf, namesOffset } from '../../../probing/records/reading/record.ts';
import {
  countOf,
  jointly,
  type Keeps,
  type Rule,
  subsetTrial,
  type Trial,
} from '../../../probing/records/reading/trial.ts';

const SECOND = 1000;

/**
 * A bound in time keeps the records on one side of it. It is put strictly between two dates of records, so that whether
 * it is inclusive does not matter, and written as the records are: without an offset, in the time of the site, or in GMT
 * where they name theirs.
 * @param name the member with the date; @param side which side is kept
 */
export function byMoment(parameter: string, name: string, side: 'after' | 'before'): Rule {
  return ({ page }, site) => {
    const moments = page.map((record) => momentOf(record, name)).filter((moment) => moment !== undefined);
    if (moments.length === 0) return `the records do not show ${name}`;
    const zoned = page.filter((record) => namesOffset(record, name) === true).length;
    if (zoned > 0 && zoned < moments.length) return `only some of the records name the offset of ${name}`;
    const [bound] = momentsBetween(moments);
    if (bound === undefined) return `no two visible records are more than a second apart in ${name}`;
    const text = writtenMoment(bound, zoned > 0);
    const usual = subsetTrial({ [site.wire(parameter)]: text }, keepsMoments(name, side, bound));
    return name === 'date' ? [usual, jointly(oneInstant(site.wire(parameter), bound))] : [usual];
  };
}

/** Hours ahead of GMT, as some islands are. */
const AHEAD = 11.5;

/**
 * One instant written with two offsets describes the same records, in whatever zone the site is: where the offset is not
 * read, the two stand on different sides of the record before the moment.
 */
function oneInstant(parameter: string, moment: number): Trial {
  const hour = 60 * 60 * SECOND;
  const instant = moment - hour;
  const written = [writtenMoment(instant, true), `${writtenMoment(instant + AHEAD * hour, false)}+11:30`];
  return {
    requests: written.map((text) => ({ [parameter]: text })),
    judge([one = [], other = []]) {
      const ids = new Set(other.map(({ id }) => id));
      if (ids.size === one.length && one.every(({ id }) => ids.has(id))) return undefined;
      const message = `${parameter} describes other records when one instant is written with another offset: ${written.join(', ')}`;
      return { message, expected: countOf(one), observed: countOf(other) };
    },
  };
}

/** Keeps the records on one side of a moment; whether it is inclusive does not matter. */
export function keepsMoments(name: string, side: 'after' | 'before', bound: number): Keeps {
  return (record) => {
    const moment = momentOf(record, name);
    return moment === undefined || moment === bound ? undefined : moment > bound === (side === 'after');
  };
}

/**
 * Moments strictly between two neighbours, a second after the earlier one: who honours the day alone takes that for later.
 * Those nearest to the middle of all moments come first.
 */
export function momentsBetween(moments: readonly number[]): number[] {
  const sorted = [...new Set(moments)].sort((one, other) => one - other);
  const gaps = sorted.flatMap((moment, at) => {
    const next = sorted[at + 1];
    return next !== undefined && next - moment >= 2 * SECOND ? [{ at, low: moment }] : [];
  });
  const middle = (sorted.length - 1) / 2;
  return gaps
    .sort((one, other) => Math.abs(one.at + 0.5 - middle) - Math.abs(other.at + 0.5 - middle))
    .map(({ low }) => low + SECOND);
}

/** A moment as the records write theirs: without an offset in the time of the site, or in GMT where they name theirs. */
export function writtenMoment(moment: number, zoned: boolean): string {
  return `${new Date(moment).toISOString().slice(0, 19)}${zoned ? 'Z' : ''}`;
}
