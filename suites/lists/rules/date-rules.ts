import { momentOf, namesOffset } from '../../records/reading/printed-date.ts';
import { subsetTrial } from '../../records/reading/subset-trial.ts';
import type { Keeps, Rule } from '../../records/reading/trial.ts';

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
    return [subsetTrial({ [site.wire(parameter)]: text }, keepsMoments(name, side, bound))];
  };
}

/** Keeps the records on one side of a moment; whether it is inclusive does not matter. */
export function keepsMoments(name: string, side: 'after' | 'before', bound: number): Keeps {
  return (record) => {
    const moment = momentOf(record, name);
    return moment === undefined || moment === bound ? undefined : moment > bound === (side === 'after');
  };
}

/** Whole seconds strictly between two neighbours, the one nearest to the middle of all moments first. */
export function momentsBetween(moments: readonly number[]): number[] {
  const sorted = [...new Set(moments)].sort((one, other) => one - other);
  const gaps = sorted.flatMap((moment, at) => {
    const next = sorted[at + 1];
    return next !== undefined && next - moment >= 2 * SECOND ? [{ at, low: moment, high: next }] : [];
  });
  const middle = (sorted.length - 1) / 2;
  return gaps
    .sort((one, other) => Math.abs(one.at + 0.5 - middle) - Math.abs(other.at + 0.5 - middle))
    .map(({ low, high }) => Math.floor((low + high) / 2 / SECOND) * SECOND);
}

/** A moment as the records write theirs: without an offset in the time of the site, or in GMT where they name theirs. */
export function writtenMoment(moment: number, zoned: boolean): string {
  return `${new Date(moment).toISOString().slice(0, 19)}${zoned ? 'Z' : ''}`;
}
