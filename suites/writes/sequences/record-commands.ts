import type { Observation } from '../../../client/observation.ts';
import { describe, show } from '../../../engine/findings.ts';
import type {
  BatchStep,
  Command,
  Creation,
  RecordStep,
  Writing,
} from '../../../generators/command-sequences.ts';
import { type BatchPart, permanentDeletion } from '../../../probing/records/own/batch-part.ts';
import { recordOrAbort } from '../../../probing/records/own/outcome.ts';
import { BatchTrial, letterOf } from '../batch/batch-trial.ts';
import type { Member, RecordModel, SequenceSite } from './sequence-site.ts';

/** The command that runs a step in the model and on the site. @param isSearching compares after this one too */
export function recordCommand(
  step: RecordStep,
  isSearching: () => boolean,
): Command<RecordModel, SequenceSite> {
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

/** Creates a record, the start of every sequence. @throws Aborted if the site does not create it */
export async function create(
  { writing, as }: Pick<Creation, 'writing' | 'as'>,
  model: RecordModel,
  site: SequenceSite,
): Promise<void> {
  const fields = site.fieldsOf(writing);
  site.noteStep(`create ${model.nextName} with ${show(fields)}`);
  const made = await site.create(fields);
  if (isNotAllowed(fields, made.created)) return;
  site.require('creating a record', made.created);
  model.add(recordOrAbort(made, 'a creation does not show the id of the record'), fields, as);
}

/** Whether this user may not create records with a status: then there is none. */
function isNotAllowed({ status }: Writing, { answer }: Observation): boolean {
  return status !== undefined && answer === 'denied';
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

async function update(member: Member, writing: Writing, model: RecordModel, site: SequenceSite) {
  const fields = site.fieldsOf(writing);
  site.noteStep(`update ${member.name} with ${show(fields)}`);
  const answer = await site.update(member.record, fields);
  // Which status may follow another is unspecified: a refused change leaves the record unchanged.
  if (fields.status === undefined || fields.status === member.status)
    site.require('updating an own record', answer);
  else if (!site.isDone(answer)) return;
  model.change(member, fields);
}

type OnMember = (member: Member, model: RecordModel, site: SequenceSite) => Promise<void>;

/** Trashing and restoring may be refused (R21); the record is then unchanged. */
const OTHERS: Readonly<Record<'trash' | 'restore' | 'delete' | 'read', OnMember>> = {
  async trash(member, model, site) {
    site.noteStep(`delete ${member.name} without force`);
    if (site.isDone(await site.remove(member.record))) model.change(member, { status: 'trash' });
  },
  async restore(member, model, site) {
    site.noteStep(`give ${member.name} the status draft`);
    const answer = await site.update(member.record, { status: 'draft' });
    if (site.isDone(answer)) model.change(member, { status: 'draft' });
  },
  async delete(member, model, site) {
    site.noteStep(`delete ${member.name} with force`);
    site.require('deleting an own record with force', await site.remove(member.record, true));
    model.change(member, { status: 'gone' });
  },
  async read(member, _model, site) {
    site.noteStep(`read ${member.name}`);
    const answer = await site.own.read(member.record);
    if (!site.isDone(answer)) return;
    throw site.contradiction(`${member.name} is gone, and can be read`, 'refused', describe(answer));
  },
};

/** Sends steps as one batch; the model applies them in order. @throws Aborted if a record is missing */
async function runBatch(steps: readonly BatchStep[], model: RecordModel, site: SequenceSite): Promise<void> {
  const trial = new BatchTrial(site.own, site.type);
  const parts: BatchPart[] = [];
  const story: string[] = [];
  const created = new Map<BatchPart, readonly [name: string, fields: Writing, key: number | undefined]>();
  const kept: BatchStep[] = [];
  for (const [at, given] of steps.entries()) {
    const step = model.named(given, created.size);
    if (step.kind === 'create') {
      const name = `made${letterOf(at)}`;
      const { title, ...others } = step.writing;
      const fields = { ...others, title: `${trial.slug(name)} ${title}` };
      const part = trial.draft(name, fields);
      parts.push(part);
      created.set(part, [name, fields, step.as]);
      kept.push(step);
      story.push(`create one with ${show(fields)}`);
      continue;
    }
    const chosen = model.choose(step);
    if (chosen === undefined) continue;
    kept.push(step);
    const path = trial.path(chosen.record);
    if (step.kind === 'update') {
      const body = site.fieldsOf(withoutOtherStatus(step.writing, chosen.status));
      parts.push({ method: 'PATCH', path, body: { ...body } });
      model.change(chosen, body);
      story.push(`update ${chosen.name} with ${show(body)}`);
    } else {
      parts.push(permanentDeletion(path));
      model.change(chosen, { status: 'gone' });
      story.push(`delete ${chosen.name} with force`);
    }
  }
  if (parts.length === 0) return;
  site.begin({ kind: 'batch', steps: kept });
  site.noteStep(`in one batch: ${story.join(', ')}`);
  const names = new Map([...created].map(([part, [name]]) => [part, name]));
  const made = await site.sendBatch(trial, parts, names);
  for (const [name, fields, key] of created.values()) {
    const record = made.get(name);
    if (record === undefined) await requireNotAllowed(fields, site);
    else model.add(record, fields, key);
  }
}

/** Which status may follow another is unspecified, and a batch would not show whether its part was refused. */
function withoutOtherStatus(writing: Writing, current: string): Writing {
  const { status, ...texts } = writing;
  return status === current ? writing : texts;
}

/** Proves that a creation which a batch did not make is not made alone either. @throws Aborted if it is */
async function requireNotAllowed(fields: Writing, site: SequenceSite): Promise<void> {
  const alone = await site.own.create(site.type, { ...fields });
  if (isNotAllowed(fields, alone.created)) return;
  recordOrAbort(alone, 'the same creation is not accepted without a batch');
  throw site.contradiction('a batch does not create what it says', 'a record', 'none');
}
