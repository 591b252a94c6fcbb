import { show } from '../../../engine/show.ts';
import type { BatchStep, Writing } from '../../../generators/command-sequences.ts';
import type { BatchPart } from '../../records/own/batch-part.ts';
import { whyNot } from '../../records/own/not-created.ts';
import { BatchTrial } from '../batch/batch-trial.ts';
import type { RecordModel } from './record-model.ts';
import type { SequenceSite } from './sequence-site.ts';

/**
 * Sends some steps as one batch: the model goes on as if they had been sent one after the other.
 * @throws Ended when what the batch was to create is not there
 */
export async function runBatch(
  steps: readonly BatchStep[],
  model: RecordModel,
  site: SequenceSite,
): Promise<void> {
  const trial = new BatchTrial(site.session, site.own, site.type);
  const parts: BatchPart[] = [];
  const story: string[] = [];
  const created: (readonly [name: string, fields: Writing, key: number | undefined])[] = [];
  const kept: BatchStep[] = [];
  for (const [at, given] of steps.entries()) {
    const step = model.named(given, created.length);
    if (step.kind === 'create') {
      const name = `made${String.fromCharCode('a'.charCodeAt(0) + at)}`;
      const { title, ...others } = step.writing;
      const fields = { ...others, title: `${trial.group.slug(name)} ${title}` };
      parts.push(trial.group.draft(name, fields));
      created.push([name, fields, step.as]);
      kept.push(step);
      story.push(`create one with ${show(fields)}`);
      continue;
    }
    const chosen = model.choose(step);
    if (chosen === undefined) continue;
    kept.push(step);
    const path = trial.path(chosen.record);
    if (step.kind === 'update') {
      const { status, ...texts } = step.writing;
      // Which status may follow which other one is unspecified, and a part that is refused would not tell.
      const body = site.fieldsOf(status === chosen.status ? step.writing : texts);
      parts.push({ method: 'PATCH', path, body: { ...body } });
      model.change(chosen, body);
      story.push(`update ${chosen.name} with ${show(body)}`);
    } else {
      parts.push({ method: 'DELETE', path, body: { force: true } });
      model.change(chosen, { status: 'gone' });
      story.push(`delete ${chosen.name} with force`);
    }
  }
  if (parts.length === 0) return;
  site.begin({ kind: 'batch', steps: kept });
  site.tell(`in one batch: ${story.join(', ')}`);
  const { answer, found } = await trial.run('a batch of own records', parts);
  site.require('a batch of own records', answer);
  for (const [name, fields, key] of created) {
    const record = found.has(name) ? trial.group.recordOf(name) : undefined;
    if (record === undefined) {
      // What this user may not create at all, such as what is published, tells nothing of batches.
      const alone = await site.own.create(site.type, { ...fields });
      if ('refused' in alone) throw whyNot(alone, 'the same creation is not accepted without a batch');
      throw site.contradiction('a batch does not create what it says', 'a record', 'none');
    }
    model.add(record, fields, key);
  }
}
