import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadContract, loadVocabulary } from './contract.ts';
import { testFolder } from './folder.fixture.ts';
import type { Contract, Parameter } from './model.ts';

const NEUTRAL = loadContract({ deployment: 'b', vocabulary: 'neutral' });
const REAL = loadContract({ deployment: 'b', vocabulary: 'wordpress' });

function parameter(contract: Contract, id: string, name: string): Parameter {
  const found = contract.operations.find((one) => one.id === id)?.parameters.find((one) => one.name === name);
  return found ?? expect.fail(`no parameter ${name} of ${id}`);
}

describe('the vocabulary of the specification', () => {
  it('changes no word', () => {
    expect(NEUTRAL.namespaces.filter(({ name, wire }) => name !== wire)).toEqual([]);
    expect(NEUTRAL.routes.filter(({ path, wire }) => path !== wire)).toEqual([]);
    expect(
      NEUTRAL.operations.flatMap(({ parameters }) => parameters).filter(({ name, wire }) => name !== wire),
    ).toEqual([]);
  });
});

describe('the vocabulary of WordPress', () => {
  it.each([
    ['/cms/v2/posts/{id}', '/wp/v2/posts/{id}'],
    ['/cms-site-health/v1', '/wp-site-health/v1'],
    ['/seo/v1', '/yoast/v1'],
    ['/builder/v1/documents/{id}/media/import', '/elementor/v1/documents/{id}/media/import'],
    ['/builder/v1/feedback', '/elementor/v1/feedback'],
    ['/image-optimizer/v1/backups/restore/{image_id}', '/image-optimizer/v1/backups/restore/{image_id}'],
    ['/batch/v1', '/batch/v1'],
    ['/', '/'],
  ])('says %s as %s', (path, wire) => {
    expect(REAL.routes.find((route) => route.path === path)?.wire).toBe(wire);
  });

  it('gives the root of a namespace the real name as its default', () => {
    expect(parameter(REAL, 'cms.root', 'namespace').schema.default).toBe('wp/v2');
  });

  it('counts what nobody has verified as doubtful, and nothing else', () => {
    const a = loadContract({ deployment: 'a', vocabulary: 'wordpress' });
    const doubtful = a.namespaces.filter(({ basis }) => basis === 'doubtful').map(({ name }) => name);
    const meta = parameter(REAL, 'posts.create', 'meta').schema.properties ?? {};

    expect(doubtful).toEqual(['host_sign_on_plugin/v1', 'blocks/v1']);
    expect(meta._genesis_block_theme_hide_title?.['x-basis']).toBe('doubtful');
    expect(meta.footnotes).not.toHaveProperty('x-basis');
    expect(meta).not.toHaveProperty('_theme_block_theme_hide_title');
  });
});

function own(file: object): ReturnType<typeof loadVocabulary> {
  return loadVocabulary(
    join(testFolder({ 'mine.json': { name: 'mine', title: 'Mine', ...file } }), 'mine.json'),
  );
}

describe('a vocabulary file', () => {
  let vocabulary: ReturnType<typeof own>;
  beforeEach(() => {
    vocabulary = own({
      namespaces: { 'shop/v1': 'store/v2' },
      segments: { 'shop/v1': { items: 'goods' } },
      parameters: { network: 'net' },
      enumValues: { editor: { block: 'brick' } },
      metaKeys: { neutral_key: 'real_key' },
      unverified: ['shop/v1', 'enum:editor'],
    });
  });

  it('maps whole segments of its namespace, and of no other', () => {
    expect(vocabulary.route('/shop/v1/items/{items}', 'shop/v1')).toBe('/store/v2/goods/{items}');
    expect(vocabulary.route('/shop/v1/itemset', 'shop/v1')).toBe('/store/v2/itemset');
    expect(vocabulary.route('/other/v1/items', 'other/v1')).toBe('/other/v1/items');
  });

  it('maps the members and the default of an enum, in the items too', () => {
    const schema = { enum: ['block', 'plain', 1], default: 'block', items: { enum: ['block'] } };

    expect(vocabulary.schema(schema, 'editor')).toMatchObject({
      enum: ['brick', 'plain', 1],
      default: 'brick',
      items: { enum: ['brick'] },
    });
    expect(vocabulary.schema(schema, 'elsewhere')).toEqual(schema);
  });

  it('marks an enum whose values are unverified as doubtful, without losing other marks', () => {
    expect(vocabulary.schema({ enum: ['block'], 'x-doubtful': ['type'] }, 'editor')['x-doubtful']).toEqual([
      'type',
      'enum',
    ]);
    expect(vocabulary.schema({ type: 'string' }, 'editor')).not.toHaveProperty('x-doubtful');
  });

  it('makes an unverified word doubtful and keeps the basis of the others', () => {
    expect(vocabulary.basisOf('shop/v1', 'stated')).toBe('doubtful');
    expect(vocabulary.basisOf('cms/v2', 'implied')).toBe('implied');
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'has no word for %s, which every object inherits',
    (word) => {
      expect(vocabulary.parameter(word)).toBe(word);
      expect(vocabulary.namespace(word)).toBe(word);
    },
  );

  it('with a misspelt member is refused in one line', () => {
    expect(() => own({ namespace: {} })).toThrow(/mine\.json: .*"namespace"/);
  });
});

describe('a vocabulary with one word for two things', () => {
  it.each([
    ['namespaces', { 'cms/v2': 'x/v1', 'oembed/1.0': 'x/v1' }, 'both become "x/v1"'],
    [
      'parameters',
      { search_semantics: 'search' },
      'the parameters "search" and "search_semantics" both become',
    ],
    ['enumValues', { orderby: { date: 'title' } }, 'two values of orderby become "title"'],
    ['segments', { 'cms/v2': { posts: 'pages' } }, 'both become "/cms/v2/pages'],
  ])('is refused, with both and the place: %s', (table, words, message) => {
    const folder = testFolder({ 'v.json': { name: 'own', title: 'My words', [table]: words } });

    expect(() => loadContract({ deployment: 'core', vocabulary: join(folder, 'v.json') })).toThrow(message);
  });
});
