import type { Observation } from '../../../client/observation.ts';
import { Ended } from '../../../engine/ended.ts';
import { failure } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import type { RecordStep, Writing } from '../../../generators/command-sequences.ts';
import { notAccepted, untoldBy } from '../../records/own/judge-write.ts';
import type { OwnRecords } from '../../records/own/own-records.ts';
import { compareRecords } from './compare-records.ts';
import type { RecordModel } from './record-model.ts';

/**
 * The site as one command sequence sees it, with the story of the sequence for a report. Whatever contradicts the model is
 * thrown as `Ended`, with the steps so far.
 */
export class SequenceSite {
  readonly session: Session;
  readonly own: OwnRecords;
  readonly type: string;
  /** The steps so far, as a replay repeats them. */
  readonly #steps: RecordStep[] = [];
  readonly #story: string[] = [];
  readonly #curls: string[] = [];

  constructor(session: Session, own: OwnRecords, type: string) {
    this.session = session;
    this.own = own;
    this.type = type;
  }

  /** Compares what the site holds with the model. @throws Ended where they differ */
  async compare(model: RecordModel): Promise<void> {
    this.tell('list them');
    const { answers, difference } = await compareRecords(this.session, this.type, model);
    for (const answer of answers) this.note(answer);
    if (difference !== undefined)
      throw this.contradiction(difference.message, difference.expected, difference.observed);
  }

  /** Adds a step to the story that a report tells. */
  tell(step: string): void {
    this.#story.push(step);
  }

  /** Keeps a step, so that it can be repeated. */
  begin(step: RecordStep): void {
    this.#steps.push(step);
  }

  /** Keeps the line that repeats a request. */
  note({ curl }: Observation): void {
    this.#curls.push(curl);
  }

  /** What is written when a step says so: the title carries the run's tag. */
  fieldsOf({ title, ...writing }: Writing): Writing {
    return { ...writing, ...(title !== undefined && { title: `${this.own.tag} ${title}` }) };
  }

  /** What a step that contradicts the model throws. */
  contradiction(message: string, expected: string, observed: string): Ended {
    const found = failure(`${message}, after these steps: ${this.#story.join('; ')}`, {
      expected,
      observed,
      reproduce: [...this.#curls],
    });
    return new Ended({ ...found, replay: { steps: [...this.#steps] } });
  }

  /** A step that has to be accepted. @throws Ended when it is not */
  require(what: string, answer: Observation): void {
    this.note(answer);
    const finding = notAccepted(what, answer);
    if (finding?.kind === 'failure') throw this.contradiction(finding.message, 'accepted', describe(answer));
    if (finding !== undefined) throw new Ended(finding);
  }

  /** A step that may be refused: whether it was accepted. @throws Ended when that cannot be told */
  isDone(answer: Observation): boolean {
    this.note(answer);
    const untold = untoldBy('the step', answer);
    if (untold?.kind === 'failure') throw this.contradiction(untold.message, 'an answer', describe(answer));
    if (untold !== undefined) throw new Ended(untold);
    return answer.answer === 'accepted';
  }
}
