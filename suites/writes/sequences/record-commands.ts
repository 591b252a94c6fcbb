import { describe } from '../../../engine/probe.ts';
import { show } from '../../../engine/show.ts';
import type { Command, Creation, RecordStep, Writing } from '../../../generators/command-sequences.ts';
import { whyNot } from '../../records/own/not-created.ts';
import { runBatch } from './batch-command.ts';
import type { Member, RecordModel } from './record-model.ts';
import type { SequenceSite } from './sequence-site.ts';

/** A command on own records, beside the model of them. */
export type RecordCommand = Command<RecordModel, SequenceSite>;

/**
 * The command that carries out a step, in the model as on the site.
 * @param isSearching whether the site is to be compared with the model after this command too, to learn which one breaks it
 */
export function recordCommand(step: RecordStep, isSearching: () => boolean): RecordCommand {
  return {
    check: (model) => model.fits(step),
    async run(model, site) {
      if (step.kind !== 'batch') site.begin(model.named(step));
      await perform(step, model, site);
      if (isSearching() && step.kind !== 'list') await site.compare(model);
    },
    toString: () => step.kind,
  };
}

/** Creates a record, as every sequence begins. @throws Ended when the site does not */
export async function create(
  { writing, as }: Pick<Creation, 'writing' | 'as'>,
  model: RecordModel,
  site: SequenceSite,
): Promise<void> {
  const fields = site.fieldsOf(writing);
  site.tell(`create ${model.nextName} with ${show(fields)}`);
  const made = await site.own.create(site.type, { ...fields });
  site.require('creating a record', 'id' in made ? made.created : made.refused);
  if (!('id' in made)) throw whyNot(made, 'a creation does not show the id of the record');
  model.add(made, fields, as);
}

async function perform(step: RecordStep, model: RecordModel, site: SequenceSite): Promise<void> {
  if (step.kind === 'create') return create(step, model, site);
  if (step.kind === 'list') return site.compare(model);
  if (step.kind === 'batch') return runBatch(step.steps, model, site);
  const member = model.choose(step);
  if (member === undefined) return;
  if (step.kind === 'update') return update(member, step.writing, model, site);
  return OTHERS[step.kind](member, model, site);
}

async function update(
  member: Member,
  writing: Writing,
  model: RecordModel,
  site: SequenceSite,
): Promise<void> {
  const fields = site.fieldsOf(writing);
  site.tell(`update ${member.name} with ${show(fields)}`);
  const answer = await site.own.update(member.record, { ...fields });
  // Which status may follow which other one is unspecified: a refused change leaves the record as it was.
  if (fields.status === undefined || fields.status === member.status)
    site.require('updating an own record', answer);
  else if (!site.isDone(answer)) return;
  model.change(member, fields);
}

type OnMember = (member: Member, model: RecordModel, site: SequenceSite) => Promise<void>;

/** What is not accepted is allowed for the trash and the way back (R21): then the record stays as it was. */
const OTHERS: Readonly<Record<'trash' | 'restore' | 'delete' | 'read', OnMember>> = {
  async trash(member, model, site) {
    site.tell(`delete ${member.name} without force`);
    if (site.isDone(await site.own.remove(member.record))) model.change(member, { status: 'trash' });
  },
  async restore(member, model, site) {
    site.tell(`give ${member.name} the status draft`);
    const answer = await site.own.update(member.record, { status: 'draft' });
    if (site.isDone(answer)) model.change(member, { status: 'draft' });
  },
  async delete(member, model, site) {
    site.tell(`delete ${member.name} with force`);
    site.require('deleting an own record with force', await site.own.remove(member.record, true));
    model.change(member, { status: 'gone' });
  },
  async read(member, _model, site) {
    site.tell(`read ${member.name}`);
    const answer = await site.own.read(member.record);
    if (!site.isDone(answer)) return;
    throw site.contradiction(`${member.name} is gone, and can be read`, 'refused', describe(answer));
  },
};
