import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../sites/reference/arguments.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import type { Handler } from '../../../sites/reference/site.ts';
import { createMedia } from '../../../sites/reference/write-record.ts';
import { idsWith, writingRun } from '../writing.fixture.ts';

const MEDIA = ['media/**'];

const refuse: Handler = () => {
  throw new Refusal('rest_no', 'No.', 400);
};

/** Stores every file with another type. */
const storeAsText: Handler = async (call) => {
  const created = await createMedia(call);
  const newest = call.site.store.ofKind('media').at(-1);
  if (newest?.file !== undefined) newest.file = { ...newest.file, type: 'text/plain' };
  return created;
};

const WITHOUT = ['src', 'modifier', 'type', 'args', 'second'].map((word) => `media/edit-without/${word}`);

/** As WordPress before 7.1, whose filters of uploads are texts. */
const takeTexts: typeof readArguments = (parameters, given) => {
  if (Array.isArray(given.media_type)) throw new Refusal('rest_invalid_param', 'media_type', 400);
  return readArguments(parameters, given);
};

describe('the checks of media', () => {
  it('pass on a site that takes a text in place of a list of types', async () => {
    const results = await writingRun(MEDIA, { readArguments: takeTexts });

    expect(idsWith(results, 'pass')).toHaveLength(results.size);
  });

  it('only warn where a site takes files in a form alone', async () => {
    const inForms: Handler = (call) => {
      if (call.request.files.file === undefined) throw new Refusal('no_form', 'A form is due.', 415);
      return createMedia(call);
    };
    const handlers = { 'media.create': inForms };
    const results = await writingRun([...MEDIA, 'media.create/record'], { handlers });

    expect(idsWith(results, 'warn')).toEqual(['media/upload/raw']);
    expect(idsWith(results, 'pass')).toHaveLength(results.size - 1);
  });

  it('fail on a site that stores pictures as text', async () => {
    const results = await writingRun(MEDIA, { handlers: { 'media.create': storeAsText } });

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual(['media/upload/raw', 'media/upload/multipart']);
  });

  it('are inconclusive about edits if a valid one is refused', async () => {
    const results = await writingRun(MEDIA, { handlers: { 'media.edit': refuse } });

    expect(idsWith(results, 'inconclusive')).toEqual(['media/flip', ...WITHOUT]);
    // The cause is in the site's own words.
    expect(results.get('media/flip')?.message).toMatch(/\(refused \(status 400\): "No\."\)$/);
  });
});
