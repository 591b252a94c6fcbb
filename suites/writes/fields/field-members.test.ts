import { describe, expect, it } from 'vitest';
import { reading, sending, showing, turningArgs, without } from '../../../sites/alterations/handling.ts';
import { isObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { idsOf, recordRun } from '../records.fixture.ts';

describe('a read-only member', () => {
  it('may cause a refusal of the creation', async () => {
    const behaviour = reading('posts.create', (given, read) => {
      if (isObject(given.content) && given.content.rendered !== undefined) {
        throw new Refusal('rest_invalid_param', 'No.', 400);
      }
      return read(given);
    });
    const run = await recordRun({ behaviour, only: ['posts.create/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn', 'inconclusive')).toEqual([]);
  });

  it('of protection shows nothing on a site that gives every record a password', async () => {
    const behaviour = turningArgs('posts.create', (args) => ({ password: 'by the house', ...args }));
    const run = await recordRun({ behaviour, only: ['posts.create/*.protected/read-only'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([]);
    expect(idsOf(run, 'inconclusive')).toEqual([
      'posts.create/content.protected/read-only',
      'posts.create/excerpt.protected/read-only',
    ]);
  });
});

it('says of a write that the site redirects where that leads', async () => {
  const behaviour = sending((shown, { method, route }) => {
    const isUpload = method === 'POST' && route.endsWith('/media');
    return isUpload ? { status: 301, headers: { location: 'https://b.example/' }, body: '' } : shown;
  });
  const { results } = await recordRun({ behaviour, only: ['media.create/record'] });

  expect(results.get('media.create/record')?.message).toMatch(/ is redirected: "https:\/\/b\.example\/"$/);
});

describe('a key of meta', () => {
  it('is inconclusive about its default if it is not shown', async () => {
    const behaviour = showing('posts.read', (record) =>
      isObject(record.meta) && record.meta.footnotes === '' ? without(record, 'meta/footnotes') : record,
    );
    const run = await recordRun({ behaviour, only: ['posts.create/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([]);
    expect(idsOf(run, 'inconclusive')).toEqual(['posts.create/meta/footnotes/default']);
  });
});
