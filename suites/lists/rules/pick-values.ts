import type { SiteRecord, Value } from '../../records/reading/record.ts';
import type { Snapshot } from '../../records/reading/snapshot.ts';

/** The values that a record has in what a filter is about; undefined when it does not show them. */
export type ValuesOf = (record: SiteRecord) => readonly Value[] | undefined;

/** Values of which some records have one and some have none, and beside them one that others have, if there is any. */
export interface Picked {
  readonly values: readonly Value[];
  /** One more value, where with it none of the records is left that has none of them. */
  readonly further?: Value;
}

/**
 * Values that split the records: some have one of them, some have none. Two where three would be needed to describe
 * every record, so that a filter which reads only one of a list shows; the rarest ones, so that the answer is short.
 * Where two describe every record, the second comes as `further`.
 * @param what what the records say, for a reader
 * @returns why no value splits the records otherwise
 */
export function pickValues(
  { records, page, size }: Snapshot,
  valuesOf: ValuesOf,
  what: string,
  fits: (value: Value) => boolean = () => true,
): Picked | string {
  const shown = page.flatMap((record) => valuesOf(record) ?? []);
  if (records.every((record) => valuesOf(record) === undefined)) return `the records do not show ${what}`;
  const holders = (values: readonly Value[], among = records): number =>
    among.filter((record) => valuesOf(record)?.some((value) => values.includes(value)) === true).length;
  const splits = (values: readonly Value[]): boolean => {
    const count = holders(values, page);
    return count > 0 && count < page.length && holders(values) <= size;
  };
  const single = [...new Set(shown)]
    .filter((value) => fits(value) && splits([value]))
    .sort((one, other) => holders([one]) - holders([other]) || (one < other ? -1 : 1));
  const [first, second] = single;
  if (first === undefined) return `no value of ${what} distinguishes the visible records`;
  if (second === undefined) return { values: [first] };
  return splits([first, second]) ? { values: [first, second] } : { values: [first], further: second };
}
