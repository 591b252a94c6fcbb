import { member } from '../../../client/json.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { describe } from '../../../engine/probe.ts';
import type { Contract } from '../../../specs/model.ts';
import type { BatchPart } from '../../records/own/batch-part.ts';
import { rawOf } from '../../records/own/raw-of.ts';
import { ownPicture } from '../media/own-picture.ts';
import { batchCheck } from './batch-check.ts';
import { type BatchTrial, batchFailure } from './batch-trial.ts';

const TEXT = 'written in a batch';

/**
 * The check that requests to endpoints without the batch mark are refused in their part (§4.2, R37): an update of an own
 * picture, and an autosave of an own post. Both would do no harm, and would show.
 */
export function batchUnmarkedCheck(contract: Contract): Check {
  const unmarked = ['media.update', 'post-autosaves.create'];
  return batchCheck({
    word: 'unmarked',
    title: 'a request to an endpoint without the batch mark is refused in its part',
    basis: 'stated',
    dependsOn: [
      'batch/normal',
      ...unmarked
        .filter((id) => contract.operations.some((operation) => operation.id === id))
        .map((id) => `${id}/batch-mark`),
    ],
    run: judge,
  });
}

async function judge(trial: BatchTrial): Promise<Finding[]> {
  const { session, own, group } = trial;
  const picture = session.operation('media.update') && (await ownPicture(session, own));
  const post =
    session.operation('post-autosaves.create') && (await trial.alone('published', { status: 'publish' }));
  const parts: BatchPart[] = [];
  if (picture !== undefined && 'id' in picture) {
    parts.push({ method: 'POST', path: `${own.route('media')}/${picture.id}`, body: { alt_text: TEXT } });
  }
  if (post !== undefined) {
    const path = `${trial.path(post)}/autosaves`;
    parts.push({ method: 'POST', path, body: { title: `${group.slug('published')} saved`, content: TEXT } });
  }
  if (parts.length === 0) {
    return [{ kind: 'inconclusive', message: 'there is no own record to try an unmarked endpoint on' }];
  }
  const outcome = await trial.run(
    'a batch with an unmarked endpoint',
    [...parts, group.draft('marked')],
    'normal',
  );
  const findings: Finding[] = [];
  if (picture !== undefined && 'id' in picture) {
    const read = await own.read(picture);
    if (read.answer !== 'accepted') {
      return [{ kind: 'inconclusive', message: `the own picture cannot be read (${describe(read)})` }];
    }
    if (member(read.json, 'alt_text') === TEXT) {
      const message = 'a batch changes a media item, which has no batch mark';
      findings.push(batchFailure(message, 'the alt_text as it was', `the alt_text ${TEXT}`, outcome));
    }
  }
  if (post !== undefined) {
    const saved = await autosaved(trial, `${trial.path(post)}/autosaves`);
    const changed = rawOf(outcome.found.get('published'), 'content') === TEXT;
    if (saved || changed) {
      const message = 'a batch makes an autosave, which has no batch mark';
      findings.push(batchFailure(message, 'no autosave', 'an autosave with the content', outcome));
    }
  }
  if (!outcome.found.has('marked')) {
    const message =
      'a request to an endpoint without the batch mark keeps another of its batch from being done';
    findings.push(batchFailure(message, 'a draft', 'no draft', outcome));
  }
  return findings;
}

async function autosaved(trial: BatchTrial, route: string): Promise<boolean> {
  const query = [['context', 'edit']] as const;
  const list = await trial.session.client.request({ method: 'GET', route, query, as: 'user' });
  return Array.isArray(list.json) && list.json.some((one: unknown) => rawOf(one, 'content') === TEXT);
}
