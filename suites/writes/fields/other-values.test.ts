import { describe, expect, it, onTestFinished } from 'vitest';
import { asObject, isObject } from '../../../client/json.ts';
import { bareSite } from '../../../probing/records/fixtures/bare-site.fixture.ts';
import { together } from '../../../sites/alterations/alteration.ts';
import { SILENT_TOGETHER, variantsOf } from '../../../sites/alterations/catalogue.ts';
import { endpointsIn } from '../../../sites/alterations/declarations.ts';
import { declaring } from '../../../sites/alterations/handling.ts';
import { withJson } from '../../../sites/proxied-site.fixture.ts';
import { jsonOf, type ProxyAnswer, startProxy } from '../../../sites/proxy.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import type { Alter } from '../../../sites/reference/site.ts';
import { idsOf, recordRun, writing } from '../records.fixture.ts';

describe('a value from other records', () => {
  it.each([
    ['template', 'wide', 400],
    ['author', 2, 403],
  ])('is inconclusive about %s if own records do not accept it', async (name, gone, status) => {
    const behaviour = writing(name, (write, _, value) => {
      if (value === gone) throw new Refusal('gone', 'No.', status);
      write();
    });
    const only = ['pages.{create,update}/{author,template,menu_order}/**'];
    const run = await recordRun({ behaviour, only });

    expect(idsOf(run, 'fail', 'warn', 'error')).toEqual([]);
    expect(idsOf(run, 'inconclusive')).toEqual([
      `pages.create/${name}/stored`,
      ...['PATCH', 'POST', 'PUT'].map((method) => `pages.update/${name}/stored/${method}`),
      // Records always have an author, so only templates can be unset.
      ...(name === 'template' ? ['pages.update/template/unset'] : []),
    ]);
    // Without it, the writes of all fields together are still accepted.
    expect(run.requests).toBeLessThan(84);
    expect(run.difference).toEqual([]);
  });
});

it('is another value where a site drops an author that is gone', async () => {
  const alterations = [
    variantsOf('core').find(({ id }) => id === 'gone-authors'),
    SILENT_TOGETHER['id-of-nothing'],
  ].filter((one) => one !== undefined);
  const behaviour = together(...alterations.map((one) => one.behaviour));
  const run = await recordRun({ behaviour, only: ['{pages,media}.create/*/stored'] });

  expect(idsOf(run, 'fail', 'warn', 'error')).toEqual([]);
  expect(idsOf(run, 'pass')).toContain('media.create/author/stored');
});

describe('a template of no record', () => {
  const naming = (words: string): Alter =>
    writing('template', (write, _, value) => {
      const params = { template: words };
      if (value !== '' && value !== 'wide')
        throw new Refusal('invalid', 'Invalid parameter.', 400, { params });
      write();
    });
  const only = ['pages.{create,update}/template/{stored,unset}*', 'pages.update/template/stored/*'];

  it.each([
    ['is tried if a refusal names it', 'template is not one of wide.', 'pass'],
    ['does not apply if a refusal names none', 'template is not one of .', 'skip'],
    ['is tried if a refusal in another language names it', 'template ist keins von , wide, narrow.', 'pass'],
    ['does not apply if such a refusal names none', 'template ist keins von .', 'skip'],
    ['is unknown if a refusal does not mention it', 'No.', 'inconclusive'],
  ] as const)('%s', async (_, words, verdict) => {
    const run = await recordRun({ behaviour: naming(words), seed: 'empty', only });

    expect(idsOf(run, verdict)).toContain('pages.create/template/stored');
    expect(idsOf(run, 'fail', 'warn', 'error')).toEqual([]);
  });

  it.each([
    ['is tried if the site declares it', ['', 'wide', 'narrow'], 'pass'],
    ['does not apply if the site declares none', [''], 'skip'],
  ] as const)('%s', async (_, templates, verdict) => {
    const declared = declaring((index) => {
      for (const { args } of endpointsIn(index)) if (args.template) args.template.enum = [...templates];
    });
    const run = await recordRun({ behaviour: together(naming('No.'), declared), seed: 'empty', only });

    expect(idsOf(run, verdict)).toContain('pages.create/template/stored');
    expect(idsOf(run, 'fail', 'warn', 'error', 'inconclusive')).toEqual([]);
  });

  it.each([
    ['is any if the site keeps a name that it cannot know', (name: string) => name, 'pass'],
    ['is unknown if the site takes a name and keeps another', () => '', 'inconclusive'],
  ] as const)('%s', async (_, kept, verdict) => {
    const behaviour = writing('template', (_write, record, value) => {
      record.template = kept(String(value));
    });
    const run = await recordRun({ behaviour, seed: 'empty', only });

    expect(idsOf(run, verdict)).toContain('pages.create/template/stored');
    expect(idsOf(run, 'fail', 'warn', 'error')).toEqual([]);
  });
});

describe('terms that no record has, but the site lists', () => {
  const withoutTags = (answer: ProxyAnswer): ProxyAnswer => {
    const json = jsonOf(answer.body);
    const drop = (one: unknown): unknown => (isObject(one) ? { ...asObject(one), tags: undefined } : one);
    return withJson(answer, Array.isArray(json) ? json.map(drop) : drop(json));
  };

  it.each([
    ['are written and read back', (answer: ProxyAnswer) => answer, 'pass'],
    ['are not read back from a site whose records show no terms', withoutTags, 'fail'],
  ] as const)('%s', async (_, turn, verdict) => {
    const { behaviour, handle, slugs, addTag } = bareSite();
    const run = await recordRun({
      behaviour,
      seed: 'empty',
      only: ['posts.create/tags/stored'],
      async through({ url }) {
        const proxy = await startProxy(url, async (asked) => {
          const path = asked.url.searchParams.get('rest_route') ?? '';
          if (path === '/cms/v2/tags' && !slugs().includes('one'))
            for (const slug of ['one', 'other']) addTag(slug);
          const answer = await handle(asked);
          return path.startsWith('/cms/v2/posts') ? turn(answer) : answer;
        });
        onTestFinished(() => proxy.close());
        return proxy.url;
      },
    });

    expect(idsOf(run, verdict)).toEqual(['posts.create/tags/stored']);
    expect(run.cleaned).toMatchObject({ left: [], doubts: [] });
  });
});
