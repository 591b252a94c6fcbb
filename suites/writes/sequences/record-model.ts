import type {
  BatchStep,
  Chosen,
  PlainStatus,
  RecordStep,
  Writing,
} from '../../../generators/command-sequences.ts';
import type { OwnRecord } from '../../../probing/records/own/own-records.ts';

/** What the model knows of an own record. */
export interface Member {
  readonly name: string;
  /** The name that kept steps have for it. */
  readonly key: number;
  readonly record: OwnRecord;
  readonly title: string;
  /** Undefined until one is written: a site may make one of the content. */
  readonly excerpt: string | undefined;
  readonly status: PlainStatus | 'trash' | 'gone';
}

/** A small model of a collection: the own records that were made in it, and what the site must hold of them. */
export class RecordModel {
  readonly #members: Member[] = [];

  /** Every record that was made, the oldest first. */
  get members(): readonly Member[] {
    return this.#members;
  }

  get nextName(): string {
    return `record ${this.#members.length + 1}`;
  }

  /** The name that kept steps have for the record that is made next. */
  get nextKey(): number {
    return this.#members.length + 1;
  }

  /** Adds a record that was just made. @param writing what was written into it */
  add(record: OwnRecord, writing: Writing, key: number = this.nextKey): void {
    const { title = '', excerpt, status = 'draft' } = writing;
    this.#members.push({ name: this.nextName, key, record, title, excerpt, status });
  }

  /** Whether there is a record for a step, and anything in a batch. */
  fits(step: RecordStep): boolean {
    if (step.kind === 'batch') return step.steps.length > 0;
    return !('pick' in step) || this.choose(step) !== undefined;
  }

  /** The record that a step chooses; undefined where none fits it. */
  choose({ kind, pick, of }: Extract<RecordStep, Chosen>): Member | undefined {
    const fitting = this.#members.filter((member) => isFitting(kind, member));
    return of === undefined ? fitting[pick % fitting.length] : fitting.find(({ key }) => key === of);
  }

  /** A step with the names of the records that it is about. @param made records that a batch makes before it */
  named<Step extends Exclude<RecordStep, { kind: 'batch' }> | BatchStep>(step: Step, made = 0): Step {
    if (step.kind === 'create') return { as: this.nextKey + made, ...step };
    const chosen = 'pick' in step ? this.choose(step) : undefined;
    return chosen === undefined ? step : { ...step, of: chosen.key };
  }

  change(member: Member, to: Partial<Pick<Member, 'title' | 'excerpt' | 'status'>>): void {
    const at = this.#members.findIndex(({ name }) => name === member.name);
    const now = this.#members[at];
    if (now !== undefined) this.#members[at] = { ...now, ...to };
  }
}

function isFitting(kind: RecordStep['kind'], { status }: Member): boolean {
  switch (kind) {
    case 'restore':
      return status === 'trash';
    case 'delete':
      return status !== 'gone';
    // Lists show all the others.
    case 'read':
      return status === 'gone';
    case 'update':
    case 'trash':
      return status !== 'gone' && status !== 'trash';
    default:
      return true;
  }
}
