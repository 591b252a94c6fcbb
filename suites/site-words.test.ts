import { describe, expect, it } from 'vitest';
import { matchesAny } from '../engine/plan.ts';
import { loadContract } from '../specs/contract.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { allChecks } from './all-checks.ts';
import { siteWords } from './site-words.ts';

const contract = loadContract({ deployment: 'b', vocabulary: 'wordpress' });
const checks = allChecks(contract);
const read = siteWords(contract, checks);

function selected(glob: string): string[] {
  const globs = read(glob)?.globs ?? [];
  return checks.map(({ id }) => id).filter((id) => matchesAny(id, globs));
}

function below(...globs: string[]): string[] {
  return checks.map(({ id }) => id).filter((id) => matchesAny(id, globs));
}

describe('a glob in the words of the site', () => {
  it.each(['posts.list/per_page', 'posts.*/**', 'routes/cms/v2/posts/**', '**/enforced'])(
    'is none where it is one of check ids: %s',
    (glob) => {
      expect(read(glob)).toEqual({ globs: [glob] });
    },
  );

  it.each<[string, string]>([
    ['namespaces/wp/v2', 'namespaces/cms/v2'],
    ['routes/wp/v2/posts/:id/present', 'routes/cms/v2/posts/:id/present'],
    ['routes/yoast/v1/semrush/**', 'routes/seo/v1/keywordtool/**'],
    ['seo.ai-generator.get-usage/is_woo_product_entity', 'seo.ai-generator.get-usage/is_shop_product_entity'],
    ['**/_genesis_block_theme_hide_title/**', '**/_theme_block_theme_hide_title/**'],
  ])('selects the same check ids as in neutral words: %s', (glob, neutral) => {
    expect(selected(glob)).toEqual(below(neutral));
    expect(selected(glob).length).toBeGreaterThan(0);
    expect(read(glob)?.note).toContain(`"${neutral}" in the contract (`);
  });

  it('selects a place and everything below it', () => {
    const ids = selected('wp/v2/posts');

    expect(ids).toEqual(expect.arrayContaining(below('posts.list', 'posts.create', 'post-revisions.read')));
    expect(ids).toEqual(
      expect.arrayContaining(['routes/cms/v2/posts/:id/present', 'states/posts/publish/listed']),
    );
    expect(ids.filter((id) => /^(pages|media|seo)/.test(id))).toEqual([]);
    expect(selected('/wp/v2/posts')).toEqual(ids);
    expect(selected('cms/v2/posts')).toEqual(ids);
    expect(read('wp/v2/posts')?.note).toMatch(
      /taken for a place of the site \(\d+ checks of .*, .*, .*, \d+ more\)$/,
    );
  });

  it('selects one operation if it names a method', () => {
    const ids = new Set(selected('GET /wp/v2/posts'));
    const operations = new Set(checks.filter(({ id }) => ids.has(id)).map(({ operation }) => operation));

    expect([...operations]).toEqual(['posts.list']);
    expect(selected('POST, PUT, PATCH /wp/v2/posts/{id}')).toEqual(
      expect.arrayContaining(below('posts.update')),
    );
    expect(selected('GET /wp/v2/posts per_page')).toEqual(
      below('posts.list/per_page', 'lists/posts/per_page'),
    );
  });

  it.each<[string, string[]]>([
    ['/yoast/v1/file_size/url', ['seo.file-size/url']],
    ['wp/v2/posts/{id}/excerpt_length', ['posts.read/excerpt_length']],
    ['/wp/v2/posts/(?P<id>[\\d]+)/excerpt_length', ['posts.read/excerpt_length']],
    ['wp/v2/posts/*/excerpt_length', ['posts.read/excerpt_length']],
    ['**/is_woo_product_entity', ['seo.ai-generator.get-usage/is_shop_product_entity']],
  ])('selects a parameter of a place: %s', (glob, ids) => {
    expect(selected(glob)).toEqual(below(...ids));
    expect(selected(glob).length).toBeGreaterThan(0);
  });

  it('selects a namespace with all of its routes', () => {
    const ids = selected('/elementor-ai/v1');

    expect(ids).toEqual(expect.arrayContaining(below('namespaces/builder-ai/v1', 'builder-ai.permissions')));
  });

  it.each(['/wp/v2/tags', 'DELETE /wp/v2/posts', 'zzz', '/'])('selects nothing: %s', (glob) => {
    expect(read(glob)).toBeUndefined();
  });
});

it('prefers the word of the contract if it has both meanings, with a note', () => {
  const swapped = {
    name: 'swapped',
    title: 'Two words swapped',
    parameters: { search: 'offset', offset: 'search' },
  };
  const folder = testFolder({ 'words.json': swapped });
  const own = loadContract({ deployment: 'core', vocabulary: `${folder}/words.json` });
  const meaning = siteWords(own, allChecks(own))('posts.list/search');

  expect(meaning?.globs).toEqual(['posts.list/search']);
  expect(meaning?.note).toMatch(
    /words of the contract \(\d+ checks\); what the site calls so is "posts.list\/offset"/,
  );
});
