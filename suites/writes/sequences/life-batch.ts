import type { Session } from '../../../engine/session.ts';
import { show } from '../../../engine/show.ts';
import type { BatchStep } from '../../../generators/life-steps.ts';
import type { BatchPart } from '../../records/own/batch-part.ts';
import type { OwnRecords } from '../../records/own/own-records.ts';
import { BatchTrial } from '../batch/batch-trial.ts';
import type { OwnLife } from './own-life.ts';

/** Where a life takes place. */
export interface Place {
  readonly session: Session;
  readonly own: OwnRecords;
  readonly type: string;
}

/**
 * Sends some steps of a life as one batch: the model goes on as if they had been sent one after the other.
 * @throws Ended when what the batch was to create is not there
 */
export async function batchOfLife(life: OwnLife, place: Place, steps: readonly BatchStep[]): Promise<void> {
  const { session, own, type } = place;
  const { model } = life;
  const trial = new BatchTrial(session, own, type);
  const parts: BatchPart[] = [];
  const story: string[] = [];
  const created: (readonly [name: string, fields: ReturnType<OwnLife['fieldsOf']>])[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'create') {
      const name = `life${String.fromCharCode('a'.charCodeAt(0) + at)}`;
      const { title, ...others } = step.writing;
      const fields = { ...others, title: `${trial.group.slug(name)} ${title}` };
      parts.push(trial.group.draft(name, fields));
      created.push([name, fields]);
      story.push(`create one with ${show(fields)}`);
      continue;
    }
    const chosen = model.choose(step.kind, step.pick);
    if (chosen === undefined) continue;
    const path = trial.path(chosen.record);
    if (step.kind === 'update') {
      const body = life.fieldsOf(step.writing);
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
  life.tell(`in one batch: ${story.join(', ')}`);
  const { answer, found } = await trial.run('a batch of own records', parts);
  life.require('a batch of own records', answer);
  for (const [name, fields] of created) {
    const record = found.has(name) ? trial.group.recordOf(name) : undefined;
    if (record === undefined) {
      throw life.contradiction('a batch does not create what it says', 'a record', 'none');
    }
    model.add(record, fields);
  }
}
