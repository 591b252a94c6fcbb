import { describe, expect, it } from 'vitest';
import { reading, turningArgs, without } from '../../../sites/alterations/handling.ts';
import type { JsonObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import type { Alter } from '../../../sites/reference/site.ts';
import { idsOf, recordRun } from '../records.fixture.ts';

/** A site that reads the forms of an operation differently. */
function readingForms(id: string, turn: (given: JsonObject, form: JsonObject) => JsonObject): Alter {
  return reading(id, (given, read, { request: { form } }) =>
    read(Object.keys(form).length > 0 ? turn(given, form) : given),
  );
}

function onlyBeside(given: JsonObject, form: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(form, name)));
}

describe('forms', () => {
  it.each(['posts.create', 'media.update'])(
    'that %s does not read are reported once, and what came of them is removed',
    async (operation) => {
      const behaviour = readingForms(operation, onlyBeside);
      const run = await recordRun({ behaviour, only: [`${operation}/**`] });

      expect(idsOf(run, 'fail', 'warn', 'error')).toEqual([`${operation}/form`]);
      expect(run.difference).toEqual([]);
      expect(run.cleaned).toMatchObject({ left: [], doubts: [] });
    },
  );

  it('of autosaves with a value that is also refused in JSON are inconclusive', async () => {
    const behaviour = reading('page-autosaves.create', (given, read) => {
      if (Object.hasOwn(given, 'parent')) throw new Refusal('no_such_parent', 'No.', 400);
      return read(given);
    });
    const run = await recordRun({ behaviour, only: ['page-autosaves.create/parent/form'] });

    expect(idsOf(run, 'fail', 'warn', 'error')).toEqual([]);
    expect(run.results.get('page-autosaves.create/parent/form')?.message).toContain('refused in JSON too');
  });

  it.each(['posts.create', 'posts.update'])(
    'of %s that read the text false as true are reported',
    async (operation) => {
      const behaviour = readingForms(operation, (given) =>
        given.sticky === 'false' ? { ...without(given, 'password'), sticky: '1' } : given,
      );
      const run = await recordRun({ behaviour, only: [`${operation}/sticky/**`] });

      expect(idsOf(run, 'fail', 'warn', 'error')).toEqual([`${operation}/sticky/form`]);
    },
  );

  it('are not reported for a field that JSON does not store either', async () => {
    const behaviour = turningArgs('posts.create', (args) => without(args, 'format'));
    const run = await recordRun({ behaviour, only: ['posts.create/format/**'] });

    expect(idsOf(run, 'fail')).toEqual(['posts.create/format/stored']);
    expect(run.results.get('posts.create/format/form')).toMatchObject({
      verdict: 'skip',
      message: 'blocked by posts.create/format/stored',
    });
  });

  it('that show a value which JSON does not store either are reported, if no check of JSON sends it', async () => {
    const behaviour = reading('posts.update', (given, read) => {
      const { date_gmt: date } = given;
      return read(/T[0-9:]+$/.test(String(date)) ? { ...given, date_gmt: `${date}+01:00` } : given);
    });
    const run = await recordRun({ behaviour, only: ['posts.update/date_gmt/**'] });

    expect(idsOf(run, 'fail', 'warn', 'error')).toEqual(['posts.update/date_gmt/form']);
  });

  it('with fields that do not go together fail no check of one of them', async () => {
    const behaviour = reading(['posts.create', 'posts.update'], (given, read, { request: { form } }) => {
      if (form.format !== undefined && form.sticky !== undefined)
        throw new Refusal('not_together', 'No.', 400);
      return read(given);
    });
    const run = await recordRun({ behaviour, only: ['posts.*/form', 'posts.*/*/form'] });

    expect(idsOf(run, 'pass')).toEqual([...run.results.keys()].sort());
    expect(run.difference).toEqual([]);
  });
});
