import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../sites/reference/arguments.ts';
import type { JsonObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import type { Asked } from '../../../sites/reference/site.ts';
import { withArgs, without } from '../mutant-site.fixture.ts';
import { idsOf, recordRun } from '../records.fixture.ts';
import type { Mutant } from '../writing.fixture.ts';

/** A site that reads the forms of some operations differently. */
function readingForms(
  ids: readonly string[],
  turn: (given: JsonObject, form: JsonObject) => JsonObject,
): Mutant {
  return {
    readArguments: (parameters, given, { operation, request }: Asked) =>
      readArguments(
        parameters,
        ids.includes(operation.id) && Object.keys(request.form).length > 0
          ? turn(given, request.form)
          : given,
      ),
  };
}

function onlyBeside(given: JsonObject, form: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(form, name)));
}

describe('forms', () => {
  it.each(['posts.create', 'media.update'])(
    'that %s does not read are reported once, and what came of them is removed',
    async (operation) => {
      const run = await recordRun({
        mutant: readingForms([operation], onlyBeside),
        only: [`${operation}/**`],
      });

      expect(idsOf(run, 'fail', 'warn', 'error')).toEqual([`${operation}/form`]);
      expect(run.difference).toEqual([]);
      expect(run.cleaned).toMatchObject({ left: [], doubts: [] });
    },
  );

  it('of autosaves with a value that is also refused in JSON are inconclusive', async () => {
    const refusing: Mutant = {
      readArguments: (parameters, given, { operation }: Asked) => {
        if (operation.id === 'page-autosaves.create' && Object.hasOwn(given, 'parent'))
          throw new Refusal('no_such_parent', 'No.', 400);
        return readArguments(parameters, given);
      },
    };
    const run = await recordRun({ mutant: refusing, only: ['page-autosaves.create/parent/form'] });

    expect(idsOf(run, 'fail', 'warn', 'error')).toEqual([]);
    expect(run.results.get('page-autosaves.create/parent/form')?.message).toContain('refused in JSON too');
  });

  it.each([
    ['pages.create', 'menu_order'],
    ['post-autosaves.create', 'author'],
  ])('of %s that are refused for %s are reported', async (operation, name) => {
    const refusing = readingForms([operation], (given, form) => {
      if (Object.hasOwn(form, name)) throw new Refusal('not_in_a_form', 'No.', 400);
      return given;
    });
    const run = await recordRun({ mutant: refusing, only: [`${operation}/**`] });

    expect(idsOf(run, 'fail', 'warn', 'error', 'inconclusive')).toEqual([`${operation}/${name}/form`]);
    expect(run.results.get(`${operation}/${name}/form`)?.message).toContain(
      `for ${name} in a form of ${operation} is refused`,
    );
  });

  it('that read the text false as true are reported', async () => {
    const loose = readingForms(['posts.update'], (given) =>
      given.sticky === 'false' ? { ...without(given, 'password'), sticky: '1' } : given,
    );
    const run = await recordRun({ mutant: loose, only: ['posts.update/sticky/**'] });

    expect(idsOf(run, 'fail', 'warn', 'error')).toEqual(['posts.update/sticky/form']);
  });

  it('are not reported for a field that JSON does not store either', async () => {
    const mutant = withArgs(['posts.create'], (args) => without(args, 'format'));
    const run = await recordRun({ mutant, only: ['posts.create/format/**'] });

    expect(idsOf(run, 'fail')).toEqual(['posts.create/format/stored']);
    expect(run.results.get('posts.create/format/form')).toMatchObject({
      verdict: 'skip',
      message: 'blocked by posts.create/format/stored',
    });
  });

  it('that show a value which JSON does not store either are reported, if no check of JSON sends it', async () => {
    const mutant: Mutant = {
      readArguments: (parameters, given, { operation }: Asked) => {
        const { date_gmt: date } = given;
        const isBare = operation.id === 'posts.update' && /T[0-9:]+$/.test(String(date));
        return readArguments(parameters, isBare ? { ...given, date_gmt: `${date}+01:00` } : given);
      },
    };
    const run = await recordRun({ mutant, only: ['posts.update/date_gmt/**'] });

    expect(idsOf(run, 'fail', 'warn', 'error')).toEqual(['posts.update/date_gmt/form']);
  });

  it('with fields that do not go together fail no check of one of them', async () => {
    const picky: Mutant = {
      readArguments: (parameters, given, { request }: Asked) => {
        if (request.form.format !== undefined && request.form.sticky !== undefined) {
          throw new Refusal('not_together', 'No.', 400);
        }
        return readArguments(parameters, given);
      },
    };
    const run = await recordRun({ mutant: picky, only: ['posts.*/form', 'posts.*/*/form'] });

    expect(idsOf(run, 'pass')).toEqual([...run.results.keys()].sort());
    expect(run.difference).toEqual([]);
  });
});
