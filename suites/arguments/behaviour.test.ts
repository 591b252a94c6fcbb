import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunMode } from '../../client/mode.ts';
import { matchesAny } from '../../engine/plan.ts';
import type { CheckResult } from '../../engine/result.ts';
import { runOnReference } from '../../prove/kill.ts';
import { readArguments } from '../../sites/reference/arguments.ts';
import { listRecords, readRecord } from '../../sites/reference/read-records.ts';
import { Refusal } from '../../sites/reference/request.ts';
import { serve } from '../../sites/reference/serve.ts';
import { type Asked, answer, type Behaviour, type Handler } from '../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../all-checks.ts';
import { recorder } from '../recorder.fixture.ts';
import { runInProcess } from '../run-checks.ts';

const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });

async function resultsOf(
  glob: string,
  behaviour: Partial<Behaviour>,
  mode: RunMode = 'read',
): Promise<CheckResult[]> {
  const { results } = await runOnReference({
    deployment: 'b',
    alterations: [{ behaviour: () => behaviour }],
    contract,
    checks: allChecks(contract),
    mode,
    only: [glob],
  });
  return [...results.values()].filter(({ id }) => matchesAny(id, [glob]));
}

const idsWith = (results: CheckResult[], ...verdicts: string[]): string[] =>
  results.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);

/** Ignores invalid and missing arguments instead of refusing them. */
const lenient: typeof readArguments = (parameters, given) => {
  const left = { ...given };
  for (;;) {
    try {
      return readArguments({ ...parameters, required: [] }, left);
    } catch (error) {
      const wrong = error instanceof Refusal ? error.details.params : undefined;
      if (typeof wrong !== 'object' || wrong === null || Array.isArray(wrong)) throw error;
      for (const name of Object.keys(wrong)) delete left[name];
    }
  }
};

describe('enforcement checks', () => {
  it('only warn if a declared type of a plugin is not enforced (R34)', async () => {
    const some = '{seo.configuration.*,media.edit,batch.run}/**/enforced';
    const results = await resultsOf(some, { readArguments: lenient }, 'full');
    const warned = idsWith(results, 'warn');

    expect(warned.length).toBeGreaterThan(10);
    // R17 makes one requirement of the core doubtful.
    expect(warned.filter((id) => !id.startsWith('seo.'))).toEqual(['media.edit/modifiers/required/enforced']);
    expect(idsWith(results, 'fail').length).toBeGreaterThan(5);
  });
});

describe('acceptance checks', () => {
  it('report dates with an offset once if a site refuses all of them', async () => {
    const [id, spelling] = ['posts.list/after/format/accepted', /[+]\d\d:\d\d$/] as const;
    const refusing: typeof readArguments = (parameters, given) => {
      if (Object.values(given).some((value) => typeof value === 'string' && spelling.test(value)))
        throw new Refusal('rest_invalid_param', 'No.', 400);
      return readArguments(parameters, given);
    };
    const results = await resultsOf('{posts,pages,media}.list/*/*/accepted', { readArguments: refusing });
    expect(idsWith(results, 'fail')).toEqual([id]);
  });

  it('leave a list that fails where it is empty to the check of that', async () => {
    const handlers = {
      ...STANDARD_BEHAVIOUR.handlers,
      'posts.list': async (call: Parameters<Handler>[0]) => {
        const shown = await listRecords(call);
        if (Array.isArray(shown.body) && shown.body.length === 0) throw new Error('nothing to show');
        return shown;
      },
    };
    const some = 'posts.list/{search/filters/none,per_page/filters,*/**/accepted}';
    const results = await resultsOf(some, { handlers });
    expect(idsWith(results, 'fail')).toEqual(['posts.list/search/filters/none']);
  });

  it('ask a list for nothing only by filters that it declares', async () => {
    const lacking = ['slug', 'author', 'categories', 'tags', 'include'];
    const without = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !lacking.includes(name)));
    const handlers = {
      ...STANDARD_BEHAVIOUR.handlers,
      'posts.list': (call: Parameters<Handler>[0]) => listRecords({ ...call, args: without(call.args) }),
    };
    const results = await resultsOf('posts.list/search/filters/none', {
      handlers,
      declare(index) {
        const { endpoints = [] } = index.routes['/cms/v2/posts'] ?? {};
        for (const endpoint of endpoints) endpoint.args = without(endpoint.args);
      },
    });
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass']);
  });

  it('accept a site that refuses an offset that leaves no record', async () => {
    const lists = ['media.list', 'posts.list'].map((id): [string, Handler] => [
      id,
      async (call) => {
        if (Number(call.args.offset) > 0) throw new Refusal('beyond', 'There is only one.', 400);
        const { body, ...rest } = await listRecords(call);
        return { ...rest, body: Array.isArray(body) ? body.slice(0, 1) : body };
      },
    ]);
    const handlers = { ...STANDARD_BEHAVIOUR.handlers, ...Object.fromEntries(lists) };
    const results = await resultsOf('{media,posts}.list/offset/**/accepted', { handlers });

    expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  });

  const closed = (isEditor: boolean): Partial<Behaviour> => ({
    handlers: {
      ...STANDARD_BEHAVIOUR.handlers,
      'posts.list': (call) => {
        if (call.args.context === 'edit' && !isEditor)
          throw new Refusal('rest_forbidden_context', 'No.', 403);
        if (String(call.args.status) !== 'publish') throw new Refusal('rest_invalid_param', 'No.', 400);
        return listRecords(call);
      },
    },
  });

  it('are inconclusive about statuses that a user without edit rights is refused', async () => {
    const statuses = 'posts.list/status/**/accepted';

    expect(idsWith(await resultsOf(statuses, closed(false)), 'fail')).toEqual([]);
    expect(idsWith(await resultsOf(statuses, closed(true)), 'fail')).not.toEqual([]);
  });
});

describe('default checks', () => {
  it('search for a word that records store, not for one that a plugin renders', async () => {
    const handlers: Behaviour['handlers'] = {
      ...STANDARD_BEHAVIOUR.handlers,
      'pages.list': async (call) => {
        const { body, ...rest } = await listRecords(call);
        if (!Array.isArray(body)) return { body, ...rest };
        const [first, ...others] = body;
        if (typeof first !== 'object' || first === null || Array.isArray(first)) return { body, ...rest };
        return { ...rest, body: [{ ...first, content: { rendered: '<form>password</form>' } }, ...others] };
      },
    };
    const [{ verdict, message } = {}] = await resultsOf('pages.list/search_columns/default/applied', {
      handlers,
    });
    expect([verdict, message]).toEqual(['pass', undefined]);
  });

  it('do not apply to empty lists on a site where no query can write them', async () => {
    const refusing: typeof readArguments = (parameters, given) => {
      if (given.author === '') throw new Refusal('no_list', 'No.', 422);
      return readArguments(parameters, given);
    };
    const id = 'posts.list/author/default/applied';
    const [result] = await resultsOf(id, { readArguments: refusing });
    expect(result?.skip).toMatchObject({ kind: 'not-applicable' });
  });

  it('report a default that differs from its declaration, and nothing else', async () => {
    const results = await resultsOf('{posts,pages,media}.list/**/default/applied', {
      readArguments: (parameters, given) =>
        readArguments(parameters, 'sticky' in parameters.properties ? { per_page: 7, ...given } : given),
    });
    expect(idsWith(results, 'fail')).toEqual(['posts.list/per_page/default/applied']);
    expect(results.flatMap(({ observed }) => observed ?? [])).toEqual([
      'a list of 7 without it, a list of 10 with it',
    ]);
  });

  it('leave a member that is refused to its own check', async () => {
    const list = 'seo.bulk-editor-posts.list';
    const refusing = (isRefused: (given: Readonly<Record<string, unknown>>) => boolean) =>
      resultsOf(`${list}/status/**`, {
        readArguments: (parameters, given) => {
          if ('content_type' in parameters.properties && isRefused(given))
            throw new Refusal('no', 'No.', 400);
          return readArguments(parameters, given);
        },
      });
    const results = await refusing(({ status }) => JSON.stringify(status ?? '').includes('draft'));

    expect(idsWith(results, 'fail', 'warn')).toContain(`${list}/status/items/enum/accepted`);
    expect(results.find(({ id }) => id === `${list}/status/default/applied`)?.message).toBe(
      `blocked by ${list}/status/items/enum/accepted`,
    );
  });

  it('only require for a parameter with a silent effect that leaving it out changes nothing', async () => {
    const healthy = STANDARD_BEHAVIOUR.handlers['oembed.proxy'];
    const asking = (handler: typeof healthy) =>
      resultsOf('oembed.proxy/{format,discover}/default/applied', {
        handlers: {
          ...STANDARD_BEHAVIOUR.handlers,
          ...(handler !== undefined && { 'oembed.proxy': handler }),
        },
      });
    const ignoring = await asking(healthy);
    const wilful = await asking((call) =>
      'format' in call.request.query
        ? (healthy?.(call) ?? answer({}))
        : answer({ type: 'link', html: 'another one' }),
    );

    expect(idsWith(ignoring, 'pass')).toHaveLength(2);
    expect(idsWith(wilful, 'fail')).toEqual(['oembed.proxy/format/default/applied']);
  });
});

describe('a record that another user deletes during the run', () => {
  /** The record is gone from its first read with a matching length on. */
  const vanishing = (isMeant: (length: unknown) => boolean = () => true): Partial<Behaviour> => {
    let wasRead = false;
    let isGone = false;
    return {
      handlers: {
        ...STANDARD_BEHAVIOUR.handlers,
        'posts.read': (call) => {
          const { query, account } = call.request;
          const isPlain = !Object.hasOwn(query, 'excerpt_length');
          isGone ||= wasRead && !isPlain && isMeant(query.excerpt_length);
          wasRead ||= isPlain && account !== undefined;
          if (isGone) throw new Refusal('rest_post_invalid_id', 'Gone.', 404);
          return readRecord(call);
        },
      },
    };
  };

  it('is no reason to report the values it was read with', async () => {
    const some = 'posts.read/{excerpt_length/**/accepted,fuzz/accepted}';
    const results = await resultsOf(some, vanishing());

    expect(idsWith(results, 'fail')).toEqual([]);
    expect(idsWith(results, 'inconclusive')).toContain('posts.read/excerpt_length/type/accepted');
  });

  it('does not count as a refusal of its argument', async () => {
    const some = 'posts.read/{context/enum,excerpt_length/type}/enforced';
    const gone = vanishing((length) => Number.isNaN(Number(length)));
    const results = await resultsOf(some, { ...gone, readArguments: lenient });

    expect(idsWith(results, 'pass')).toEqual([]);
  });

  it('does not count as a refusal of a combination', async () => {
    let isGone = false;
    const id = 'post-revisions.list';
    const results = await resultsOf(`${id}/fuzz/refused`, {
      readArguments: (parameters, given, { operation }) => {
        if (operation.id === id && isGone) throw new Refusal('gone', 'Gone.', 404);
        try {
          return readArguments(parameters, given);
        } catch {
          isGone = true;
          throw new Refusal('gone', 'Gone.', 404);
        }
      },
    });

    expect(idsWith(results, 'inconclusive')).toEqual([`${id}/fuzz/refused`]);
  });
});

describe('answers checks', () => {
  it.each([501, 404])(
    'report a list in the index that answers %i, and block its other checks',
    async (status) => {
      const results = await resultsOf('posts.{list,read}/{answers/user,per_page/default/applied}', {
        handlers: {
          ...STANDARD_BEHAVIOUR.handlers,
          'posts.list': () => {
            throw new Refusal('not_there', 'There is nothing here.', status);
          },
        },
      });

      expect(idsWith(results, 'fail')).toEqual(['posts.list/answers/user']);
      expect(results.filter(({ skip }) => skip?.kind === 'blocked').map(({ id }) => id)).toEqual([
        'posts.read/answers/user',
        'posts.list/per_page/default/applied',
      ]);
    },
  );
});

describe('fuzz checks', () => {
  it('find and shrink a combination of valid arguments that a site refuses', async () => {
    const results = await resultsOf('posts.list/fuzz/*', {
      readArguments: (parameters, given) => {
        if ('before' in given && 'after' in given) throw new Refusal('rest_invalid_param', 'No.', 400);
        return readArguments(parameters, given);
      },
    });
    const [accepted] = results.filter(({ id }) => id.endsWith('fuzz/accepted'));
    expect(accepted?.verdict).toBe('fail');
    expect(accepted?.message).toMatch(
      /^\{"(after|before)":"[^"]+","(after|before)":"[^"]+"\} for posts\.list is refused/,
    );
    expect(idsWith(results, 'fail')).toHaveLength(1);
  });
});

describe('checks of operations that alter the site', () => {
  const plugins =
    'seo.{configuration.enable-tracking,setup-steps-tracking,configuration.site-representation}/**';
  const refusing = (isRefused: (request: Asked['request'], id: string) => boolean): Partial<Behaviour> => ({
    readArguments: (parameters, given, { operation, request }) => {
      if (isRefused(request, operation.id)) throw new Refusal('no', 'No.', 415);
      return readArguments(parameters, given);
    },
  });

  it('report one that accepts no form, only in the check of forms', async () => {
    const results = await resultsOf(
      plugins,
      refusing(({ form }, id) => id === 'seo.configuration.enable-tracking' && Object.keys(form).length > 0),
      'full',
    );

    expect(idsWith(results, 'fail')).toEqual(['seo.configuration.enable-tracking/form']);
  });

  it('report a refused member, and not an accepted one', async () => {
    const results = await resultsOf(
      plugins,
      refusing(({ json }, id) => id === 'seo.setup-steps-tracking' && json?.setup_widget_loaded === 'no'),
      'full',
    );

    // It is optional, and which arguments a plugin requires together is silent (R51).
    expect(idsWith(results, 'fail')).toEqual([]);
    expect(idsWith(results, 'warn')).toEqual(['seo.setup-steps-tracking/setup_widget_loaded/enum/accepted']);
  });

  it('report a server error once', async () => {
    const failing = (): never => {
      throw new Error('this operation is broken');
    };
    const handlers = { ...STANDARD_BEHAVIOUR.handlers, 'seo.setup-steps-tracking': failing };
    const results = await resultsOf(plugins, { handlers }, 'full');

    expect(idsWith(results, 'fail')).toEqual(['seo.setup-steps-tracking/answers/user']);
  });
});

describe('checks of children of a record', () => {
  it('take the first record with autosaves, because one is enough for a list without pages or order', async () => {
    const site = await serve({ deployment: 'b' });
    onTestFinished(() => site.close());
    const { url, seen } = await recorder(site.url);
    const id = 'page-autosaves.list/answers/user';
    const checks = allChecks(contract);
    const { results } = await runInProcess({ url, contract, checks, only: [id], mode: 'read', user: site });
    const lists = seen.map(({ route }) => route).filter((route) => route.endsWith('/autosaves'));

    expect(results.get(id)?.verdict).toBe('pass');
    expect(lists.length).toBeGreaterThan(1);
    expect(new Set(lists).size).toBe(lists.length);
    expect(lists.at(-1)).toBe('/cms/v2/pages/45/autosaves');
  });
});
