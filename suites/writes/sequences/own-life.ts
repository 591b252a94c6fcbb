import type { Observation } from '../../../client/observation.ts';
import { Ended } from '../../../engine/ended.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { show } from '../../../engine/show.ts';
import type { LifeStep, Writing } from '../../../generators/life-steps.ts';
import { notAccepted, untoldBy } from '../../records/own/judge-write.ts';
import { whyNot } from '../../records/own/not-created.ts';
import type { OwnRecords } from '../../records/own/own-records.ts';
import { compareLife } from './compare-life.ts';
import { batchOfLife } from './life-batch.ts';
import { LifeModel, type Member } from './life-model.ts';

/**
 * The life of own records on the site, beside the model of it. Whatever contradicts the model is thrown as `Ended`, with
 * the steps so far.
 */
export class OwnLife {
  readonly model: LifeModel = new LifeModel();
  readonly #performed: LifeStep[] = [];
  readonly #session: Session;
  readonly #own: OwnRecords;
  readonly #type: string;
  readonly #story: string[] = [];
  readonly #curls: string[] = [];

  constructor(session: Session, own: OwnRecords, type: string) {
    this.#session = session;
    this.#own = own;
    this.#type = type;
  }

  /** The steps so far, after the beginning. */
  get performed(): readonly LifeStep[] {
    return this.#performed;
  }

  /** Every life begins with a record. */
  begin(): Promise<void> {
    return this.#create({ title: 'first' });
  }

  /** Whether there is a record for a step. */
  fits(step: LifeStep): boolean {
    return !('pick' in step) || this.model.choose(step.kind, step.pick) !== undefined;
  }

  /** Carries out a step, in the model as on the site. @throws Ended when the site contradicts the model */
  async perform(step: LifeStep): Promise<void> {
    this.#performed.push(step);
    if (!('pick' in step)) {
      if (step.kind === 'create') return this.#create(step.writing);
      if (step.kind === 'list') return this.compare();
      return batchOfLife(this, { session: this.#session, own: this.#own, type: this.#type }, step.steps);
    }
    const member = this.model.choose(step.kind, step.pick);
    if (member === undefined) return;
    if (step.kind === 'update') return this.#update(member, step.writing);
    return this.#others[step.kind](member);
  }

  /** Compares what the site holds with the model. */
  async compare(): Promise<void> {
    this.tell('list them');
    const { answers, difference } = await compareLife(this.#session, this.#type, this.model);
    for (const answer of answers) this.note(answer);
    if (difference !== undefined)
      throw this.contradiction(difference.message, difference.expected, difference.observed);
  }

  /** Adds a step to the story that a report tells. */
  tell(step: string): void {
    this.#story.push(step);
  }

  /** Keeps the line that repeats a request. */
  note({ curl }: Observation): void {
    this.#curls.push(curl);
  }

  /** What is written when a step says so: the title carries the run's tag. */
  fieldsOf({ title, ...writing }: Writing): Writing {
    return { ...writing, ...(title !== undefined && { title: `${this.#own.tag} ${title}` }) };
  }

  /** What a step that contradicts the model throws. */
  contradiction(message: string, expected: string, observed: string): Ended {
    return new Ended({
      kind: 'failure',
      message: `${message}, after these steps: ${this.#story.join('; ')}`,
      expected,
      observed,
      reproduce: [...this.#curls],
    });
  }

  /** A step that has to be accepted. @throws Ended when it is not */
  require(what: string, answer: Observation): void {
    this.note(answer);
    const finding = notAccepted(what, answer);
    if (finding?.kind === 'failure') throw this.contradiction(finding.message, 'accepted', describe(answer));
    if (finding !== undefined) throw new Ended(finding);
  }

  async #create(writing: Writing): Promise<void> {
    const fields = this.fieldsOf(writing);
    this.tell(`create ${this.model.nextName} with ${show(fields)}`);
    const made = await this.#own.create(this.#type, { ...fields });
    this.require('creating a record', 'id' in made ? made.created : made.refused);
    if (!('id' in made)) throw whyNot(made, 'a creation does not tell the id of the record');
    this.model.add(made, fields);
  }

  async #update(member: Member, writing: Writing): Promise<void> {
    const fields = this.fieldsOf(writing);
    this.tell(`update ${member.name} with ${show(fields)}`);
    this.require('updating an own record', await this.#own.update(member.record, { ...fields }));
    this.model.change(member, fields);
  }

  /** What is not accepted is allowed for the trash and the way back (R21): then the record stays as it was. */
  readonly #others: Readonly<
    Record<'trash' | 'restore' | 'delete' | 'read', (member: Member) => Promise<void>>
  > = {
    trash: async (member) => {
      this.tell(`delete ${member.name} without force`);
      if (this.#isDone(await this.#own.remove(member.record, false)))
        this.model.change(member, { status: 'trash' });
    },
    restore: async (member) => {
      this.tell(`give ${member.name} the status draft`);
      const answer = await this.#own.update(member.record, { status: 'draft' });
      if (this.#isDone(answer)) this.model.change(member, { status: 'draft' });
    },
    delete: async (member) => {
      this.tell(`delete ${member.name} with force`);
      this.require('deleting an own record with force', await this.#own.remove(member.record, true));
      this.model.change(member, { status: 'gone' });
    },
    read: async (member) => {
      this.tell(`read ${member.name}`);
      const answer = await this.#own.read(member.record);
      if (!this.#isDone(answer)) return;
      throw this.contradiction(`${member.name} is gone, and can be read`, 'refused', describe(answer));
    },
  };

  #isDone(answer: Observation): boolean {
    this.note(answer);
    const untold = untoldBy('the step', answer);
    if (untold?.kind === 'failure') throw this.contradiction(untold.message, 'an answer', describe(answer));
    if (untold !== undefined) throw new Ended(untold);
    return answer.answer === 'accepted';
  }
}
