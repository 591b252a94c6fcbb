import type { AnswerNotes } from '../../client/observed/document.ts';
import { differenceOfDigests, NONE, UNDATED } from '../../client/observed/sample.ts';
import { FEW, outermost, type Pair, SEVERAL } from './difference.ts';

type Sample = NonNullable<AnswerNotes['sample']>;

/** What one run noted of a record: its date of change, and a digest of each member. */
export class SampledRecord {
  readonly date: string;
  readonly isDated: boolean;
  readonly #members: readonly string[];
  readonly #digests: readonly string[];

  constructor({ members, records }: Sample, id: string) {
    const [date = UNDATED.once, ...digests] = records[id]?.split(' ') ?? [];
    this.date = date;
    this.isDated = date !== UNDATED.once && date !== UNDATED.again;
    this.#members = members;
    this.#digests = digests;
  }

  /** The digest of a member; undefined without one. */
  digestOf(name: string): string | undefined {
    const digest = this.#digests[this.#members.indexOf(name)];
    return digest === NONE ? undefined : digest;
  }
}

/** One record in two samples, and whether somebody modified it in between. */
class SharedRecord implements Pair<SampledRecord> {
  readonly id: string;
  readonly was: SampledRecord;
  readonly is: SampledRecord;

  constructor(id: string, samples: Pair<Sample>) {
    this.id = id;
    this.was = new SampledRecord(samples.was, id);
    this.is = new SampledRecord(samples.is, id);
  }

  /** Whether it has no date of change, so that only its values show a modification. */
  get isUndated(): boolean {
    return !this.was.isDated && !this.is.isDated;
  }

  get isUnmodified(): boolean {
    return this.was.isDated && this.was.date === this.is.date;
  }

  get isModified(): boolean {
    return this.is.isDated && this.was.date !== this.is.date;
  }

  /** How a member differs, if it does. */
  differenceIn(name: string): ReturnType<typeof differenceOfDigests> {
    return differenceOfDigests(this.was.digestOf(name), this.is.digestOf(name));
  }

  /** Whether a member has another value on both sides, not only the same values in another order. */
  hasOtherValue(name: string): boolean {
    const isInBoth = this.was.digestOf(name) !== undefined && this.is.digestOf(name) !== undefined;
    return isInBoth && this.differenceIn(name) === 'value';
  }

  /** Whether somebody seems to have modified it: by its date, or without one by the values of these members. */
  seemsModified(names: readonly string[]): boolean {
    return this.isModified || (!this.is.isDated && names.some((name) => this.differenceIn(name) === 'value'));
  }
}

/** The records that two samples share: of one list before and after, or as two callers see it. */
export class SharedRecords {
  readonly all: readonly SharedRecord[];
  /** Records with the same date of change. Content does not explain what several of them show otherwise. */
  readonly unmodified: readonly SharedRecord[];
  readonly undated: readonly SharedRecord[];
  /** The ids of the first page on each side. */
  readonly order: Pair<readonly string[]>;
  /** Members of both samples. */
  readonly members: ReadonlySet<string>;
  /** Whether both sides have a sample. */
  readonly areSampled: boolean;
  /** Whether any record of either side says when it was changed. */
  readonly areDated: boolean;

  constructor({ was: { sample: was }, is: { sample: is } }: Pair<Pick<AnswerNotes, 'sample'>>) {
    const both = was && is && { was, is };
    const shared = both
      ? Object.keys(both.was.records).filter((id) => both.is.records[id] !== undefined)
      : [];
    this.all = both ? shared.map((id) => new SharedRecord(id, both)) : [];
    this.unmodified = this.all.filter((record) => record.isUnmodified);
    this.undated = this.all.filter((record) => record.isUndated);
    this.order = { was: was?.order ?? [], is: is?.order ?? [] };
    this.members = new Set(was?.members).intersection(new Set(is?.members));
    this.areSampled = both !== undefined;
    this.areDated = [was, is].some(
      (sample) => sample && Object.keys(sample.records).some((id) => new SampledRecord(sample, id).isDated),
    );
  }

  /** The unmodified records that show a member otherwise; none if they are few, which may have their own reasons. */
  otherwiseIn(name: string): readonly SharedRecord[] {
    if (!this.members.has(name)) return [];
    const others = this.unmodified.filter((record) => record.differenceIn(name) !== undefined);
    return others.length < FEW ? [] : others;
  }

  /** Whether unmodified records show the member around a path otherwise. */
  isOtherwise(path: string): boolean {
    return this.otherwiseIn(outermost(path)).length > 0;
  }

  /** The same, and whether several records without a date of change do: editors do not empty so many at once. */
  isOtherwiseOrUndated(path: string): boolean {
    const name = outermost(path);
    return this.isOtherwise(path) || this.undated.filter((one) => one.hasOtherValue(name)).length >= SEVERAL;
  }
}
