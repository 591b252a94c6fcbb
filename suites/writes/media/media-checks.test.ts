import { describe, expect, it } from 'vitest';
import { together } from '../../../sites/alterations/alteration.ts';
import { handling, reading } from '../../../sites/alterations/handling.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import type { Alter } from '../../../sites/reference/site.ts';
import { idsWith, writingRun } from '../records.fixture.ts';

const MEDIA = ['media/**'];

/** Stores every picture with another type. */
const storeAs = (type: string): Alter =>
  handling('media.create', async (call, next) => {
    const created = await next(call);
    const newest = call.site.store.ofKind('media').at(-1);
    if (newest?.file?.type.startsWith('image/')) newest.file = { ...newest.file, type };
    return created;
  });

const WITHOUT = ['src', 'modifier', 'type', 'args', 'second'].map((word) => `media/edit-without/${word}`);

/** As WordPress before 7.1, whose filters of uploads are texts. */
const takeTexts = reading('media.list', (given, read) => {
  if (Array.isArray(given.media_type)) throw new Refusal('rest_invalid_param', 'media_type', 400);
  return read(given);
});

describe('the checks of media', () => {
  it('only warn where a site takes files in a form alone', async () => {
    const inForms = handling('media.create', (call, next) => {
      if (call.request.files.file === undefined) throw new Refusal('no_form', 'A form is due.', 415);
      return next(call);
    });
    const accepted = 'media.create/comment_status/enum/accepted';
    const results = await writingRun([...MEDIA, 'media.create/record', accepted], inForms);

    expect(idsWith(results, 'warn')).toEqual(['media/upload/raw']);
    expect(idsWith(results, 'pass')).toHaveLength(results.size - 1);
  });

  it('pass on a site that converts pictures, and takes a text in place of a list of types', async () => {
    const results = await writingRun(MEDIA, together(storeAs('image/webp'), takeTexts));

    expect(idsWith(results, 'pass')).toHaveLength(results.size);
  });

  it('fail on a site that stores pictures as text', async () => {
    const results = await writingRun(MEDIA, storeAs('text/plain'));

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual(['media/upload/raw', 'media/upload/multipart']);
  });

  it('fail where a text file is listed among pictures, and pass where none is taken', async () => {
    const only = ['media/list/media_type'];
    const guessed = handling('media.create', async (call, next) => {
      const created = await next(call);
      const newest = call.site.store.ofKind('media').at(-1);
      if (newest?.file !== undefined) newest.file = { ...newest.file, type: 'image/png' };
      return created;
    });
    const pictures = handling('media.create', (call, next) => {
      if (call.request.headers['content-type'] === 'text/plain') throw new Refusal('no', 'No.', 415);
      return next(call);
    });

    expect(idsWith(await writingRun(only, guessed), 'fail')).toEqual(only);
    expect(idsWith(await writingRun(only, pictures), 'pass')).toEqual(only);
  });

  it('are inconclusive about edits if a valid one is refused', async () => {
    const refuse = handling('media.edit', () => {
      throw new Refusal('rest_no', 'No.', 400);
    });
    const results = await writingRun(MEDIA, refuse);

    expect(idsWith(results, 'inconclusive')).toEqual(['media/flip', ...WITHOUT]);
    // The cause is in the site's own words.
    expect(results.get('media/flip')?.message).toMatch(/\(refused \(status 400\): "No\."\)$/);
  });
});
