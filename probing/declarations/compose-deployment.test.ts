import { expect, it } from 'vitest';
import { looksLikeIndex, readIndex, type SiteIndex } from '../../client/site-index.ts';
import { loadContract } from '../../specs/contract.ts';
import { composeDeployment } from './compose-deployment.ts';

function indexOf(namespaces: readonly unknown[], routes: object = {}): SiteIndex {
  const document: unknown = { namespaces, routes };
  if (!looksLikeIndex(document)) throw new Error('not an index');
  return readIndex(document, JSON.stringify(document));
}

it('takes the files of the namespaces that a site lists, under the words that it uses', () => {
  const composition = composeDeployment(indexOf(['oembed/1.0', 'yoast/v1', 'wp/v2', 'shop/v1', 5, 'wp/v2']));

  expect(composition).toMatchObject({
    vocabulary: 'wordpress',
    file: { name: 'auto', operations: ['core', 'cms-v2', 'oembed-1.0', 'seo-v1'], features: [] },
    unknown: ['shop/v1'],
  });
  expect(composition?.missing).toEqual(['cms-abilities-v1', 'cms-block-editor-v1', 'cms-site-health-v1']);
});

it('makes a contract of them that is as good as one of a file, and tells two compositions apart', () => {
  const digests = [['cms/v2'], ['cms/v2', 'seo/v1']].map((served) => {
    const composition = composeDeployment(indexOf(served));
    const contract = loadContract({ deployment: 'auto', vocabulary: 'neutral', composed: composition?.file });

    expect(contract.deployment).toBe('auto');
    expect(contract.namespaces.map(({ name }) => name)).toEqual(served);
    return contract.digest;
  });

  expect(new Set(digests).size).toBe(2);
});

it('looks under the words of one vocabulary where it is told to', () => {
  expect(composeDeployment(indexOf(['wp/v2', 'oembed/1.0']), 'neutral')?.file.operations).toEqual([
    'core',
    'oembed-1.0',
  ]);
});

it('keeps to the neutral words where others would be the same', () => {
  expect(composeDeployment(indexOf(['oembed/1.0']))?.vocabulary).toBe('neutral');
});

it('switches on a feature of which the site declares a member', () => {
  const meta = { type: 'object', properties: { _genesis_block_theme_hide_title: { type: 'boolean' } } };
  const routes = { '/wp/v2/posts': { endpoints: [{ methods: ['POST'], args: { meta } }] } };

  expect(composeDeployment(indexOf(['wp/v2'], routes))?.file.features).toEqual(['block-theme']);
});

it('has nothing to offer where a site lists none of them', () => {
  expect(composeDeployment(indexOf(['shop/v1', '', 'cms']))).toBeUndefined();
  expect(composeDeployment(indexOf([]))).toBeUndefined();
});
