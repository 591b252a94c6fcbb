import { describe, expect, it } from 'vitest';
import { loadObservedNames } from '../../specs/texts.ts';
import { SampleNotes } from './sample.ts';

const MODIFIED = '2024-05-06T07:08:09';

/** A sample of records, which get ids from 1. @param made ids of records that the run has created */
function sampleOf(records: readonly object[], ...made: readonly string[]): ReturnType<SampleNotes['sample']> {
  const notes = new SampleNotes(loadObservedNames(), (text) => text);
  notes.note(
    records.map((record, at) => ({ id: at + 1, modified: MODIFIED, ...record })),
    true,
  );
  return notes.sample(
    (text) => text,
    (id) => made.includes(id),
  );
}

describe('a sample of records', () => {
  it('holds none that the run has created, because after a restore others have their ids', () => {
    const sample = sampleOf([{}, {}], '2');

    expect([Object.keys(sample?.records ?? {}), sample?.order]).toEqual([['1'], undefined]);
    expect(sampleOf([{}, {}])?.order).toEqual(['1', '2']);
  });
});
